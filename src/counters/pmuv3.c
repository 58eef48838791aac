/* SPDX-License-Identifier: MIT */
/*
 * The PMUv3 provider. Invariants:
 *
 * 1. An event that PMCEID denies is absent. An event that PMCEID does not
 *    cover (from 0x40 on) is absent until it has read something else than 0.
 * 2. A counter is used only after it has counted writes of PMSWINC_EL0
 *    exactly. If it does not, the reason is diagnosed, and its event is absent.
 * 3. All counters are enabled by one write and disabled by one write, so
 *    they count the same region. The cycle counter always counts with them.
 * 4. If event counters have 32 bits, the overflow flag is the 33rd bit. The
 *    cycles bound how often a counter can have wrapped; if more than once is
 *    possible, the count is absent.
 * 5. close() restores every register that open() changed.
 */
#include "counters/pmuv3-bits.h"
#include "counters/pmuv3.h"

#define CONTROL_WRITES 20	/* of PMSWINC_EL0, to test a counter */
#define NEAR_END 16		/* planted overflow: counts until it wraps */
/* No core counts more of any event per cycle. */
#define MOST_PER_CYCLE 16

struct slot {
	unsigned counter;
	const char *why;	/* not NULL: the event is not counted */
	bool exists;		/* by PMCEID, or it has read more than 0 */
};

struct saved {
	uint64_t pmcr, pmselr, enabled, overflow, cycle_filter, cycles;
	uint64_t interrupts, mdcr_el2, mdcr_el3;
	uint64_t type[PMUV3_COUNTERS], value[PMUV3_COUNTERS];
};

struct pmuv3_state {
	struct pmuv3_identity id;
	enum pmuv3_mistake planted;
	bool wide;		/* event counters have 64 bits */
	unsigned events, counters;	/* counters in use */
	uint64_t mask;		/* bits of all counters in use */
	uint64_t from;		/* value at which event counters start */
	struct slot slot[ASSAY_EVENTS];
	struct saved saved;
};

/* error_set() is not freestanding. */
static int set_unavailable(struct assay_error *err, const char *sentence)
{
	size_t i = 0;

	if (!err)
		return -ASSAY_EUNAVAIL;
	for (; sentence[i] && i < ASSAY_ERROR_TEXT - 1; i++)
		err->text[i] = sentence[i];
	err->text[i] = '\0';
	err->code = -ASSAY_EUNAVAIL;
	err->sys_errno = 0;
	return -ASSAY_EUNAVAIL;
}

static int probe(const struct provider_config *config, struct assay_error *err)
{
	struct pmuv3_identity id;

	(void)config;
	if (!pmuv3_level() && !(read_sysreg(pmuserenr_el0) & PMUSERENR_EN))
		return set_unavailable(err, "the kernel does not let programs "
				       "use the PMU's registers "
				       "(PMUSERENR_EL0.EN is 0); use perf");
	pmuv3_identify(&id);
	if (id.level && (!id.version || id.version == PMUVER_NONE))
		return set_unavailable(err, "this core has no PMUv3 "
				       "(ID_AA64DFR0_EL1.PMUVer)");
	return 0;
}

/* ---- setting up, and restoring ------------------------------------------- */

static void save(struct pmuv3_state *s)
{
	struct saved *old = &s->saved;

	old->pmcr = read_sysreg(pmcr_el0);
	old->pmselr = read_sysreg(pmselr_el0);
	old->enabled = read_sysreg(pmcntenset_el0);
	old->overflow = read_sysreg(pmovsset_el0);
	old->cycle_filter = read_sysreg(pmccfiltr_el0);
	if (s->id.level)
		old->interrupts = read_sysreg(pmintenset_el1);
	if (s->id.level >= 2 && s->id.has_el2)
		old->mdcr_el2 = read_sysreg(mdcr_el2);
	if (s->id.level == 3)
		old->mdcr_el3 = read_sysreg(mdcr_el3);
	write_sysreg(pmcntenclr_el0, old->enabled);
	sysreg_sync();
	old->cycles = read_sysreg(pmccntr_el0);
	for (unsigned c = 0; c < s->id.counters; c++) {
		old->type[c] = counter_type(c);
		old->value[c] = counter_read(c);
	}
}

