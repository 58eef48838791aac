/* SPDX-License-Identifier: MIT */
/*
 * Shares of levels from the times of single accesses, in the order of the code:
 * gates, expectation maximisation, histograms, the border to memory, bars. See
 * mixture.h.
 */
#include "analysis/latency/mixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/latency/series.h"
#include "assay/error.h"

#define ROUNDS 200	/* of expectation maximisation */
#define DRAWS 100	/* of the bootstrap */
#define OTHER_NS 1000	/* an access of this time was interrupted */
#define QUIET_NS 3	/* largest p90 - p10 of a quiet gate */
#define ALIKE_NS 1	/* largest difference of quiet gates */
#define LEAST_BLOCKS 24
#define LEAST_LEVEL 500	/* calibration accesses of a level, at least */
#define FLOOR 0.008	/* half the length of the shortest bar */
#define OUTLIER 0.04	/* share of L3 hits that may differ from calibration:
			 * evicted by other tenants, or prefetched */
#define STEP 0.0075	/* share of the counter's step by which L1 and L2 times
			 * may be off against the gates */
#define BETWEEN 0.02	/* largest share between L2 and memory without an L3 */
#define STRETCHES 24
#define NO_BIN UINT16_MAX

/* The mean without the slowest eighth, so that an interrupt does not count. */
static double walk_mean(const uint32_t *ticks, double *p10, double *p90)
{
	double v[MIX_GATE], sum = 0;
	const size_t kept = MIX_GATE - MIX_GATE / 8;

	for (size_t i = 0; i < MIX_GATE; i++)
		v[i] = ticks[i];
	*p10 = series_quantile(v, MIX_GATE, 0.1);
	*p90 = series_quantile(v, MIX_GATE, 0.9);
	for (size_t i = 0; i < kept; i++)
		sum += v[i];
	return sum / (double)kept;
}

double mix_middle(const struct mix_source *source, size_t sources)
{
	size_t n = 0, room = 0;
	double *mean, middle = 0, unused;

	for (size_t s = 0; s < sources; s++)
		room += source[s].blocks;
	mean = malloc((room + 1) * sizeof(*mean));
	if (!mean)
		return 0;
	for (size_t s = 0; s < sources; s++)
		for (size_t i = 0; i < source[s].blocks; i++)
			mean[n++] = walk_mean(source[s].block[i].before,
					      &unused, &unused);
	if (n)
		middle = series_quantile(mean, n, 0.4);
	free(mean);
	return middle;
}

/* A coarse counter's step widens a gate's times, and less so their mean. */
bool mix_quiet(const struct mix_block *b, double middle, unsigned granule,
	       double ticks_per_ns)
{
	const double step = granule / sqrt(MIX_GATE);
	const double spread = QUIET_NS * ticks_per_ns + granule;
	const double alike = ALIKE_NS * ticks_per_ns + step;
	double p10, p90, before, after;

	before = walk_mean(b->before, &p10, &p90);
	if (p90 - p10 > spread)
		return false;
	after = walk_mean(b->after, &p10, &p90);
	if (p90 - p10 > spread)
		return false;
	return fabs(before - after) <= alike &&
	       fabs((before + after) / 2 - middle) <= alike;
}

void mix_weights(const double *h, double (*template)[MIX_BINS],
		 const bool *present, size_t bins, double *weight)
{
	double sum = 0, start = 0;

	for (size_t x = 0; x < bins; x++)
		sum += h[x];
	for (int k = 0; k < MIX_LEVELS; k++)
		start += present[k];
	for (int k = 0; k < MIX_LEVELS; k++)
		weight[k] = present[k] ? 1 / start : 0;
	for (int round = 0; round < ROUNDS && sum > 0; round++) {
		double next[MIX_LEVELS] = { 0 };

		for (size_t x = 0; x < bins; x++) {
			double all = 0;

			if (!(h[x] > 0))
				continue;
			for (int k = 0; k < MIX_LEVELS; k++)
				all += weight[k] * template[k][x];
			for (int k = 0; k < MIX_LEVELS && all > 0; k++)
				next[k] += h[x] * weight[k] * template[k][x] /
					   all;
		}
		for (int k = 0; k < MIX_LEVELS; k++)
			weight[k] = next[k] / sum;
	}
}

