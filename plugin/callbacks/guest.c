/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's memory. It is read by the kernel, as what a program hands over
 * may lie anywhere.
 */
#define _GNU_SOURCE	/* process_vm_readv */
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "plugin/callbacks/guest.h"

enum { PAGE = 4096 };

/* Where process_vm_readv is forbidden. */
static bool read_by_file(void *out, size_t bytes, const void *from)
{
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = pread(fd, out, bytes, (off_t)(uintptr_t)from);
	close(fd);
	return n == (ssize_t)bytes;
}

bool guest_read(void *out, size_t bytes, uint64_t address)
{
	const struct iovec to = { out, bytes };
	const struct iovec from = { guest_host(address), bytes };

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) ==
	       (ssize_t)bytes ||
	       read_by_file(out, bytes, from.iov_base);
}

bool guest_text(char *out, size_t room, uint64_t address)
{
	size_t used = 0, n;

	while (used < room) {
		n = PAGE - (address + used) % PAGE;
		if (n > room - used)
			n = room - used;
		if (!guest_read(out + used, n, address + used))
			return false;
		if (memchr(out + used, '\0', n))
			return true;
		used += n;
	}
	return false;
}
