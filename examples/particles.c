/* SPDX-License-Identifier: MIT */
/*
 * Moves particles along x: an array of structures, of whose 64 bytes 16 are
 * used; -DSOA: a structure of arrays.
 */
#include <stdio.h>

enum { PARTICLES = 1 << 15, ROUNDS = 10 };

#ifdef SOA
static struct {
	double x[PARTICLES], vx[PARTICLES], rest[6][PARTICLES];
} particles;
#define OF(i, what) particles.what[i]
#else
static struct {
	double x, vx, rest[6];
} particles[PARTICLES];
#define OF(i, what) particles[i].what
#endif

static void move(void)
{
	for (int i = 0; i < PARTICLES; i++)
		OF(i, x) += OF(i, vx);
}

int main(void)
{
	OF(3, vx) = 1;
	for (int i = 0; i < ROUNDS; i++)
		move();
	printf("%g\n", OF(3, x));
	return 0;
}