/* ---- bins --------------------------------------------------------------- */

/* Blocks with quiet gates that stand close in time. */
struct stretch {
	double h[MIX_LEVELS][MIX_BINS];	/* histogram by level; the program's
					 * accesses are all in the first */
	double gates;			/* sum of the gates' means */
	size_t blocks;
};

struct binned {
	struct stretch *stretch;
	unsigned pick[STRETCHES];	/* those in use; may repeat */
	unsigned stretches;
	size_t blocks, other;		/* accesses that were interrupted */
};

struct solver {
	const struct mix_input *input;
	struct binned mixture, calibration;
	double middle;		/* usual mean of gates */
	double width;		/* ticks of a bin */
	double far;		/* ticks from which an access is memory's */
	bool lost;		/* the L3 cannot be told from memory */
	bool present[MIX_LEVELS];
	uint64_t seed;
};

static uint64_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return *state >> 33;
}

/*
 * The ticks to subtract from a block's times: its gates' difference from the
 * usual mean, since a change of clock moves all levels' times alike. 0 for a
 * coarse counter, where that difference is noise.
 */
static double shift_of(const struct solver *s, const struct mix_block *b)
{
	double unused, mean;

	if (s->input->granule > 4)
		return 0;
	mean = (walk_mean(b->before, &unused, &unused) +
		walk_mean(b->after, &unused, &unused)) / 2;
	return mean - s->middle;
}

/* Times of memory vary widely, so memory has a single bin. */
static uint16_t bin_of(const struct solver *s, double ticks)
{
	const double bin = ticks / s->width;

	if (ticks >= OTHER_NS * s->input->ticks_per_ns)
		return NO_BIN;
	if (ticks >= s->far || bin >= MIX_BINS - 1)
		return MIX_BINS - 1;
	return bin < 0 ? 0 : (uint16_t)bin;
}

/* The mean of both gates without interrupted accesses. */
static double gate_mean(const struct solver *s, const struct mix_block *b)
{
	const double most = s->middle + 3 * s->input->granule;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < 2 * MIX_GATE; i++) {
		const double v = i < MIX_GATE ? b->before[i] :
						b->after[i - MIX_GATE];

		sum += v <= most ? v : 0;
		n += v <= most;
	}
	return n ? sum / (double)n : s->middle;
}

static void bin_block(const struct solver *s, const struct mix_block *b,
		      bool known, struct binned *out, struct stretch *to)
{
	const double shift = shift_of(s, b);

	for (size_t k = 0; k < MIX_BLOCK; k++) {
		const uint16_t bin = bin_of(s, b->ticks[k] - shift +
					       s->width / 2);

		if (bin == NO_BIN)
			out->other++;
		else
			to->h[known ? b->level[k] : 0][bin]++;
	}
	to->gates += gate_mean(s, b);
	to->blocks++;
	out->blocks++;
}

static int bin_source(struct solver *s, const struct mix_source *source,
		      bool known, struct binned *out)
{
	const size_t blocks = source->blocks;

	out->stretches = blocks < STRETCHES ? (unsigned)blocks : STRETCHES;
	out->stretch = calloc(out->stretches + 1, sizeof(*out->stretch));
	if (!out->stretch)
		return -ASSAY_ENOMEM;
	for (unsigned i = 0; i < out->stretches; i++)
		out->pick[i] = i;
	for (size_t i = 0; i < blocks; i++)
		if (mix_quiet(&source->block[i], s->middle, s->input->granule,
			      s->input->ticks_per_ns))
			bin_block(s, &source->block[i], known, out,
				  &out->stretch[i * out->stretches / blocks]);
	return 0;
}

/* ---- histograms --------------------------------------------------------- */

/*
 * Draws as many stretches as there are, with replacement; stretches and not
 * blocks, because blocks that stand close in time are disturbed alike.
 */
static void pick_stretches(struct binned *b, uint64_t *seed)
{
	for (unsigned i = 0; i < b->stretches; i++)
		b->pick[i] = (unsigned)(draw(seed) % b->stretches);
}

