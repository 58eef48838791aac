/* SPDX-License-Identifier: MIT */
/* See depends.h. */
#define _GNU_SOURCE	/* asprintf */
#include "ci/depends.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ci/place.h"
#include "store/certificate.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *find(const struct baseline_benchmark *in, const char *name)
{
	for (size_t i = 0; i < in->files; i++)
		if (!strcmp(in->file[i].name, name))
			return in->file[i].sha256;
	return NULL;
}

/* Two files of one name: the first one stands for both. */
static int add(struct baseline_benchmark *out, const char *name,
	       const char *path, struct assay_error *err)
{
	struct baseline_file *file;
	char digest[65];
	int rc;

	if (find(out, name))
		return 0;
	rc = certificate_hash(digest, path, err);
	if (rc < 0)
		return rc;
	file = baseline_add_file(out);
	if (!file || !(file->name = strdup(name)) ||
	    !(file->sha256 = strdup(digest)))
		return error_memory(err);
	return 0;
}

/* Is the file below the project's folder? */
static bool is_own(const char *path, const char *folder)
{
	char root[PATH_MAX];
	size_t n;

	if (!strncmp(path, PLACE_PATH "/", strlen(PLACE_PATH "/")))
		return true;
	if (!realpath(folder && *folder ? folder : ".", root))
		return false;
	n = strlen(root);
	return !strncmp(path, root, n) && (path[n] == '/' || n == 1);
}

/* The path of the folder, which the program saw, as a number: a baseline has no
 * paths. (FNV-1a) */
static int add_folder(struct baseline_benchmark *out, const char *folder,
		      struct assay_error *err)
{
	struct baseline_file *file = baseline_add_file(out);
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	char root[PATH_MAX];

	if (!realpath(folder && *folder ? folder : ".", root))
		return error_read(err, folder);
	for (const char *c = root; *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	if (!file || !(file->name = strdup("the folder's path")) ||
	    asprintf(&file->sha256, "%016" PRIx64, hash) < 0)
		return error_memory(err);
	return 0;
}

static int add_inputs(struct baseline_benchmark *out,
		      const struct ci_benchmark *benchmark,
		      const struct ci_program *program, struct assay_error *err)
{
	const struct yaml_node *n = benchmark->input;
	const char *const folder = program->folder;
	char path[PATH_MAX];
	int rc = 0;

	for (; n && rc == 0; n = n->next) {
		snprintf(path, sizeof(path), "%s/%s",
			 folder && *folder ? folder : ".", n->text);
		rc = ci_program_reads(program, path, err);
		rc = rc ? rc : add(out, n->text, path, err);
	}
	return rc;
}

int ci_depends_add(struct baseline_benchmark *out,
		   const struct ci_benchmark *benchmark,
		   const struct ci_side *side, struct assay_error *err)
{
	const struct ci_program *program = side->program;
	const struct ci_lines *lines = &side->lines;
	int rc = add(out, "assay", "/proc/self/exe", err);

	if (rc == 0)
		rc = add(out, base_name(program->plugin), program->plugin, err);
	if (rc == 0)
		rc = add(out, base_name(program->qemu), program->qemu, err);
	if (rc == 0 && !is_own(program->path, program->folder))
		rc = add(out, base_name(program->path), program->path, err);
	for (size_t i = 0; i < lines->objects && rc == 0; i++)
		if (!is_own(lines->object[i], program->folder))
			rc = add(out, base_name(lines->object[i]),
				 lines->object[i], err);
	if (rc == 0 && side->run[0].shows)
		rc = add_folder(out, program->folder, err);
	return rc ? rc : add_inputs(out, benchmark, program, err);
}

bool ci_depends_differ(const struct baseline_benchmark *then,
		       const struct baseline_benchmark *now, char *why,
		       size_t room)
{
	for (size_t i = 0; i < now->files; i++) {
		const char *sha256 = find(then, now->file[i].name);

		if (sha256 && !strcmp(sha256, now->file[i].sha256))
			continue;
		snprintf(why, room, "not comparable: %s %s",
			 now->file[i].name, sha256 ?
			 "is another file than that of the baseline" :
			 "is not in the baseline");
		return true;
	}
	for (size_t i = 0; i < then->files; i++) {
		if (find(now, then->file[i].name))
			continue;
		snprintf(why, room, "not comparable: %.100s of the baseline "
			 "was not used", then->file[i].name);
		return true;
	}
	return false;
}
