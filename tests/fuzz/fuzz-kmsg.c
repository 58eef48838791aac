/* SPDX-License-Identifier: MIT */
/* A kernel log of any bytes: each kind once, all texts whole and plain. */
#define _GNU_SOURCE	/* memfd_create */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "env/doctor/kernel-log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void need(int true_or_bug)
{
	if (!true_or_bug)
		abort();
}

static void plain(const char *text, size_t room)
{
	need(memchr(text, 0, room) != NULL);
	for (; *text; text++)
		need((unsigned char)*text >= ' ' && *text != 127);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const int fd = memfd_create("log", 0);
	struct log_seen seen[LOG_KINDS];
	int n;

	need(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes);
	lseek(fd, 0, SEEK_SET);
	n = kernel_log_scan(seen, fd);
	need(n >= 0 && n <= LOG_KINDS);
	for (int i = 0; i < n; i++) {
		need(seen[i].times > 0 && seen[i].kind);
		need(!i || seen[i].kind > seen[i - 1].kind);
		plain(seen[i].text, sizeof(seen[i].text));
		plain(seen[i].line, sizeof(seen[i].line));
		need(strlen(seen[i].text) <= strlen(seen[i].line));
	}
	close(fd);
	return 0;
}