static void histogram(const struct binned *b, int level, double *h)
{
	memset(h, 0, MIX_BINS * sizeof(*h));
	for (unsigned i = 0; i < b->stretches; i++)
		for (int x = 0; x < MIX_BINS; x++)
			h[x] += b->stretch[b->pick[i]].h[level][x];
}

static double mean_gate(const struct binned *b)
{
	double sum = 0;
	size_t blocks = 0;

	for (unsigned i = 0; i < b->stretches; i++) {
		sum += b->stretch[b->pick[i]].gates;
		blocks += b->stretch[b->pick[i]].blocks;
	}
	return blocks ? sum / (double)blocks : 0;
}

/*
 * Moves a distribution by at most one bin. A counter with a random phase shows
 * a time between two of its steps as a mixture of both steps.
 */
static void move(double *h, double bins)
{
	const double part = fmin(fabs(bins), 1);
	double old[MIX_BINS];

	memcpy(old, h, sizeof(old));
	for (int x = 0; x < MIX_BINS - 1; x++) {
		const int from = bins > 0 ? x - 1 : x + 1;

		h[x] = (1 - part) * old[x];
		if (from >= 0 && from < MIX_BINS - 1)
			h[x] += part * old[from];
	}
}

/*
 * A level's distribution from its calibration histogram. Memory keeps its bin
 * only; a cache loses that bin, since an evicted line was no hit. Smoothed for
 * fine counters.
 */
static void make_template(const struct solver *s, int level, double *h)
{
	double smooth[MIX_BINS], sum = 0;

	if (level == MIX_DRAM)
		memset(h, 0, (MIX_BINS - 1) * sizeof(*h));
	else
		h[MIX_BINS - 1] = 0;
	for (int x = 0; x < MIX_BINS; x++) {
		smooth[x] = h[x];
		if (s->input->granule <= 4 && x && x < MIX_BINS - 2)
			smooth[x] = h[x - 1] / 4 + h[x] / 2 + h[x + 1] / 4;
		sum += smooth[x];
	}
	for (int x = 0; x < MIX_BINS; x++)
		h[x] = sum > 0 ? smooth[x] / sum : 0;
	/* no bin is impossible, so that times that calibration never showed
	 * still count */
	for (int x = 0; x < MIX_BINS - 1 && level != MIX_DRAM; x++)
		h[x] = h[x] * (1 - 1e-4) + 1e-4 / (MIX_BINS - 1);
}

/*
 * How many ticks the program's gates, and so its accesses, are slower than
 * those of calibration. 0 for a fine counter, where shift_of() moved each
 * block.
 */
static double later(const struct solver *s)
{
	return s->input->granule > 4 ? mean_gate(&s->mixture) -
				       mean_gate(&s->calibration) : 0;
}

static void weigh(struct solver *s, double *weight)
{
	double h[MIX_BINS], template[MIX_LEVELS][MIX_BINS];
	const double moved = later(s) / s->width;

	for (int k = 0; k < MIX_LEVELS; k++) {
		histogram(&s->calibration, k, template[k]);
		make_template(s, k, template[k]);
		move(template[k], moved);
	}
	histogram(&s->mixture, 0, h);
	mix_weights(h, template, s->present, MIX_BINS, weight);
}

/* ---- the border to memory ----------------------------------------------- */

/*
 * The ticks of a level's calibration accesses in quiet blocks, for free().
 * NULL: no memory.
 */
static double *quiet_ticks(const struct solver *s, int level, size_t *n)
{
	const struct mix_source *known = &s->input->calibration;
	double *v = malloc((known->blocks * MIX_BLOCK + 1) * sizeof(*v));

	*n = 0;
	for (size_t i = 0; v && i < known->blocks; i++) {
		const struct mix_block *b = &known->block[i];

		if (!mix_quiet(b, s->middle, s->input->granule,
			       s->input->ticks_per_ns))
			continue;
		for (size_t k = 0; k < MIX_BLOCK; k++)
			if (b->level[k] == level)
				v[(*n)++] = b->ticks[k];
	}
	return v;
}

/*
 * Sets s->far halfway between the last cache's median time and memory's p20, so
 * that a cache hit behind a page walk is still below. Times of the last cache
 * near memory's are evicted lines and do not count.
 */
