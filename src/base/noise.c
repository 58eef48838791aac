/* SPDX-License-Identifier: MIT */
/* The kinds of noise, their limits, and their words. */
#include "base/noise.h"

#include <stdio.h>

static const struct {
	const char *name, *words;
	double limit;
} kinds[ASSAY_NOISE_KINDS] = {
	[ASSAY_NOISE_OFF] = { "off", "off the CPU", 0.05 },
	[ASSAY_NOISE_STEAL] = { "steal", "stolen by the hypervisor", 0.05 },
	[ASSAY_NOISE_DRIFT] = { "drift", "the core's clock moved by", 0.05 },
	[ASSAY_NOISE_TORN] = { "torn", "the clock moved within chunks", 0 },
	[ASSAY_NOISE_SIBLING] = { "sibling", "the core was shared", 0 },
};

const char *assay_noise_name(enum assay_noise_kind kind)
{
	return kinds[kind].name;
}

void noise_init(struct assay_noise *out)
{
	*out = (struct assay_noise){ .seen = true };
	for (int k = 0; k < ASSAY_NOISE_KINDS; k++)
		out->part[k] = (struct assay_noise_part){ -1, kinds[k].limit };
}

bool noise_beyond(const struct assay_noise_part *part)
{
	return part->limit > 0 && part->share > part->limit;
}

void noise_join(struct assay_noise *out, const struct assay_noise *more)
{
	for (int k = 0; k < ASSAY_NOISE_KINDS; k++)
		if (more->part[k].share > out->part[k].share)
			out->part[k] = more->part[k];
	out->preempted += more->preempted;
	out->moved += more->moved;
	out->repeated += more->repeated;
	out->disturbed |= more->disturbed;
}

struct words {
	char *out;
	size_t room, used;
};

static void add_words(struct words *w, const char *between, const char *text)
{
	int n;

	if (w->used >= w->room)
		return;
	n = snprintf(w->out + w->used, w->room - w->used, "%s%s",
		     w->used ? between : "", text);
	w->used += n > 0 ? (size_t)n : 0;
}

static void add_part(struct words *w, int kind,
		     const struct assay_noise_part *part)
{
	char text[96], limit[32] = "";

	if (noise_beyond(part))
		snprintf(limit, sizeof(limit), " (limit %.3g %%)",
			 100 * part->limit);
	snprintf(text, sizeof(text), "%s %.1f %%%s", kinds[kind].words,
		 100 * part->share, limit);
	add_words(w, ", ", text);
}

static void add_number(struct words *w, const char *between,
		       unsigned long long n, const char *one, const char *more)
{
	char text[96];

	snprintf(text, sizeof(text), "%llu %s", n, n == 1 ? one : more);
	if (n)
		add_words(w, between, text);
}

const char *assay_noise_text(const struct assay_noise *noise, char *out,
			     size_t room)
{
	struct words w = { out, room, 0 };

	out[0] = '\0';
	if (!noise->seen)
		return out;
	for (int k = 0; k < ASSAY_NOISE_KINDS; k++)
		if (noise->disturbed ? noise_beyond(&noise->part[k]) :
				       noise->part[k].share >= 0)
			add_part(&w, k, &noise->part[k]);
	add_number(&w, ", ", noise->moved, "repetition changed the CPU",
		   "repetitions changed the CPU");
	if (!noise->disturbed)
		add_number(&w, ", ", noise->preempted, "preemption",
			   "preemptions");
	add_number(&w, "; ", noise->repeated, "repetition was done again",
		   "repetitions were done again");
	return out;
}
