/* SPDX-License-Identifier: MIT */
/*
 * Which event of a CPU counts a quantity, and how sure that is. A quantity is a
 * set of signals. Its event is the one that adds up just these, or two events
 * that do so together, or else the event that comes closest.
 */
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "cpus/cpu-about.h"
#include "cpus/signals.h"

enum { WEIGHTS = CPU_SIGNALS + 1, ROOM = 400, SIGNALS_NAMED = 2 };

/*
 * What people ask for, and the signals (base/signals.def) that it adds up. Rows
 * of one quantity are alternatives: the first of the best ones is taken. One
 * with a remark is a makeshift.
 */
static const struct asked { const char *quantity, *signals, *remark; }
asked[] = {
	{ "instructions", "instructions", "" },
	{ "cycles", "cycles", "" },
	{ "branches", "branches", "" },
	{ "mispredicts", "mispredicts", "" },
	{ "loads", "loads", "" },
	{ "stores", "stores", "" },
	{ "L1D accesses", "l1d_load l1d_store", "" },
	{ "L1D accesses", "loads stores", "per instruction" },
	{ "L1D misses", "l1d_load_miss l1d_store_miss", "" },
	{ "L1I misses", "l1i_miss", "" },
	{ "L2 accesses", "l2_load l2_store l2_walk l2_fetch l2_prefetch", "" },
	{ "L2 misses", "l2_load_miss l2_store_miss l2_walk_miss l2_fetch_miss "
	  "l2_prefetch_miss", "" },
	{ "L3 accesses", "l3_load l3_store l3_walk l3_fetch l3_prefetch", "" },
	{ "L3 misses", "l3_load_miss l3_store_miss l3_walk_miss l3_fetch_miss "
	  "l3_prefetch_miss", "" },
	{ "DTLB misses", "dtlb_load_miss dtlb_store_miss", "" },
	{ "DTLB misses", "l2tlb_data", "" },
	{ "ITLB misses", "itlb_miss", "" },
	{ "ITLB misses", "l2tlb_code", "" },
	{ "data walks", "walks_load walks_store", "" },
	{ "data walks", "l2tlb_data_miss", "" },
	{ "memory reads", "dram_read", "" },
};
#define ASKED (sizeof(asked) / sizeof(*asked))

struct weights { double of[WEIGHTS]; };

/* One event or the sum of two. */
struct answer {
	const struct cpu_event *event, *other;	/* NULL: none; no other */
	const struct asked *asked;
	struct weights want, sum;
	int cost;		/* 0: nothing better can be found */
};

/* What one deviation costs. */
enum { UNSURE = 1, SPECULATES = 8, SUM = 32, ADDED = 64, MAKESHIFT = 96,
       LEFT_OUT = 640 };

/* ---- what an event adds up ----------------------------------------------- */

static struct assay_value only(const void *ctx, int name)
{
	return (struct assay_value){ .number = name == *(const int *)ctx };
}

/* Cycles are a formula of the cycle model, not one signal. */
static void event_weights(struct weights *out, const struct cpu_event *event)
{
	const bool cycles = !strcmp(event->counts_text, "cycles");

	for (int i = 0; i < WEIGHTS; i++) {
		const struct assay_value v = expr_value(&event->counts, only,
							&i);

		out->of[i] = v.why || cycles ? 0 : v.number;
	}
	if (cycles)
		out->of[CPU_SIGNALS] = 1;
}

static void quantity_weights(struct weights *out, const char *signals)
{
	char text[ROOM], *next = text, *name;

	*out = (struct weights){ { 0 } };
	text_copy(text, sizeof(text), signals);
	while ((name = strsep(&next, " ")))
		out->of[signal_find(name)] = 1;
}

/* Does the event add up a wanted signal? */
static bool is_part(const struct weights *want, const struct weights *have)
{
	for (int i = 0; i < WEIGHTS; i++)
		if (want->of[i] != 0 && want->of[i] == have->of[i])
			return true;
	return false;
}

/* -1: none of the wanted signals is there, or one is subtracted. */
static int cost_of_signals(const struct weights *want,
			   const struct weights *have)
{
	int cost = 0;

	for (int i = 0; i < WEIGHTS; i++) {
		if (have->of[i] < 0)
			return -1;
		if (want->of[i] != have->of[i])
			cost += want->of[i] != 0 ? LEFT_OUT : ADDED;
	}
	return is_part(want, have) ? cost : -1;
}

/* ---- how sure ---------------------------------------------------------- */

static const struct { char letter; const char *word; } confidences[] = {
	{ 'D', "documented" }, { 'M', "measured" }, { 'F', "fitted" },
	{ 'R', "recalled" }, { 'G', "guessed" },
};
#define CONFIDENCES ((int)(sizeof(confidences) / sizeof(*confidences)))

/* Index of the less certain of the events' confidences. */
static int doubt_of(const struct answer *answer)
{
	int doubt = 0;

	for (int i = 0; i < CONFIDENCES; i++)
		if (answer->event->confidence == confidences[i].letter ||
		    (answer->other &&
		     answer->other->confidence == confidences[i].letter))
			doubt = i;
	return doubt;
}

/* 2: accesses on mispredicted paths are counted too; 1: not known; 0: no. */
static int speculates(const struct cpu_event *e)
{
	struct cpu_trait trait;

	cpu_event_trait(&trait, e, CPU_SPECULATIVE);
	return !trait.value ? 1 : strcmp(trait.value, "yes") ? 0 : 2;
}