static int find_far(struct solver *s, int last)
{
	double near = 0, dram = 0, *v;
	size_t n, below = 0;

	v = quiet_ticks(s, MIX_DRAM, &n);
	if (!v)
		return -ASSAY_ENOMEM;
	if (n)
		dram = series_quantile(v, n, 0.2) - s->middle;
	free(v);
	v = quiet_ticks(s, last, &n);
	if (!v)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (v[i] - s->middle < 0.75 * dram)
			v[below++] = v[i];
	if (below)
		near = fmax(series_quantile(v, below, 0.5) - s->middle,
			    s->input->granule);
	free(v);
	/* too few L3 hits: the L3 cannot be told from memory */
	if (last == MIX_L3 && below < n / 4) {
		s->present[MIX_L3] = false;
		s->lost = true;
		return find_far(s, s->present[MIX_L2] ? MIX_L2 : MIX_L1);
	}
	s->far = s->middle + (near + dram) / 2;
	if (s->lost)	/* L3 hits must not pass for memory */
		s->far = s->middle + 0.6 * dram;
	return 0;
}

/* The mean ticks of a level's calibration accesses, without evicted lines. */
static double mean_quiet(const struct solver *s, int level)
{
	const double other = OTHER_NS * s->input->ticks_per_ns;
	double sum = 0, *v;
	size_t n, kept = 0;

	v = quiet_ticks(s, level, &n);
	for (size_t i = 0; v && i < n; i++) {
		if (v[i] >= other || (level != MIX_DRAM && v[i] >= s->far))
			continue;
		sum += v[i];
		kept++;
	}
	free(v);
	return kept ? sum / (double)kept : 0;
}

/* The mean ticks of the program's accesses to memory; 0: there are none. */
static double mean_far(const struct solver *s)
{
	const struct mix_source *mixture = &s->input->mixture;
	const double other = OTHER_NS * s->input->ticks_per_ns;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < mixture->blocks; i++) {
		const struct mix_block *b = &mixture->block[i];

		if (!mix_quiet(b, s->middle, s->input->granule,
			       s->input->ticks_per_ns))
			continue;
		for (size_t k = 0; k < MIX_BLOCK; k++)
			if (b->ticks[k] >= s->far && b->ticks[k] < other) {
				sum += b->ticks[k];
				n++;
			}
	}
	return n ? sum / (double)n : 0;
}

/* ---- shares and bars ---------------------------------------------------- */

static void see_levels(struct solver *s)
{
	const struct mix_source *known = &s->input->calibration;

	for (size_t i = 0; i < known->blocks; i++)
		for (size_t k = 0; k < MIX_BLOCK; k++)
			s->present[known->block[i].level[k]] = true;
}

static int prepare(struct solver *s)
{
	const struct mix_input *in = s->input;
	int rc;

	s->middle = mix_middle(&in->mixture, 1);
	s->width = in->granule > 2 ? in->granule : 2;
	see_levels(s);
	rc = find_far(s, s->present[MIX_L3] ? MIX_L3 : MIX_L2);
	if (rc == 0)
		rc = bin_source(s, &in->calibration, true, &s->calibration);
	if (rc == 0)
		rc = bin_source(s, &in->mixture, false, &s->mixture);
	return rc;
}

/* The share of a histogram at and beyond a bin. */
static double beyond(const double *h, int bin)
{
	double sum = 0, far = 0;

	for (int x = 0; x < MIX_BINS; x++) {
		sum += h[x];
		far += x >= bin && x < MIX_BINS - 1 ? h[x] : 0;
	}
	return sum > 0 ? far / sum : 0;
}

/*
 * The share of the program's accesses between the L2's p90 and memory, less the
 * same share of calibration's L2 accesses. Without a distribution of the L3,
 * these accesses would be counted as L2 or memory.
 */
static double between(const struct solver *s)
{
	double h[MIX_BINS], level[MIX_BINS];
	int bin = 0;

	histogram(&s->mixture, 0, h);
	histogram(&s->calibration, MIX_L2, level);
	while (bin < MIX_BINS - 1 && beyond(level, bin) > 0.1)
		bin++;
	return beyond(h, bin) - beyond(level, bin);
}

