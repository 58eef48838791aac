/* SPDX-License-Identifier: MIT */
#include "fake-pmuv3.h"

#include <stddef.h>

#define BIT_(n) (UINT64_C(1) << (n))
#define CYCLES 31

struct fake fake;

static const unsigned least_level[FAKE_COUNT] = {
#define X(name, level) [FAKE_##name] = level,
	FAKE_REGISTERS
#undef X
};

static uint64_t ones(unsigned n)
{
	return n >= 64 ? UINT64_MAX : BIT_(n) - 1;
}

/* ---- may it count here? -------------------------------------------------- */

static bool filtered(uint64_t type)
{
	bool p = type >> 31 & 1, u = type >> 30 & 1;

	switch (fake.level) {
	case 3:
		return (type >> 26 & 1) != p;
	case 2:
		return !(type >> 27 & 1);
	case 1:
		return p;
	}
	return u;
}

static bool secure_forbids(void)
{
	return fake.level == 3 && !(fake.reg[FAKE_mdcr_el3] >> 17 & 1) &&
	       !(fake.reg[FAKE_scr_el3] & 1);
}

/* Is the counter in EL2's part, and is that off? Or is EL2 left out? */
static bool partition_forbids(unsigned counter)
{
	uint64_t mdcr = fake.reg[FAKE_mdcr_el2];

	if (!fake.has_el2)
		return false;
	if (counter >= (mdcr & 31))
		return !(mdcr >> 7 & 1);
	return fake.level == 2 && mdcr >> 17 & 1;
}

static bool counts(unsigned counter)
{
	return fake.enabled >> counter & 1 && fake.reg[FAKE_pmcr_el0] & 1 &&
	       !secure_forbids() && !partition_forbids(counter) &&
	       !filtered(fake.type[counter]) && !(fake.broken >> counter & 1);
}

static void add(unsigned counter, uint64_t n)
{
	uint64_t most = fake.wide && fake.reg[FAKE_pmcr_el0] >> 7 & 1 ?
			UINT64_MAX : UINT32_MAX;
	uint64_t now = fake.value[counter];

	if (n > most - now)
		fake.overflow |= BIT_(counter);
	fake.value[counter] = (now + n) & most;
}

static void tick(uint64_t cycles)
{
	if (fake.enabled >> CYCLES & 1 && fake.reg[FAKE_pmcr_el0] & 1 &&
	    !filtered(fake.reg[FAKE_pmccfiltr_el0]) &&
	    !(fake.broken >> CYCLES & 1))
		fake.cycles += cycles;
}

void fake_run(uint64_t n, uint64_t cycles)
{
	for (unsigned c = 0; c < fake.counters; c++) {
		unsigned event = fake.type[c] & 0xffff;

		if (counts(c) && (event == 0x08 || event == 0x11))
			add(c, event == 0x08 ? n : cycles);
	}
	tick(cycles);
}

/* ---- registers ------------------------------------------------------------ */

static bool allowed(enum fake_register r)
{
	unsigned least = least_level[r];

	if (fake.level < least || (r == FAKE_mdcr_el2 && !fake.has_el2) ||
	    (least == 3 && !fake.has_el3)) {
		fake.wrong++;
		return false;
	}
	return true;
}

static uint64_t *selected(uint64_t *array)
{
	uint64_t n = fake.reg[FAKE_pmselr_el0] & 31;

	if (fake.selr_unsynced || n >= fake.counters) {
		fake.wrong++;
		return NULL;
	}
	return &array[n];
}

uint64_t fake_read(enum fake_register r)
{
	uint64_t *p;

	if (!allowed(r))
		return 0;
	switch (r) {
	case FAKE_CurrentEL:
		return fake.level << 2;
	case FAKE_pmcr_el0:
		return (fake.reg[r] & 0xff) | fake.counters << 11;
	case FAKE_pmcntenset_el0:
		return fake.enabled;
	case FAKE_pmovsset_el0:
		return fake.overflow;
	case FAKE_pmintenset_el1:
		return fake.interrupts;
	case FAKE_pmccntr_el0:
		return fake.cycles;
	case FAKE_pmxevtyper_el0:
		p = selected(fake.type);
		return p ? *p : 0;
	case FAKE_pmxevcntr_el0:
		p = selected(fake.value);
		return p ? *p : 0;
	default:
		return fake.reg[r];
	}
}

static void software_increment(uint64_t mask)
{
	for (unsigned c = 0; c < fake.counters; c++)
		if (mask >> c & 1 && counts(c) && !(fake.type[c] & 0xffff))
			add(c, 1);
}

static void write_selected(uint64_t *array, uint64_t value)
{
	uint64_t *p = selected(array);

	if (p)
		*p = value;
}

static void write_mask(enum fake_register r, uint64_t value)
{
	uint64_t mask = ones(fake.counters) | BIT_(CYCLES);

	value &= mask;
	if (r == FAKE_pmcntenset_el0)
		fake.enabled |= value;
	else if (r == FAKE_pmcntenclr_el0)
		fake.enabled &= ~value;
	else if (r == FAKE_pmovsset_el0)
		fake.overflow |= value;
	else if (r == FAKE_pmovsclr_el0)
		fake.overflow &= ~value;
	else if (r == FAKE_pmintenset_el1)
		fake.interrupts |= value;
	else
		fake.interrupts &= ~value;
}

void fake_write(enum fake_register r, uint64_t value)
{
	if (!allowed(r))
		return;
	tick(1);
	switch (r) {
	case FAKE_pmcntenset_el0: case FAKE_pmcntenclr_el0:
	case FAKE_pmovsset_el0: case FAKE_pmovsclr_el0:
	case FAKE_pmintenset_el1: case FAKE_pmintenclr_el1:
		write_mask(r, value);
		break;
	case FAKE_pmswinc_el0:
		software_increment(value);
		break;
	case FAKE_pmccntr_el0:
		fake.cycles = value;
		break;
	case FAKE_pmxevtyper_el0:
		write_selected(fake.type, value);
		break;
	case FAKE_pmxevcntr_el0:
		write_selected(fake.value, value);
		break;
	case FAKE_pmcr_el0:
		fake.reg[r] = value & 0xf9;	/* P and C act, and read 0 */
		break;
	case FAKE_pmselr_el0:
		fake.selr_unsynced = true;
		fake.reg[r] = value;
		break;
	default:
		fake.reg[r] = value;
		break;
	}
}

void fake_sync(void)
{
	fake.selr_unsynced = false;
}
