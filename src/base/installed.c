/* SPDX-License-Identifier: MIT */
/* Finding the plugin, the sources of the image and a user's files; see
 * installed.h. */
#include "base/installed.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/installed-paths.h"
#include "base/text.h"

enum { PATH_ROOM = 4096 };

static const struct {
	const char *what, *variable;
	const char *name;	/* in the folders of an installation */
	const char *from_build;	/* from the executable in its build folder */
	const char *from_bin, *from_prefix;	/* folders */
	const char *probe;	/* what must be readable below the path */
} files[] = {
	[INSTALLED_PLUGIN] = { "assay's plugin for QEMU", "ASSAY_LIBDIR",
			       "assay-qemu.so", "plugin/assay-qemu.so",
			       BIN_TO_LIB, INSTALLED_LIB, "" },
	[INSTALLED_BARE] = { "the sources of the image", "ASSAY_DATADIR",
			     "bare", "bare/tree",
			     BIN_TO_DATA, INSTALLED_DATA, "/sources" },
};

/* The folder of the running executable; ".": unknown. */
static void find_self(char *out, size_t room)
{
	const ssize_t n = readlink("/proc/self/exe", out, room - 1);
	char *slash;

	out[n > 0 ? n : 0] = '\0';
	slash = strrchr(out, '/');
	if (slash)
		*slash = '\0';
	else
		snprintf(out, room, ".");
}

static bool is_there(const char *path, enum installed what)
{
	char probe[PATH_ROOM + 16];

	snprintf(probe, sizeof(probe), "%s%s", path, files[what].probe);
	return access(probe, R_OK) == 0;
}

static void join(char *out, const char *a, const char *b, const char *c)
{
	text_join(out, PATH_ROOM, (const char *const[]){ a, b, c, NULL }, "/");
}

int installed_find(char *out, size_t room, enum installed what,
		   struct assay_error *err)
{
	const char *given = getenv(files[what].variable);
	const char *name = files[what].name;
	char self[PATH_ROOM], path[3][PATH_ROOM];
	int n = 0;

	find_self(self, sizeof(self));
	if (given && *given) {
		join(path[n++], given, name, NULL);
	} else {
		join(path[n++], self, files[what].from_build, NULL);
		join(path[n++], self, files[what].from_bin, name);
		join(path[n++], files[what].from_prefix, name, NULL);
	}
	for (int i = 0; i < n; i++)
		if (strlen(path[i]) < room && is_there(path[i], what)) {
			text_copy(out, room, path[i]);
			return 0;
		}
	error_set(err, -ASSAY_EUNAVAIL, "%s cannot be read: '%.300s': %s",
		  files[what].what, path[n - 1], strerror(errno));
	error_add(err, "try: make install, or set %s to the folder that has "
		  "'%s'", files[what].variable, name);
	return -ASSAY_EUNAVAIL;
}

int user_file(char *out, size_t room, const char *name, const char *what,
	      const char *option, struct assay_error *err)
{
	const char *const data = getenv("XDG_DATA_HOME");
	const char *const home = getenv("HOME");
	const bool named = data && *data == '/';
	int n;

	if (!named && (!home || *home != '/'))
		return error_set(err, -ASSAY_ENOENT, "there is no place for "
				 "%s: neither XDG_DATA_HOME nor HOME is set\n"
				 "try: %s", what, option);
	n = snprintf(out, room, "%s%s/assay/%s", named ? data : home,
		     named ? "" : "/.local/share", name);
	if (n < 0 || (size_t)n >= room)
		return error_set(err, -ASSAY_ENOENT, "the path of %s is too "
				 "long", what);
	return 0;
}
