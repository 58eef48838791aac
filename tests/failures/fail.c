/* SPDX-License-Identifier: MIT */
/*
 * Linked into assay in front of libc (-Wl,--wrap): the call of a kind that the
 * environment names fails once.
 *
 *	FAIL_KIND=malloc|open|write|fsync|rename|mmap FAIL_AT=N
 *
 * The N-th call of that kind fails, counted from 1 over all threads and
 * children; N = 0: none. FAIL_COUNT=FILE: the end of the process writes the
 * number of its calls there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_long calls;

static void __attribute__((destructor)) tell(void)
{
	const char *path = getenv("FAIL_COUNT");
	const int fd = path ? creat(path, 0666) : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%ld\n", atomic_load(&calls));
	close(fd);
}

static bool fails(const char *kind, int number)
{
	const char *asked = getenv("FAIL_KIND"), *at = getenv("FAIL_AT");

	if (!asked || strcmp(asked, kind) ||
	    atomic_fetch_add(&calls, 1) + 1 != (at ? atol(at) : 0))
		return false;
	errno = number;
	return true;
}

/* Type, name, declared and passed arguments, kind, errno, and what is returned
 * at a failure. _FILE_OFFSET_BITS=64 calls the names that end in 64. */
#define WRAP(type, name, declared, passed, kind, number, failed) \
	type __real_##name declared; \
	type __wrap_##name declared; \
	type __wrap_##name declared \
	{ \
		return fails(kind, number) ? (failed) : __real_##name passed; \
	}

WRAP(void *, malloc, (size_t n), (n), "malloc", ENOMEM, NULL)
WRAP(void *, calloc, (size_t n, size_t m), (n, m), "malloc", ENOMEM, NULL)
WRAP(void *, realloc, (void *p, size_t n), (p, n), "malloc", ENOMEM, NULL)
WRAP(void *, reallocarray, (void *p, size_t n, size_t m), (p, n, m), "malloc",
     ENOMEM, NULL)
WRAP(char *, strdup, (const char *s), (s), "malloc", ENOMEM, NULL)
WRAP(char *, strndup, (const char *s, size_t n), (s, n), "malloc", ENOMEM, NULL)
WRAP(FILE *, open_memstream, (char **p, size_t *n), (p, n), "malloc", ENOMEM,
     NULL)
WRAP(int, vasprintf, (char **p, const char *f, va_list a), (p, f, a), "malloc",
     ENOMEM, -1)
WRAP(FILE *, fopen64, (const char *p, const char *m), (p, m), "open", EMFILE,
     NULL)
WRAP(FILE *, fdopen, (int fd, const char *m), (fd, m), "open", ENOMEM, NULL)
WRAP(char *, mkdtemp, (char *p), (p), "open", ENOSPC, NULL)
WRAP(int, mkostemp64, (char *p, int f), (p, f), "open", ENOSPC, -1)
WRAP(int, pipe2, (int *p, int f), (p, f), "open", EMFILE, -1)
WRAP(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), "write",
     ENOSPC, -1)
/* What stdio writes, fflush and fclose write. */
WRAP(int, fflush, (FILE *f), (f), "write", ENOSPC,
     (f ? f->_flags |= _IO_ERR_SEEN : 0, EOF))
WRAP(int, fclose, (FILE *f), (f), "write", ENOSPC, (__real_fclose(f), EOF))
WRAP(int, fsync, (int fd), (fd), "fsync", EIO, -1)
WRAP(int, fdatasync, (int fd), (fd), "fsync", EIO, -1)
WRAP(int, rename, (const char *a, const char *b), (a, b), "rename", EIO, -1)
WRAP(int, linkat, (int d, const char *a, int e, const char *b, int f),
     (d, a, e, b, f), "rename", EIO, -1)
WRAP(void *, mmap64, (void *p, size_t n, int a, int b, int fd, off_t o),
     (p, n, a, b, fd, o), "mmap", ENOMEM, MAP_FAILED)

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (flags & (O_CREAT | O_TMPFILE)) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	return fails("open", EMFILE) ? -1 : __real_open64(path, flags, mode);
}
