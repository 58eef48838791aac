/* SPDX-License-Identifier: MIT */
/*
 * Code for x86-64 that is written again and again, in the same place: other
 * functions of one length, that access something else; or each argument's
 * file is mapped there, by turns. "apart": in a place of its own each time;
 * "replaced" NEW OLD: from a file, and from what is put in its place.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 2001, PLACES = 5000, BYTES = 6 };

typedef long function(long *a, long *b);

static const char codes[][BYTES] = {
	"\x48\x8b\x47\x40\xc3",		/* mov 64(%rdi), %rax; ret */
	"\x48\x89\x47\x40\xc3",		/* mov %rax, 64(%rdi) */
	"\x48\x8b\x46\x40\xc3",		/* mov 64(%rsi), %rax */
	"\x48\x8b\x47\x7f\xc3",		/* mov 127(%rdi), %rax */
	"\x48\x8d\x47\x40\xc3",		/* lea 64(%rdi), %rax */
	"\x0f\x18\x4f\x40\xc3",		/* prefetcht0 64(%rdi) */
};

static long block[2][4096];

static int map(const char *path, void *code, int unmap)
{
	int file = open(path, O_RDONLY);

	if (unmap)
		munmap(code, 4096);
	code = mmap(code, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		    file, 0);
	close(file);
	return code == MAP_FAILED;
}

/* No two places are beside each other. */
static int write_apart(void)
{
	char *code = (char *)0x500000000000;

	for (unsigned i = 0; i < PLACES; i++, code += 8192) {
		if (mmap(code, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
		    code)
			return 1;
		memcpy(code, codes[0], BYTES);
		((function *)code)(block[0], block[1]);
		munmap(code, 4096);
	}
	return 0;
}

static int replace(char **file, void *code)
{
	if (map(file[1], code, 0))
		return 1;
	((function *)code)(block[0], block[1]);
	if (rename(file[0], file[1]) || map(file[1], code, 1))
		return 1;
	((function *)code)(block[0], block[1]);
	return 0;
}

int main(int argc, char **argv)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	function *written = (function *)code;

	if (code == MAP_FAILED)
		return 1;
	if (argc > 1 && strcmp(argv[1], "apart") == 0)
		return write_apart();
	if (argc > 3 && strcmp(argv[1], "replaced") == 0)
		return replace(argv + 2, code);
	for (unsigned i = 0; i < ROUNDS; i++) {
		if (argc == 1)
			memcpy(code, codes[i * 5 / 3 % 6], BYTES);
		else if (map(argv[1 + i % (argc - 1)], code, i % 2))
			return 1;
		written(block[0] + i % 64 * 8, block[1] + i % 50 * 8);
	}
	return 0;
}
