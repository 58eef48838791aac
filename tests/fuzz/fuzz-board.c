/* SPDX-License-Identifier: MIT */
/* A board file of any bytes: a board that an image can be built for, or why not. */
#define _GNU_SOURCE	/* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "image/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct assay_error err = { 0 };
	int fd = memfd_create("board", 0);
	struct board b;
	char path[32];
	int rc;

	need(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rc = board_load(&b, "/nowhere", path, &err);
	close(fd);
	if (rc < 0) {
		need(err.text[0]);
		return 0;
	}
	need(b.ram_bytes && b.ram + b.ram_bytes > b.ram);
	need(b.load >= b.ram && b.load < b.ram + b.ram_bytes);
	need(b.load % 4096 == 0 && b.uart && b.starts_at <= 3);
	return 0;
}