/* ---- the search -------------------------------------------------------- */

static bool usable(const struct cpu_event *e)
{
	return e->present && !e->pages;
}

static void consider(struct answer *best, const struct answer *candidate)
{
	int cost = cost_of_signals(&candidate->want, &candidate->sum);

	if (cost < 0)
		return;
	cost += UNSURE * doubt_of(candidate) +
		SUM * (candidate->other != NULL) +
		(*candidate->asked->remark ? MAKESHIFT : 0) +
		SPECULATES * speculates(candidate->event);
	if (best->event && cost >= best->cost)
		return;
	*best = *candidate;
	best->cost = cost;
}

/* The sums of this event and a later one that leave no signal out. */
static void consider_sums(struct answer *best, const struct cpu *cpu,
			  const struct answer *part)
{
	const struct cpu_event *end = cpu->event + cpu->events;

	for (const struct cpu_event *e = part->event + 1; e < end; e++) {
		struct answer both = *part;

		if (!usable(e))
			continue;
		both.other = e;
		event_weights(&both.sum, e);
		for (int k = 0; k < WEIGHTS; k++)
			both.sum.of[k] += part->sum.of[k];
		if (cost_of_signals(&both.want, &both.sum) < LEFT_OUT)
			consider(best, &both);
	}
}

static void find_answer(struct answer *best, const struct asked *a,
			const struct cpu *cpu)
{
	struct answer one = { .asked = a };

	quantity_weights(&one.want, a->signals);
	for (size_t i = 0; i < cpu->events; i++) {
		one.event = &cpu->event[i];
		if (!usable(one.event))
			continue;
		event_weights(&one.sum, one.event);
		consider(best, &one);
	}
	for (size_t i = 0; i < cpu->events; i++) {
		if (best->event && best->cost < ADDED)
			return;
		one.event = &cpu->event[i];
		event_weights(&one.sum, one.event);
		if (usable(one.event) &&
		    is_part(&one.want, &one.sum))
			consider_sums(best, cpu, &one);
	}
}

/* ---- in words ---------------------------------------------------------- */

#define ADD(out, ...) text_add(out, ROOM, "; ", __VA_ARGS__)

/* "without l2_walk, l2_fetch and 1 more": signals of one kind. */
static void put_signals(char out[ROOM], const char *what,
			const struct answer *answer, bool wanted)
{
	int n = 0;

	for (int i = 0; i < WEIGHTS; i++) {
		const double want = answer->want.of[i];

		if (want == answer->sum.of[i] || (want != 0) != wanted)
			continue;
		if (n++ < SIGNALS_NAMED)
			text_add(out, ROOM, n > 1 ? ", " : "; ", "%s%s",
				 n > 1 ? "" : what, signal_names[i]);
	}
	if (n > SIGNALS_NAMED)
		text_add(out, ROOM, " ", "and %d more", n - SIGNALS_NAMED);
}

static void put_event(char out[ROOM], const struct cpu_event *e)
{
	struct cpu_trait per;

	cpu_event_trait(&per, e, CPU_PER);
	if (per.value && strcmp(per.value, "thread") &&
	    strcmp(per.value, "core"))
		ADD(out, "of all cores of the %s", per.value);
	if (speculates(e) == 2)
		ADD(out, "speculative too");
	if (*e->says_text)
		ADD(out, "not what its text says");
	for (const char *const *k = e->errata; k && *k; k++)
		ADD(out, "erratum %s", *k);
}

static void put_remark(char out[ROOM], const struct answer *answer)
{
	ADD(out, "%s", answer->asked->remark);
	put_signals(out, "with ", answer, false);
	put_signals(out, "without ", answer, true);
	put_event(out, answer->event);
}

static int emit_asked(const char *quantity, const struct answer *answer,
		      assay_row_fn *fn, void *ctx)
{
	const struct cpu_event *e = answer->event, *o = answer->other;
	char name[ROOM] = "", code[64] = "", remark[ROOM] = "";
	const struct assay_field field[] = {
		field_text("quantity", quantity),
		e ? field_text("event", name) : (struct assay_field){
			.name = "event", .kind = ASSAY_FIELD_ABSENT,
			.text = "no event of the CPU file counts it" },
		field_text("how sure",
			   e ? confidences[doubt_of(answer)].word : ""),
		field_text("remark", remark),
		field_detail("code", code),
	};

	if (e) {
		snprintf(name, sizeof(name), "%s%s%s", e->name, o ? " + " : "",
			 o ? o->name : "");
		snprintf(code, sizeof(code), o ? "0x%llx 0x%llx" : "0x%llx",
			 (unsigned long long)e->code,
			 (unsigned long long)(o ? o->code : 0));
		put_remark(remark, answer);
	}
	return ROW_EMIT(fn, ctx, "asked", field);
}

int cpu_asked(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	struct answer best = { .event = NULL };
	int rc = 0;

	for (size_t i = 0; i < ASKED && cpu->events && !rc; i++) {
		const char *quantity = asked[i].quantity;

		if (!strncmp(quantity, "L3", 2) && !cpu->geometry.l3.present)
			continue;
		find_answer(&best, &asked[i], cpu);
		if (i + 1 < ASKED && !strcmp(quantity, asked[i + 1].quantity))
			continue;
		rc = emit_asked(quantity, &best, fn, ctx);
		best = (struct answer){ .event = NULL };
	}
	return rc;
}
