/* SPDX-License-Identifier: MIT */
/* Where the database is, and on which file systems it is shared. */
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "base/installed.h"
#include "base/text.h"
#include "database/private.h"

int database_path(char *out, size_t room, struct assay_error *err)
{
	const char *const named = getenv("ASSAY_DB");

	if (!named)
		return user_file(out, room, "assay.db", "a database",
				 "--db FILE", err);
	if (!*named)
		return error_set(err, -ASSAY_ENOENT, "ASSAY_DB is empty: there "
				 "is no database\ntry: --db FILE");
	if (strlen(named) >= room)
		return error_set(err, -ASSAY_EINVAL, "the database's path is "
				 "too long");
	text_copy(out, room, named);
	return 0;
}

/* Types of statfs(2); of FUSE nobody can tell. */
bool database_on_network(unsigned long type)
{
	static const unsigned long types[] = {
		0x6969,		/* NFS */
		0x517b,		/* SMB */
		0xfe534d42,	/* SMB 2 */
		0xff534d42,	/* CIFS */
		0x01021997,	/* 9P */
		0x65735546,	/* FUSE */
		0x0bd00bd0,	/* Lustre */
		0x47504653,	/* GPFS */
		0x00c36400,	/* Ceph */
		0x19830326,	/* BeeGFS */
		0x5346414f,	/* AFS */
		0x7461636f,	/* OCFS2 */
		0x01161970,	/* GFS2 */
		0x20030528,	/* OrangeFS */
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i] == (type & 0xffffffff))
			return true;
	return false;
}

bool database_is_remote(const char *path)
{
	char folder[DATABASE_PATH];
	struct statfs fs;
	char *slash;
	int rc;

	text_copy(folder, sizeof(folder), path);
	while ((rc = statfs(folder, &fs)) != 0 &&
	       (slash = strrchr(folder, '/')) && slash != folder)
		*slash = '\0';
	if (rc)
		rc = statfs(*path == '/' ? "/" : ".", &fs);
	return !rc && database_on_network((unsigned long)fs.f_type);
}
