/* SPDX-License-Identifier: MIT */
/* Looks up random keys in a B-tree of nodes with 15 keys. */
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 15, DEPTH = 3 };	/* levels of inner nodes above the leaves */

struct node {
	unsigned key[KEYS];
	struct node *child[KEYS + 1];
};

/* The keys from..from + 16^(depth + 1) - 2, every one once. */
static struct node *build(unsigned from, int depth)
{
	struct node *n = calloc(1, sizeof(*n));
	unsigned step = 1;

	if (!n)
		abort();
	for (int i = 0; i < depth; i++)
		step *= KEYS + 1;
	for (int i = 0; i < KEYS; i++)
		n->key[i] = from + (i + 1) * step - 1;
	for (int i = 0; depth && i <= KEYS; i++)
		n->child[i] = build(from + i * step, depth - 1);
	return n;
}

static int find(const struct node *n, unsigned wanted)
{
	while (n) {
		int i = 0;

		while (i < KEYS && n->key[i] < wanted)
			i++;
		if (i < KEYS && n->key[i] == wanted)
			return 1;
		n = n->child[i];
	}
	return 0;
}

int main(void)
{
	const struct node *root = build(0, DEPTH);
	unsigned x = 1;
	int found = 0;

	for (int i = 0; i < 50000; i++) {
		x = x * 1664525u + 1013904223u;
		found += find(root, x >> 16);
	}
	printf("%d\n", found);
	return 0;
}
