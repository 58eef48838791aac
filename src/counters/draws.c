/* SPDX-License-Identifier: MIT */
/* Batch means over passes, and the spread of replicas. */
#include "counters/draws.h"

#include <math.h>
#include <string.h>

bool draws_possible(const struct geometry *g)
{
	const struct cache_geometry *const caches[] = {
		&g->l1d, &g->l1i, &g->l2, &g->l3
	};
	const struct tlb_geometry *const tlbs[] = {
		&g->dtlb, &g->itlb, &g->l2tlb, &g->l2itlb, &g->store_dtlb
	};
	bool random = false;

	for (int i = 0; i < 4; i++)
		random |= caches[i]->present &&
			  caches[i]->policy == REPLACE_RANDOM;
	for (size_t i = 0; i < sizeof(tlbs) / sizeof(*tlbs); i++)
		random |= tlbs[i]->present &&
			  tlbs[i]->policy == REPLACE_RANDOM;
	return random;
}

void draws_start(struct draws *d, const uint64_t *now)
{
	d->periodic = true;
	d->forwarded = false;
	d->expected = 0;
	d->passes = 0;
	d->left_out = 0;
	d->length = 1;
	d->batches = 0;
	memcpy(d->from, now, sizeof(d->from));
}

/* All batches are full: every two become one. */
static void merge(struct draws *d)
{
	d->batches = DRAWS_BATCHES / 2;
	d->length *= 2;
	for (unsigned b = 0; b < d->batches; b++)
		for (int i = 0; i < SIGNALS; i++)
			d->batch[b][i] = d->batch[2 * b][i] +
					 d->batch[2 * b + 1][i];
}

static void close_batch(struct draws *d, const uint64_t *now)
{
	if (d->batches == DRAWS_BATCHES)
		merge(d);
	/* after merge() the open batch may be half full */
	if ((d->passes - DRAWS_SETTLE) % d->length)
		return;
	for (int i = 0; i < SIGNALS; i++)
		d->batch[d->batches][i] = now[i] - d->from[i];
	d->batches++;
	memcpy(d->from, now, sizeof(d->from));
}

uint64_t draws_pass(struct draws *d, const uint64_t *now, uint64_t left,
		    uint64_t forwarded)
{
	if (d->passes && left != d->expected)
		d->periodic = false;
	d->passes++;
	left -= forwarded;
	d->forwarded |= forwarded;
	d->expected = left ? left - 1 : 0;
	if (!d->periodic || d->forwarded || d->left_out)
		return 0;
	if (d->passes <= DRAWS_SETTLE) {
		memcpy(d->from, now, sizeof(d->from));
		return 0;
	}
	if ((d->passes - DRAWS_SETTLE) % d->length == 0)
		close_batch(d, now);
	/* only full batches: signals that repeat within one stay exact */
	if (!d->extrapolate || d->passes < DRAWS_PASSES || left % d->length)
		return 0;
	d->left_out += left;
	d->expected = 0;
	return left;
}

/* Does a signal differ from batch to batch? */
static bool varies(const struct draws *d, int signal)
{
	for (unsigned b = 1; b < d->batches; b++)
		if (d->batch[b][signal] != d->batch[0][signal])
			return true;
	return false;
}

/*
 * A signal that varies becomes the mean of the batches times the number of
 * passes. A signal that does not vary grows by the passes left out.
 */
void draws_complete(const struct draws *d, uint64_t *counted)
{
	const uint64_t batched = draws_batched(d);

	for (int i = 0; d->left_out && i < SIGNALS; i++) {
		const long double mean = (long double)draws_sum(d, i) /
					 batched;

		if (varies(d, i))
			counted[i] = (uint64_t)(mean * draws_all(d) + 0.5L);
		else
			counted[i] += (uint64_t)(mean * d->left_out + 0.5L);
	}
}

uint64_t draws_all(const struct draws *d)
{
	return d->passes + d->left_out;
}

uint64_t draws_batched(const struct draws *d)
{
	return d->batches * d->length;
}

uint64_t draws_sum(const struct draws *d, int signal)
{
	uint64_t sum = 0;

	for (unsigned b = 0; b < d->batches; b++)
		sum += d->batch[b][signal];
	return sum;
}

/*
 * The count of one batch. Signals before served_l1 follow from the stream
 * alone, so they are those of the first batch: the last pass of a run has one
 * branch less, which is no effect of random replacement.
 */
static double batch_value(const struct draws *d, unsigned batch,
			  double (*count)(const void *ctx,
					  const uint64_t *signal),
			  const void *ctx)
{
	uint64_t signal[SIGNALS];

	memcpy(signal, d->batch[batch], sizeof(signal));
	if (!d->left_out)
		memcpy(signal, d->batch[0], SIGNAL_served_l1 * sizeof(*signal));
	return count(ctx, signal);
}

double draws_error(const struct draws *d,
		   double (*count)(const void *ctx, const uint64_t *signal),
		   const void *ctx)
{
	const double n = d->batches;
	double mean = 0, squares = 0;

	if (d->undrawn && !d->left_out)
		return 0;
	if (!d->periodic)
		return -1;
	if (d->forwarded)
		return 0;
	if (d->batches < DRAWS_BATCHES / 2)
		return -1;
	for (unsigned b = 0; b < d->batches; b++)
		mean += batch_value(d, b, count, ctx);
	mean /= n;	/* exact where all batches are equal */
	for (unsigned b = 0; b < d->batches; b++)
		squares += pow(batch_value(d, b, count, ctx) - mean, 2);
	return sqrt(squares / (n - 1) / n) / (double)d->length *
	       (double)draws_all(d);
}

double draws_spread(const uint64_t *const *signal, unsigned n,
		    double (*count)(const void *ctx, const uint64_t *signal),
		    const void *ctx)
{
	double mean = 0, squares = 0;

	for (unsigned i = 0; i < n; i++)
		mean += count(ctx, signal[i]) / n;
	for (unsigned i = 0; i < n; i++)
		squares += pow(count(ctx, signal[i]) - mean, 2);
	/* if all counts are equal, only rounding is left */
	return squares > 1e-9 ? sqrt(squares / (n - 1)) : 0;
}
