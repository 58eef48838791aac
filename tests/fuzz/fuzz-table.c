/* SPDX-License-Identifier: MIT */
/*
 * A table of any bytes is refused with its place, or judged: each verdict has a
 * class, a scope of its own and a sentence without control characters. What
 * stands behind a NUL is --map.
 */
#define _GNU_SOURCE	/* memfd_create */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "tables/table.h"

static void check_text(const char *text)
{
	for (; *text; text++)
		need((unsigned char)*text >= 0x20);
}

static int verdict(void *ctx, const struct judge_verdict *v)
{
	char scope[9000];

	(void)ctx;
	need((unsigned)v->class_ < ASSAY_CLASSES);
	need(judge_scope(scope, sizeof(scope), v) < sizeof(scope));
	need(v->text && *v->text && v->next);
	check_text(v->text);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const uint8_t *nul = bytes ? memchr(data, 0, bytes) : NULL;
	const size_t table = nul ? (size_t)(nul - data) : bytes;
	char path[40], *map = NULL;
	struct table_reading reading = { 0 };
	struct assay_error err = { 0 };
	struct table *out;
	int fd = memfd_create("fuzz", 0), rc;

	need(fd >= 0 && write(fd, data, table) == (ssize_t)table);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (nul) {
		map = strndup((const char *)nul + 1, bytes - table - 1);
		need(map != NULL);
		reading.map = map;
	}
	rc = table_read(&out, path, &reading, &err);
	need(rc <= 0 && (rc == 0) == !*err.text);
	if (rc == -ASSAY_EPARSE)
		need(strstr(err.text, ": error: ") != NULL);
	if (!rc) {
		need(judge_run(&out->input, verdict, NULL, NULL) == 0);
		table_free(out);
	}
	free(map);
	close(fd);
	return 0;
}
