/* SPDX-License-Identifier: MIT */
/* Streams of accesses as a program: bench-streams NAME [short]. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/unit/draw.h"

#define LINE 64u

static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
static int shorter = 1;		/* fewer accesses, by this factor */

static uint64_t draw(void)
{
	return draw_next(&seed) >> 11;
}

/* c[i][j] = sum of a[i][k] * b[k][j] */
static uint64_t matmul(void)
{
	enum { N = 300 };
	static double a[N][N], b[N][N], c[N][N];

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	for (int i = 0; i < N / shorter; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
	return (uint64_t)c[0][N / 3];
}

static uint64_t chase(void)
{
	const uint32_t lines = (4u << 20) / LINE, wide = LINE / sizeof(void *);
	void **memory = aligned_alloc(LINE, (size_t)lines * LINE);
	uint32_t *order = malloc(lines * sizeof(*order));
	void **at = memory;

	if (!memory || !order)
		return 0;
	for (uint32_t i = 0; i < lines; i++)
		order[i] = i;
	for (uint32_t i = lines - 1; i; i--) {
		const uint32_t j = (uint32_t)(draw() % i), line = order[i];

		order[i] = order[j];
		order[j] = line;
	}
	for (uint32_t i = 0; i < lines; i++)
		memory[(size_t)order[i] * wide] =
			&memory[(size_t)order[(i + 1) % lines] * wide];
	for (int i = 0; i < 20000000 / shorter; i++)
		at = *at;
	return (uintptr_t)at;
}

/* Rank by u^8, anywhere in 32 MiB; a quarter are stores. */
static uint64_t zipf(void)
{
	const uint32_t lines = (32u << 20) / LINE;
	volatile unsigned char *memory = calloc(lines, LINE);
	uint64_t sum = 0;

	for (int i = 0; memory && i < 10000000 / shorter; i++) {
		const uint64_t u = draw() & 0xffff, u2 = u * u >> 16;
		const uint64_t u4 = u2 * u2 >> 16, u8 = u4 * u4 >> 16;
		const uint64_t rank = u8 * lines >> 16;
		const uint64_t at = rank * 0x9e3779b1u % lines * LINE;

		if (i & 3)
			sum += memory[at];
		else
			memory[at] = 1;
	}
	return sum;
}

static const struct {
	const char *name;
	uint64_t (*run)(void);
} streams[] = {
	{ "matmul", matmul }, { "chase", chase }, { "zipf", zipf },
};

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[2], "short") == 0)
		shorter = 20;
	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++)
		if (argc > 1 && strcmp(argv[1], streams[i].name) == 0)
			return printf("%llu\n", (unsigned long long)
				      streams[i].run()) < 0;
	return 2;
}