static double accesses_of(const struct solver *s, int level)
{
	double h[MIX_BINS], n = 0;

	histogram(&s->calibration, level, h);
	for (int x = 0; x < MIX_BINS; x++)
		n += h[x];
	return n;
}

static const char *refuse(const struct solver *s)
{
	if (s->lost && s->present[MIX_L2] && s->mixture.blocks &&
	    between(s) > BETWEEN)
		return "cannot tell here: other tenants leave too little of "
		       "the L3 to know its time by";
	if (s->mixture.blocks < LEAST_BLOCKS ||
	    s->mixture.blocks * 50 < s->input->mixture.blocks)
		return "cannot tell here: too few blocks were quiet";
	for (int k = 0; k < MIX_LEVELS; k++)
		if (s->present[k] && accesses_of(s, k) < LEAST_LEVEL)
			return "cannot tell here: a level's own times could "
			       "not be seen undisturbed";
	if (!s->present[MIX_L1] || !s->present[MIX_DRAM])
		return "cannot tell here: no L1 or no memory to compare with";
	return NULL;
}

/*
 * The share that an unseen shift of times would move from L1 to L2 or back. The
 * shift is a small part of the counter's step (a larger part if the step is
 * many times the difference between L1 and L2), plus all that the gates of
 * program and calibration differ by beyond twice that.
 */
static double blur(const struct solver *s, const struct mix_result *out)
{
	const double apart = fmax(out->excess[MIX_L2], 1);
	const double coarse = fmax(s->input->granule / (4 * apart), 1);
	const double step = STEP * s->input->granule * coarse;
	const double more = fmax(fabs(later(s)) - 2 * step, 0);

	return s->present[MIX_L2] ? (step + more) / apart : 0;
}

static void find_bars(struct solver *s, struct mix_result *out)
{
	const double outliers = OUTLIER * out->share[MIX_L3];
	const double near = blur(s, out);
	double drawn[MIX_LEVELS][DRAWS], weight[MIX_LEVELS];

	for (int i = 0; i < DRAWS; i++) {
		pick_stretches(&s->calibration, &s->seed);
		pick_stretches(&s->mixture, &s->seed);
		weigh(s, weight);
		for (int k = 0; k < MIX_LEVELS; k++)
			drawn[k][i] = weight[k];
	}
	for (int k = 0; k < MIX_LEVELS; k++) {
		const double low = series_quantile(drawn[k], DRAWS, 0.025);
		const double high = series_quantile(drawn[k], DRAWS, 0.975);
		const double own = hypot(k <= MIX_L2 ? near : 0,
					 k != MIX_L1 ? outliers : 0);
		const double least = hypot(FLOOR, own);

		/* the bootstrap does not see an error common to all blocks */
		out->low[k] = fmax(out->share[k] - hypot(least,
				   fmax(out->share[k] - low, 0)), 0);
		out->high[k] = fmin(out->share[k] + hypot(least,
				    fmax(high - out->share[k], 0)), 1);
	}
}

static void solve(struct solver *s, struct mix_result *out)
{
	out->kept = s->mixture.blocks;
	out->why = refuse(s);
	memcpy(out->present, s->present, sizeof(out->present));
	if (out->why)
		return;
	out->other = (double)s->mixture.other /
		     (double)(s->mixture.blocks * MIX_BLOCK);
	out->l1 = mean_quiet(s, MIX_L1);
	for (int k = 1; k < MIX_LEVELS; k++)
		if (s->present[k])
			out->excess[k] = mean_quiet(s, k) - out->l1;
	out->far = fmax(mean_far(s) - out->l1, 0);
	out->coarse = s->present[MIX_L2] &&
		      out->excess[MIX_L2] < s->input->granule;
	weigh(s, out->share);
	find_bars(s, out);
}

int mix_solve(const struct mix_input *input, struct mix_result *out)
{
	struct solver s = { .input = input, .seed = input->seed };
	const int rc = prepare(&s);

	*out = (struct mix_result){ .blocks = input->mixture.blocks };
	if (rc == 0)
		solve(&s, out);
	free(s.mixture.stretch);
	free(s.calibration.stretch);
	return rc;
}
