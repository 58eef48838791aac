/* SPDX-License-Identifier: MIT */
/* A library that parts.c loads while it runs. */
static volatile char line[1 << 16][64];
static volatile int sink;

void far_walk(int n);
__attribute__((noinline)) void far_walk(int n)
{
	for (int i = 0; i < n; i++)
		sink = line[i][0];
}
