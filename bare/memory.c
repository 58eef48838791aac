/* SPDX-License-Identifier: MIT */
/*
 * The memory functions to which a compiler may add calls by itself, for the
 * image, which has no C library. The pragma keeps the compiler from turning
 * their loops into calls of these functions.
 */
#include <stddef.h>

#pragma GCC optimize("no-tree-loop-distribute-patterns")

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	for (size_t i = 0; i < bytes; i++)
		t[i] = f[i];
	return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (t <= f)
		for (size_t i = 0; i < bytes; i++)
			t[i] = f[i];
	else
		for (size_t i = bytes; i--;)
			t[i] = f[i];
	return to;
}

void *memset(void *to, int value, size_t bytes)
{
	unsigned char *t = to;

	for (size_t i = 0; i < bytes; i++)
		t[i] = (unsigned char)value;
	return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < bytes; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}
