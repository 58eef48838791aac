/* SPDX-License-Identifier: MIT */
/* See layout.h. */
#define _GNU_SOURCE	/* copy_file_range */
#include "ci/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "ci/heap-library.h"

enum {
	STEP = 16,		/* of stack and heap: what malloc aligns to */
	STACK_STEPS = 256, HEAP_STEPS = 4000, PATH_STEPS = 96,
	STATIC_PATH = 300	/* length of a copy's path in layout 0 */
};

/* splitmix64: the same numbers everywhere. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void layout_draw(struct layout *out, unsigned number)
{
	uint64_t state = number;

	*out = (struct layout){ .stack = 0 };
	snprintf(out->page_map, sizeof(out->page_map), "random:%u",
		 number + 1);
	if (!number)
		return;
	out->stack = STEP * (unsigned)(draw(&state) % STACK_STEPS);
	out->heap = STEP * (unsigned)(1 + draw(&state) % HEAP_STEPS);
	out->path = STEP * (unsigned)(1 + draw(&state) % PATH_STEPS);
}

int layout_folder_make(struct scratch *out, struct assay_error *err)
{
	if (scratch_make(out, "/tmp", "ci", err) == 0)
		return 0;
	error_add(err, "the paths of runs need it for a fixed length");
	return -ASSAY_EUNAVAIL;
}

/* ---- static programs ---------------------------------------------------- */

static int cannot(struct assay_error *err, const char *what, const char *path)
{
	return error_set(err, -ASSAY_EUNAVAIL, "cannot %s '%.300s', which a "
			 "static program needs for the same counts in each "
			 "folder: %s", what, path, strerror(errno));
}

/* Keeps the time of the last change: a newer source is not the program's. */
static int copy(const char *to, const char *from, struct assay_error *err)
{
	const int in = open(from, O_RDONLY | O_CLOEXEC);
	const int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	char block[1 << 16];
	struct stat st;
	ssize_t n = -1;

	while (in >= 0 && out >= 0 &&
	       (n = read(in, block, sizeof(block))) > 0 &&
	       write(out, block, (size_t)n) == n)
		;
	if (in >= 0 && out >= 0 && fstat(in, &st) == 0)
		futimens(out, (struct timespec[]){ st.st_atim, st.st_mtim });
	if (in >= 0)
		close(in);
	if ((out < 0 || close(out) < 0) || n != 0)
		return cannot(err, "copy to", to);
	return 0;
}

/* The folder may be there from another run of the program in this layout. */
static int make_folder(const char *path)
{
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -1 : 0;
}

/* Lengthens the path by folders, up to `length` less the file's name. */
static int add_folders(char *path, size_t length, struct assay_error *err)
{
	size_t n = strlen(path);

	while (n < length) {
		size_t part = length - n > 201 ? 150 : length - n - 1;

		path[n++] = '/';
		memset(path + n, 'x', part);
		path[n += part] = '\0';
		if (make_folder(path) < 0)
			return cannot(err, "make", path);
	}
	return 0;
}

/* The path of a copy has one length for every program of one name. */
static int place_static(const struct ci_program *p, const struct layout *layout,
			unsigned number, const char *folder, const char *tag,
			char path[LAYOUT_PATH + 1], struct assay_error *err)
{
	const char *base = strrchr(p->name, '/');
	const char *name = base ? base + 1 : p->name;
	size_t length = STATIC_PATH + layout->path;
	int rc;

	if (strlen(name) > 200)
		return error_set(err, -ASSAY_EUNAVAIL, "the name '%.60s...' is "
				 "longer than 200 characters", name);
	snprintf(path, LAYOUT_PATH + 1, "%s/%.4s-%03u", folder, tag, number);
	if (make_folder(path) < 0)
		return cannot(err, "make", path);
	rc = add_folders(path, length - strlen(name) - 1, err);
	if (rc < 0)
		return rc;
	snprintf(path + strlen(path), LAYOUT_PATH - strlen(path), "/%s", name);
	return access(path, F_OK) == 0 ? 0 : copy(path, p->file, err);
}

/* ------------------------------------------------------------------------- */

int layout_place(const struct ci_program *program, const struct layout *layout,
		 unsigned number, const char *folder, const char *tag,
		 char path[LAYOUT_PATH + 1], char preload[128],
		 struct assay_error *err)
{
	char library[100];

	*preload = '\0';
	if (program->static_file)
		return place_static(program, layout, number, folder, tag, path,
				    err);
	text_copy(path, LAYOUT_PATH + 1, program->path);
	if (!layout->heap)
		return 0;
	snprintf(library, sizeof(library), "%s/%.4s-%03u.so", folder, tag,
		 number);
	snprintf(preload, 128, "LD_PRELOAD=%s", library);
	if (access(library, F_OK) == 0 ||
	    heap_library_write(library, program->isa, layout->heap) == 0)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "cannot write '%s', which moves "
			 "the heap: %s", library, strerror(errno));
}