static void restore(struct pmuv3_state *s)
{
	const struct saved *old = &s->saved;

	write_sysreg(pmcntenclr_el0, BIT(32) - 1);
	write_sysreg(pmovsclr_el0, BIT(32) - 1);
	write_sysreg(pmccfiltr_el0, old->cycle_filter);
	write_sysreg(pmccntr_el0, old->cycles);
	for (unsigned c = 0; c < s->id.counters; c++) {
		counter_set_type(c, old->type[c]);
		counter_write(c, old->value[c]);
	}
	write_sysreg(pmselr_el0, old->pmselr);
	write_sysreg(pmcr_el0, old->pmcr);
	write_sysreg(pmovsset_el0, old->overflow);
	if (s->id.level)
		write_sysreg(pmintenset_el1, old->interrupts);
	if (s->id.level >= 2 && s->id.has_el2)
		write_sysreg(mdcr_el2, old->mdcr_el2);
	if (s->id.level == 3)
		write_sysreg(mdcr_el3, old->mdcr_el3);
	sysreg_sync();
	write_sysreg(pmcntenset_el0, old->enabled);
	sysreg_sync();
}

/* Sets, at EL3 and EL2, the permission to count and the partition of counters:
 * both are undefined after reset. */
static void permit(struct pmuv3_state *s)
{
	uint64_t mdcr;

	if (s->id.level == 3) {
		mdcr = s->saved.mdcr_el3 & ~MDCR_EL3_TPM;
		mdcr = s->planted == PMUV3_SPME_OFF ? mdcr & ~MDCR_EL3_SPME :
						      mdcr | MDCR_EL3_SPME;
		write_sysreg(mdcr_el3, mdcr);
	}
	if (s->id.level >= 2 && s->id.has_el2) {
		mdcr = s->saved.mdcr_el2 & ~(MDCR_EL2_HPMN | MDCR_EL2_TPM |
		       MDCR_EL2_TPMCR | MDCR_EL2_HPMD | MDCR_EL2_HPME);
		if (s->planted != PMUV3_HPMN_0)
			mdcr |= s->id.counters;
		write_sysreg(mdcr_el2, mdcr);
	}
	sysreg_sync();
}

static void set_up(struct pmuv3_state *s)
{
	uint64_t pmcr = s->saved.pmcr & ~PMCR_D;

	permit(s);
	if (s->id.level)
		write_sysreg(pmintenclr_el1, BIT(32) - 1);
	s->wide = s->id.version >= PMUVER_P5;
	pmcr |= PMCR_E | PMCR_LC | (s->wide ? PMCR_LP : 0);
	write_sysreg(pmcr_el0, pmcr);
	sysreg_sync();
}

/* ---- events onto counters ------------------------------------------------ */

/* The levels that the scope names (EL0, EL1, EL2); no scope: all levels. */
static uint64_t filter_bits(const struct pmuv3_state *s, unsigned scope)
{
	uint64_t bits = 0;

	if (!scope)
		scope = ENCODING_USER | ENCODING_KERNEL | ENCODING_HYPERVISOR;
	else	/* EL3 belongs to no scope: M must differ from P */
		bits = scope & ENCODING_KERNEL ? FILTER_M : 0;
	if (!(scope & ENCODING_USER))
		bits |= FILTER_U;
	if (!(scope & ENCODING_KERNEL))
		bits |= FILTER_P;
	if (scope & ENCODING_HYPERVISOR && s->planted != PMUV3_NSH_MISSING)
		bits |= FILTER_NSH;
	return bits;
}

