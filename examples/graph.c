/* SPDX-License-Identifier: MIT */
/* Breadth first through a random graph: 1 << 17 vertices with 4 edges each. */
#include <stdio.h>

enum { VERTICES = 1 << 17, EDGES = 4 };

static int edge[VERTICES][EDGES], queue[VERTICES];
static int seen[VERTICES];

static int walk(void)
{
	int first = 0, last = 1;

	seen[0] = 1;
	while (first < last) {
		const int *to = edge[queue[first++]];

		for (int i = 0; i < EDGES; i++) {
			if (seen[to[i]])
				continue;
			seen[to[i]] = 1;
			queue[last++] = to[i];
		}
	}
	return last;
}

int main(void)
{
	unsigned x = 1;

	for (int v = 0; v < VERTICES; v++)
		for (int i = 0; i < EDGES; i++) {
			x = x * 1664525u + 1013904223u;
			edge[v][i] = (int)(x >> 15);
		}
	printf("%d\n", walk());
	return 0;
}
