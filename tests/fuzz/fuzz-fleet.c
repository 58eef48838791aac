/* SPDX-License-Identifier: MIT */
/*
 * Files of nodes of any bytes, separated by lines "---", are refused with a
 * reason, or compared. Every node that differs is one of those that were judged.
 */
#define _GNU_SOURCE	/* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "assay.h"
#include "assay/fleet.h"

enum { FILES = 8, PATH = 40 };

static int on_row(void *ctx, const struct assay_row *row)
{
	*(unsigned *)ctx += !strcmp(row->type, "answer");
	for (size_t i = 0; i < row->fields; i++)
		need(row->field[i].name != NULL);
	return 0;
}

static int put(char *path, const char *text, size_t bytes)
{
	const int fd = memfd_create("node", 0);

	need(fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes);
	snprintf(path, PATH, "/proc/self/fd/%d", fd);
	return fd;
}

static void check(const char *const *path, size_t files)
{
	static struct assay *assay;
	struct assay_fleet_outcome outcome;
	struct assay_error err = { 0 };
	unsigned answers = 0;
	int rc;

	if (!assay)
		need(assay_open(&assay, NULL, NULL) == 0);
	rc = assay_fleet_check(assay, path, files, on_row, &answers, &outcome,
			       &err);
	need(rc <= 0 && (rc == 0 || *err.text));
	if (rc)
		return;
	need(answers == 1 && outcome.odd <= outcome.judged &&
	     outcome.judged <= outcome.nodes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const char line[] = "---\n";
	const char *text = (const char *)data, *end = text + bytes;
	char path[FILES][PATH];
	const char *name[FILES];
	int fd[FILES];
	size_t files = 0;

	while (files < FILES && (text < end || !files)) {
		const char *next = memmem(text, (size_t)(end - text), line,
					  sizeof(line) - 1);

		fd[files] = put(path[files], text,
				(size_t)((next ? next : end) - text));
		name[files] = path[files];
		files++;
		text = next ? next + sizeof(line) - 1 : end;
	}
	check(name, files);
	while (files)
		close(fd[--files]);
	return 0;
}