static const char *out_of_scope(const struct pmuv3_state *s, unsigned scope)
{
	static const unsigned of_level[] = {
		ENCODING_USER, ENCODING_KERNEL, ENCODING_HYPERVISOR, 0
	};

	if (!scope || scope & of_level[s->id.level])
		return NULL;
	return "the event counts other exception levels than the one that the "
	       "kernel runs at";
}

static void set_type(unsigned counter, uint64_t type)
{
	if (counter == PMUV3_CYCLES)
		write_sysreg(pmccfiltr_el0, type);
	else
		counter_set_type(counter, type);
}

/*
 * Does the counter count? Event counters must count CONTROL_WRITES software
 * increments, the cycle counter anything. NULL, or why not.
 */
static const char *control(struct pmuv3_state *s, unsigned counter)
{
	bool cycles = counter == PMUV3_CYCLES;
	uint64_t n;

	if (!cycles && pmuv3_exists(&s->id, EVENT_SW_INCR) != 1)
		return NULL;
	set_type(counter, filter_bits(s, 0) | (cycles ? 0 : EVENT_SW_INCR));
	if (cycles)
		write_sysreg(pmccntr_el0, 0);
	else
		counter_write(counter, 0);
	sysreg_sync();
	write_sysreg(pmcntenset_el0, BIT(counter));
	sysreg_sync();
	for (int i = 0; i < CONTROL_WRITES; i++) {
		write_sysreg(pmswinc_el0, cycles ? 0 : BIT(counter));
		sysreg_sync();
	}
	write_sysreg(pmcntenclr_el0, BIT(counter));
	sysreg_sync();
	n = cycles ? read_sysreg(pmccntr_el0) : counter_read(counter);
	if (cycles ? n > 0 : n == CONTROL_WRITES)
		return NULL;
	return pmuv3_diagnose(&s->id, counter);
}

static const char *refuse(const struct pmuv3_state *s,
			  const struct encoding *event)
{
	if (event->absent[0])
		return event->absent;
	if (event->family != ENCODING_RAW || event->config > 0xffff)
		return "no event of PMUv3: a code up to 0xffff was expected";
	if (pmuv3_exists(&s->id, event->config) == 0)
		return "not in PMCEID: this core does not have the event";
	return out_of_scope(s, event->scope);
}

static const char *no_counter_left(const struct pmuv3_state *s)
{
	if (!s->id.counters)
		return pmuv3_diagnose(&s->id, 0);
	return "no counter left for it: count fewer events at once";
}

/* Gives the event a counter; the first event of cycles the cycle counter. */
static void place(struct pmuv3_state *s, struct slot *slot,
		  const struct encoding *event)
{
	bool cycles = event->config == EVENT_CPU_CYCLES &&
		      !(s->mask & BIT(PMUV3_CYCLES));

	slot->why = refuse(s, event);
	if (slot->why)
		return;
	slot->exists = pmuv3_exists(&s->id, event->config) == 1;
	if (!cycles && s->counters == s->id.counters) {
		slot->why = no_counter_left(s);
		return;
	}
	slot->counter = cycles ? PMUV3_CYCLES : s->counters++;
	slot->why = control(s, slot->counter);
	set_type(slot->counter, filter_bits(s, event->scope) |
				(cycles ? 0 : event->config));
	s->mask |= BIT(slot->counter);
}

static int open_group(void *state, const struct provider_config *config,
		      const struct group *group, struct assay_error *err)
{
	struct pmuv3_state *s = state;
	int rc = probe(config, err);

	if (rc < 0)
		return rc;
	pmuv3_identify(&s->id);
	s->planted = config->pmuv3 ? config->pmuv3->planted : PMUV3_NO_MISTAKE;
	s->events = group->events;
	save(s);
	set_up(s);
	for (unsigned e = 0; e < group->events; e++)
		place(s, &s->slot[e], &group->event[e]);
	if (!(s->mask & BIT(PMUV3_CYCLES)))
		write_sysreg(pmccfiltr_el0, filter_bits(s, 0));
	s->mask |= BIT(PMUV3_CYCLES);
	if (s->planted == PMUV3_OVERFLOW || s->planted == PMUV3_OVERFLOW_LOST)
		s->from = (s->wide ? UINT64_MAX : BIT(32) - 1) - NEAR_END + 1;
	return 0;
}

