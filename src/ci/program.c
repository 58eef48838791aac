/* SPDX-License-Identifier: MIT */
/* Finds a program and what its runs need. The caller's PATH does not count. */
#include "ci/ci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "program/program.h"

static const char *const default_cpus[ISAS] = {
	[ISA_X86_64] = "i7-6700hq",
	[ISA_AARCH64] = "neoverse-n1",
};

/* The path of a name: below the folder, else in the folders of programs. A name
 * that is nowhere stays as it is, so that program_find() complains. */
static void find_path(char *out, size_t room, const char *name,
		      const char *folder)
{
	const char *const folders[] = {
		folder ? folder : strchr(name, '/') ? "" : ".",
		"/usr/bin", "/bin"
	};
	struct stat st;

	for (size_t i = 0; *name && *name != '/' && i < 3; i++) {
		snprintf(out, room, "%s%s%s", folders[i],
			 *folders[i] ? "/" : "", name);
		if (stat(out, &st) == 0 && S_ISREG(st.st_mode))
			return;
	}
	snprintf(out, room, "%s", name);
}

static void take(struct ci_program *out, const struct program *p)
{
	text_copy(out->file, sizeof(out->file), p->path);
	text_copy(out->qemu, sizeof(out->qemu), p->qemu);
	text_copy(out->plugin, sizeof(out->plugin), p->plugin);
	out->isa = p->binary.isa;
	out->static_file = !p->scripts && !p->binary.interpreter[0];
	if (!out->cpu)
		out->cpu = default_cpus[out->isa];
}

/* A CPU file of the caller's is named from the current folder, in which the runs
 * are not; the name of a CPU stays. */
static void keep_cpu(struct ci_program *p)
{
	if (p->cpu && realpath(p->cpu, p->cpu_path))
		p->cpu = p->cpu_path;
}

int ci_program_find(struct ci_program *program, const char *name,
		    struct assay_error *err)
{
	struct program found;
	char path[4096];
	int rc;

	keep_cpu(program);
	find_path(path, sizeof(path), name, program->folder);
	rc = program_find(&found, path, NULL, NULL, err);
	if (rc < 0)
		return rc;
	if (!realpath(found.name, program->path))
		return error_read(err, found.name);
	take(program, &found);
	return ci_program_reads(program, program->path, err);
}

int ci_program_reads(const struct ci_program *program, const char *path,
		     struct assay_error *err)
{
	struct stat file, output;

	if (!program->output || stat(path, &file) ||
	    stat(program->output, &output) || file.st_dev != output.st_dev ||
	    file.st_ino != output.st_ino)
		return 0;
	error_set(err, -ASSAY_EINVAL, "'%.300s' is read by this command, and "
		  "not written over", program->output);
	error_add(err, "try: another name after -o");
	return -ASSAY_EINVAL;
}
