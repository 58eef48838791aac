/* SPDX-License-Identifier: MIT */
/*
 * Transposes a matrix of N x N doubles. -DN=512: a column's elements are 4096
 * bytes apart, so that all of them are in one set of a cache with 64 sets.
 * -DN=513: they are in many sets. -DBLOCK=8: block by block, each of whose
 * lines is used up before it leaves.
 */
#include <stdio.h>

#ifndef N
#define N 512
#endif
#ifndef BLOCK
#define BLOCK N
#endif

static double from[N][N], to[N][N];

static void copy_block(int i0, int j0)
{
	for (int i = i0; i < i0 + BLOCK && i < N; i++)
		for (int j = j0; j < j0 + BLOCK && j < N; j++)
			to[j][i] = from[i][j];
}

static void transpose(void)
{
	for (int i = 0; i < N; i += BLOCK)
		for (int j = 0; j < N; j += BLOCK)
			copy_block(i, j);
}

int main(void)
{
	from[1][2] = 3;
	transpose();
	printf("%g\n", to[2][1]);
	return 0;
}
