/* SPDX-License-Identifier: MIT */
/* A file of any bytes that is to be run: its kind, and names that end. */
#define _GNU_SOURCE	/* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "store/programs/binary.h"

static void check_script(const struct binary *b, const uint8_t *data)
{
	need(memcmp(data, "#!", 2) == 0);
	need(b->interpreter[0] && !strpbrk(b->interpreter, " \t\n"));
	need(!strchr(b->argument, '\n'));
	need(!b->argument[0] || !strchr(" \t", b->argument[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	int fd = memfd_create("binary", MFD_CLOEXEC);
	struct binary b;
	char path[32];

	need(fd >= 0);
	need(write(fd, data, bytes) == (ssize_t)bytes);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	need(binary_read(&b, path) == 0);
	need(b.kind <= BINARY_UNKNOWN && b.isa < ISAS);
	need(memchr(b.interpreter, '\0', sizeof(b.interpreter)));
	need(memchr(b.argument, '\0', sizeof(b.argument)));
	if (b.kind == BINARY_SCRIPT)
		check_script(&b, data);
	if (b.kind == BINARY_PROGRAM)
		binary_needs_sysroot(&b);
	close(fd);
	return 0;
}
