/* SPDX-License-Identifier: MIT */
/*
 * Instructions of any bytes, as the QEMU plugin decodes them: nothing behind
 * them is read, and what is said of them has a meaning.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/decode/decode.h"
#include "plugin/decode/x86-edges.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void need(bool true_or_bug)
{
	if (!true_or_bug)
		abort();
}

static void check(const struct decoded *d)
{
	need(d->flow < FLOWS);
	need(d->unseen >= -1 && d->unseen < TALLY_UNSEENS);
	need(d->widest <= 256);
	need(d->zeroes <= 32 && (!d->zeroes || d->unseen >= 0));
}

/* In memory of its own, so that a look behind it is seen. */
static void decode(const uint8_t *data, size_t bytes)
{
	unsigned char *copy = malloc(bytes ? bytes : 1);
	struct decoded d;

	need(copy);
	memcpy(copy, data, bytes);
	d = decode_x86_64(copy, bytes);
	check(&d);
	d = decode_aarch64(copy, bytes);
	check(&d);
	need(!x86_is_cut(copy, bytes) || !x86_stores(copy, bytes));
	free(copy);
}

/* As long as instructions are, from every place. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	for (size_t at = 0; at < bytes; at++)
		for (size_t n = 0; n <= 15 && at + n <= bytes; n++)
			decode(data + at, n);
	return 0;
}
