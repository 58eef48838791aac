/* SPDX-License-Identifier: MIT */
/* The layouts of event codes; see code.h. */
#include <string.h>

#include "events/code.h"

/* Intel SDM 3B, IA32_PERFEVTSELx. perf sets 16, 17, 20 and 22 by itself. */
static const struct code_field intel[] = {
	{ "event", 0, 7, true, "which event" },
	{ "umask", 8, 15, true, "which of its conditions" },
	{ "usr", 16, 16, false, "count in user code: set by perf from :u" },
	{ "os", 17, 17, false, "count in the kernel: set by perf from :k" },
	{ "edge", 18, 18, true, "count beginnings, not cycles" },
	{ "pc", 19, 19, false, "pin control; on newer CPUs reserved" },
	{ "int", 20, 20, false, "interrupt on overflow: set by perf" },
	{ "any", 21, 21, true, "count for all threads of the core: needs a "
	  "permission to count for all programs" },
	{ "en", 22, 22, false, "enable: set by perf" },
	{ "inv", 23, 23, true, "invert the comparison with cmask" },
	{ "cmask", 24, 31, true, "count cycles with at least so many events" },
	{ "reserved", 32, 35, false, "must be 0" },
	{ "eq", 36, 36, true, "compare with cmask for equality; reserved "
	  "before Lunar Lake and Arrow Lake" },
	{ "reserved", 37, 39, false, "must be 0" },
	{ "umask high", 40, 47, true, "which of its conditions, upper 8 bits; "
	  "reserved before Lunar Lake and Arrow Lake" },
	{ "reserved", 48, 63, false, "must be 0" },
};

/* AMD APM 2, PerfEvtSeln: bits 35:32 are the upper part of the event. */
static const struct code_field amd[] = {
	{ "event", 0, 7, true, "which event, low 8 bits" },
	{ "umask", 8, 15, true, "which of its conditions" },
	{ "usr", 16, 16, false, "count in user code: set by perf from :u" },
	{ "os", 17, 17, false, "count in the kernel: set by perf from :k" },
	{ "edge", 18, 18, true, "count beginnings, not cycles" },
	{ "pc", 19, 19, false, "pin control: reserved since family 15h" },
	{ "int", 20, 20, false, "interrupt on overflow: set by perf" },
	{ "reserved", 21, 21, false, "must be 0" },
	{ "en", 22, 22, false, "enable: set by perf" },
	{ "inv", 23, 23, true, "invert the comparison with cmask" },
	{ "cmask", 24, 31, true, "count cycles with at least so many events" },
	{ "event high", 32, 35, true, "which event, upper 4 bits" },
	{ "reserved", 36, 39, false, "must be 0" },
	{ "guest", 40, 40, false, "count in guests: set by perf" },
	{ "host", 41, 41, false, "count outside guests: set by perf" },
	{ "reserved", 42, 63, false, "must be 0" },
};

/* Arm DDI 0487, PMEVTYPER<n>_EL0: 16 bits of event since PMUv3 for Armv8.1. */
static const struct code_field pmuv3[] = {
	{ "event", 0, 15, true, "which event; 0x0000-0x003f and "
	  "0x4000-0x403f are the architecture's, the rest each CPU's own" },
	{ "reserved", 16, 63, false, "must be 0; user and kernel are set by "
	  "perf from :u and :k" },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const struct code_field *code_fields(enum code_layout layout, size_t *fields)
{
	switch (layout) {
	case CODE_INTEL:
		*fields = COUNT(intel);
		return intel;
	case CODE_AMD:
		*fields = COUNT(amd);
		return amd;
	default:
		*fields = COUNT(pmuv3);
		return pmuv3;
	}
}

static uint64_t mask_of(const struct code_field *field)
{
	const unsigned bits = field->high - field->low + 1u;

	return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

uint64_t code_field_value(const struct code_field *field, uint64_t config)
{
	return config >> field->low & mask_of(field);
}

uint64_t code_event(enum code_layout layout, uint64_t config)
{
	if (layout == CODE_PMUV3)
		return config & 0xffff;
	if (layout == CODE_AMD)
		return (config & 0xff) | (config >> 32 & 15) << 8;
	return config & 0xff;
}

uint64_t code_kept(enum code_layout layout, uint64_t config)
{
	uint64_t kept = 0;
	size_t fields;
	const struct code_field *field = code_fields(layout, &fields);

	for (size_t i = 0; i < fields; i++)
		if (field[i].kept)
			kept |= config & mask_of(&field[i]) << field[i].low;
	return kept;
}

uint64_t code_encode(enum code_layout layout, unsigned select,
		     unsigned umask)
{
	if (layout == CODE_PMUV3)
		return select & 0xffff;
	return (select & 0xff) | (uint64_t)(umask & 0xff) << 8 |
	       (layout == CODE_AMD ? (uint64_t)(select >> 8 & 15) << 32 :
				     (uint64_t)(umask >> 8 & 0xff) << 40);
}

uint64_t code_plain(enum code_layout layout, uint64_t config)
{
	return code_encode(layout, (unsigned)code_event(layout, config),
			   (unsigned)((config >> 8 & 0xff) |
				      (config >> 40 & 0xff) << 8));
}

static int digit(char c)
{
	const char *all = "0123456789abcdef", *at;

	if (c >= 'A' && c <= 'F')
		c = (char)(c - 'A' + 'a');
	at = c ? strchr(all, c) : NULL;
	return at ? (int)(at - all) : -1;
}

bool code_concatenated(const char *digits, uint64_t *config)
{
	const size_t length = strlen(digits);
	unsigned value = 0;

	if ((length != 6 && length != 4) || digit(digits[0]) != 12)
		return false;
	for (size_t i = 1; i < length; i++) {
		if (digit(digits[i]) < 0)
			return false;
		value = value << 4 | (unsigned)digit(digits[i]);
	}
	*config = length == 6 ?
		  code_encode(CODE_AMD, value & 0xfff, value >> 12) :
		  code_encode(CODE_AMD, value & 0xff, value >> 8);
	return true;
}
