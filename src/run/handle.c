/* SPDX-License-Identifier: MIT */
/* Opening and closing the library: assay_open(), assay_close(). */
#include "run/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "env/env.h"
#include "env/launcher.h"

const char *assay_version(void)
{
	return ASSAY_VERSION;
}

static void find_place(struct assay_place *out)
{
	struct launcher launcher;

	launcher_read(&launcher);
	*out = (struct assay_place){ .rank = launcher.rank };
	if (!launcher.kind && !*launcher.job)
		return;
	text_copy(out->node, sizeof(out->node), launcher.node);
	text_copy(out->job, sizeof(out->job), launcher.job);
}

static bool is_folder(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Of any system, or of a record of one: `assay doctor --record`. */
static bool is_machine(const char *root)
{
	static const char *const names[] = { "proc", "sys", "dev",
					     "assay-probe" };
	char path[4096];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, names[i]);
		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

static int check_folders(const struct assay_options *options,
			 struct assay_error *err)
{
	if (options->sysroot && !is_folder(options->sysroot))
		return error_set(err, -ASSAY_ENOENT, "no folder is called "
				 "'%.200s', so no machine is below it",
				 options->sysroot);
	if (options->sysroot && !is_machine(options->sysroot))
		return error_set(err, -ASSAY_ENOENT, "no machine is below "
				 "'%.200s': the folder has neither proc nor "
				 "sys\ntry: assay doctor --record -o "
				 "machine.tree, on that machine",
				 options->sysroot);
	if (options->data_dir && !is_folder(options->data_dir))
		return error_set(err, -ASSAY_ENOENT, "no folder is called "
				 "'%.200s', so no data is in it",
				 options->data_dir);
	return 0;
}

int assay_open(struct assay **out, const struct assay_options *options,
	       struct assay_error *err)
{
	static const struct assay_options none;
	char stepping[24];
	struct assay *a = calloc(1, sizeof(*a));
	int rc;

	if (!a)
		return error_memory(err);
	if (!options)
		options = &none;
	a->sysroot = options->sysroot ? options->sysroot : "/";
	a->data_dir = options->data_dir;
	a->cert_dir = options->cert_dir;
	find_place(&a->place);
	a->tables = tables_at_hand_new(options->event_tables);
	a->files = cpu_files_new(a->data_dir);
	rc = a->tables && a->files ? check_folders(options, err) : error_memory(err);
	if (rc == 0)
		rc = env_machine(&a->machine, a->sysroot, err);
	if (rc < 0) {
		assay_close(a);
		return rc;
	}
	env_revision(stepping, sizeof(stepping), a->machine.microcode,
		     sizeof(a->machine.microcode), a->sysroot);
	*out = a;
	return 0;
}

void assay_close(struct assay *assay)
{
	if (assay) {
		tables_at_hand_free(assay->tables);
		cpu_files_free(assay->files);
		cpu_free(assay->explained_file);
	}
	free(assay);
}
