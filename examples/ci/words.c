/* SPDX-License-Identifier: MIT */
/* Counts words in a table with chains, so that there is something to gate. */
#include <stdio.h>
#include <stdlib.h>

enum { BUCKETS = 1 << 10 };

struct word {
	struct word *next;
	unsigned long hash;
	long count;
};

static struct word *bucket[BUCKETS];

static struct word *find(unsigned long hash)
{
	struct word *w;

	for (w = bucket[hash % BUCKETS]; w; w = w->next)
		if (w->hash == hash)
			return w;
	w = calloc(1, sizeof(*w));
	if (!w)
		exit(1);
	w->hash = hash;
	w->next = bucket[hash % BUCKETS];
	bucket[hash % BUCKETS] = w;
	return w;
}

int main(int argc, char **argv)
{
	const long words = argc > 1 ? atol(argv[1]) : 20000;
	unsigned long hash = 1;
	long most = 0;

	for (long i = 0; i < words; i++) {
		struct word *w;

		hash = hash * 6364136223846793005 + 1442695040888963407;
		w = find(hash >> 52);
		if (++w->count > most)
			most = w->count;
	}
	printf("%ld\n", most);
	return 0;
}