/* ---- counting ------------------------------------------------------------ */

static int start(void *state)
{
	struct pmuv3_state *s = state;

	for (unsigned c = 0; c < s->counters; c++)
		counter_write(c, s->from);
	write_sysreg(pmccntr_el0, 0);
	write_sysreg(pmovsclr_el0, s->mask);
	sysreg_sync();
	write_sysreg(pmcntenset_el0, s->mask);
	sysreg_sync();
	return 0;
}

static int stop(void *state)
{
	struct pmuv3_state *s = state;

	write_sysreg(pmcntenclr_el0, s->mask);
	sysreg_sync();
	return 0;
}

/* The count of a counter that may have wrapped: NULL and *out, or why it is not
 * known. wrapped: its overflow flag. */
static const char *extend(const struct pmuv3_state *s, unsigned counter,
			  uint64_t cycles, bool wrapped, uint64_t *out)
{
	uint64_t value = counter_read(counter);

	if (s->wide) {
		*out = value - s->from;
		return NULL;
	}
	value &= BIT(32) - 1;
	if (!wrapped && value < s->from)
		return "counter overflow: it wrapped, and other code cleared "
		       "its flag in PMOVSSET_EL0";
	if (wrapped && cycles > (BIT(33) - s->from) / MOST_PER_CYCLE)
		return "counter overflow: 32 bits may have wrapped more than "
		       "once; count a shorter run";
	*out = value + (wrapped ? BIT(32) : 0) - s->from;
	return NULL;
}

static void absent(struct assay_count *count, const char *why)
{
	*count = (struct assay_count){
		.state = ASSAY_COUNT_ABSENT, .why = why,
	};
}

static void read_slot(const struct pmuv3_state *s, struct slot *slot,
		      uint64_t cycles, uint64_t overflow,
		      struct assay_count *count)
{
	const char *why = slot->why;
	uint64_t value = cycles;

	if (!why && slot->counter != PMUV3_CYCLES)
		why = extend(s, slot->counter, cycles,
			     overflow >> slot->counter & 1, &value);
	if (why) {
		absent(count, why);
		return;
	}
	slot->exists |= value > 0;
	if (!slot->exists) {
		absent(count, "PMCEID does not cover this event, and it read "
			      "0: nothing shows that this core has it");
		return;
	}
	*count = (struct assay_count){
		.value = value, .state = ASSAY_COUNT_PRESENT,
	};
}

static int read_counts(void *state, struct assay_count *counts,
		       struct assay_quantities *truth)
{
	struct pmuv3_state *s = state;
	uint64_t cycles = read_sysreg(pmccntr_el0), overflow;

	(void)truth;
	if (s->planted == PMUV3_OVERFLOW_LOST) {
		write_sysreg(pmovsclr_el0, BIT(32) - 1);
		sysreg_sync();
	}
	overflow = read_sysreg(pmovsset_el0);
	for (unsigned e = 0; e < s->events; e++)
		read_slot(s, &s->slot[e], cycles, overflow, &counts[e]);
	return 0;
}

static void close_group(void *state)
{
	restore(state);
}

const struct provider pmuv3_provider = {
	.name = "pmuv3",
	.summary = "the PMU's own registers: bare metal, or an AArch64 kernel "
		   "that leaves them to programs",
	.drive = DRIVE_NATIVE,
	.state_size = sizeof(struct pmuv3_state),
	.probe = probe,
	.open = open_group,
	.start = start,
	.stop = stop,
	.read = read_counts,
	.close = close_group,
};
