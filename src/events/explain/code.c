/* SPDX-License-Identifier: MIT */
/*
 * An event code explained: rows for its fields and for the units of its unit
 * mask, remarks on bits that have no effect, and the code that was probably
 * meant. At the end, the same check for the codes of saved counts.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "events/explain/explain.h"
#include "events/table.h"

int explain_remark(const struct subject *s, const char *format, ...)
{
	char text[EXPLAIN_TEXT] = "";
	const struct assay_field field[] = { field_text("remark", text) };
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return row_emit(s->fn, s->ctx, "remark", field, 1);
}

static unsigned umask_of(const struct subject *s)
{
	return s->layout == CODE_PMUV3 ? 0 : (unsigned)(s->config >> 8 & 0xff);
}

void explain_stem(char out[ASSAY_NAME], const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const uint64_t select = code_event(s->layout, s->config);

	out[0] = '\0';
	for (size_t i = 0; cpu && i < cpu->events; i++) {
		if (code_event(s->layout, cpu->event[i].code) != select)
			continue;
		snprintf(out, ASSAY_NAME, "%s", cpu->event[i].name);
		out[strcspn(out, ":.")] = '\0';
		return;
	}
}

/* ---- units ------------------------------------------------------------- */

/* The event whose unit mask is this bit alone, or NULL: the name of a unit in
 * CPU files that do not describe units. */
static const struct cpu_event *event_of_bit(const struct subject *s,
					    unsigned bit)
{
	const unsigned select = (unsigned)code_event(s->layout, s->config);

	return cpu_event_coded(s->target->cpu,
			       code_encode(s->layout, select, bit));
}

static bool has_bit_events(const struct subject *s)
{
	for (unsigned bit = 1; bit < 0x100; bit <<= 1)
		if (event_of_bit(s, bit))
			return true;
	return false;
}

unsigned explain_unused_bits(const struct subject *s)
{
	const struct cpu_units *u;
	unsigned unused = umask_of(s);

	if (s->layout == CODE_PMUV3 || !s->target->cpu)
		return 0;
	u = cpu_units_find(s->target->cpu,
			   (unsigned)code_event(s->layout, s->config));
	if (!u)
		return 0;
	for (size_t i = 0; i < u->units; i++)
		unused &= ~u->unit[i].bits;
	return unused;
}

static int unit_row(const struct subject *s, unsigned bits,
		    const char *meaning, const char *source)
{
	char text[16] = "";
	const struct assay_field field[] = {
		field_text("unit mask", text), field_text("meaning", meaning),
		field_text("known from", source),
	};

	snprintf(text, sizeof(text), "0x%02x", bits);
	return row_emit(s->fn, s->ctx, "unit", field, 3);
}

static int described_units(const struct subject *s, const struct cpu_units *u)
{
	const unsigned unused = explain_unused_bits(s);
	char known[80];
	int rc = 0;

	for (size_t i = 0; i < u->units && !rc; i++) {
		const unsigned bits = u->unit[i].bits & umask_of(s);

		snprintf(known, sizeof(known), "%c %s", u->unit[i].confidence,
			 u->unit[i].source);
		if (bits)
			rc = unit_row(s, bits, u->unit[i].meaning, known);
	}
	if (!rc && unused)
		rc = unit_row(s, unused, u->units ?
			      "reserved: no unit of this event" :
			      "nothing: the event has no unit mask", "");
	return rc;
}

/* The meaning of one bit of the unit mask, or NULL. */
static const char *bit_meaning(const struct subject *s,
			       const struct cpu_units *u, unsigned bit)
{
	const struct cpu_event *e = event_of_bit(s, bit);

	for (size_t i = 0; u && i < u->units; i++)
		if (u->unit[i].bits & bit)
			return u->unit[i].meaning;
	return e ? e->name : NULL;
}

bool explain_units(char *out, size_t room, const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const unsigned mask = umask_of(s) & ~explain_unused_bits(s);
	const struct cpu_units *u = cpu_units_find(cpu,
		(unsigned)code_event(s->layout, s->config));
	const char *before = NULL;

	*out = '\0';
	for (unsigned bit = 1; bit < 0x100; bit <<= 1) {
		const char *unit = bit_meaning(s, u, bit);

		if (!(mask & bit) || (before && unit == before))
			continue;
		if (!unit)
			return false;
		text_add(out, room, "", "%s%s", *out ? "; " : "the sum of: ",
			 unit);
		before = unit;
	}
	return *out != '\0';
}

static int unit_rows(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_units *u;
	int rc = 0;

	if (!cpu || s->layout == CODE_PMUV3)
		return 0;
	u = cpu_units_find(cpu, (unsigned)code_event(s->layout, s->config));
	if (u)
		return described_units(s, u);
	if (s->event_here || !has_bit_events(s))
		return 0;
	for (unsigned bit = 1; bit < 0x100 && !rc; bit <<= 1) {
		const struct cpu_event *e = event_of_bit(s, bit);

		if (umask_of(s) & bit)
			rc = unit_row(s, bit, e ? e->name :
				      "not known: no event of the file has it",
				      e ? e->source : "");
	}
	return rc;
}

/* ---- fields ------------------------------------------------------------ */

static bool is(const struct code_field *field, const char *name)
{
	return !strcmp(field->name, name);
}

/* A field that is 0 gets a row only if it is "event" or "umask". */
static int field_row(const struct subject *s, const struct code_field *f)
{
	const uint64_t value = code_field_value(f, s->config);
	char bits[12] = "", number[24] = "";
	const struct assay_field field[] = {
		field_text("bits", bits), field_text("field", f->name),
		field_text("value", number), field_text("meaning", f->meaning),
		field_text("perf", f->kept ? "passes it on" : "drops it"),
	};

	if (!value && !is(f, "event") && !is(f, "umask"))
		return 0;
	if (f->low == f->high)
		snprintf(bits, sizeof(bits), "%u", f->low);
	else
		snprintf(bits, sizeof(bits), "%u:%u", f->high, f->low);
	snprintf(number, sizeof(number), "0x%llx", (unsigned long long)value);
	return row_emit(s->fn, s->ctx, "field", field, 5);
}

static int field_rows(const struct subject *s)
{
	size_t fields;
	const struct code_field *f = code_fields(s->layout, &fields);
	int rc = 0;

	for (size_t i = 0; i < fields && !rc; i++)
		rc = field_row(s, &f[i]);
	return rc;
}

/* The bits of the fields of that name, in their places of the config word. */
static uint64_t bits_of(const struct subject *s, const char *name)
{
	size_t fields;
	const struct code_field *f = code_fields(s->layout, &fields);
	uint64_t value = 0;

	for (size_t i = 0; i < fields; i++)
		if (is(&f[i], name))
			value |= code_field_value(&f[i], s->config)
				 << f[i].low;
	return value;
}

/* ---- remarks, and the code that was meant ------------------------------ */

static bool digits_only(const char *text)
{
	return *text && text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
}

/* An event that the code selects, of the CPU file or of a table. */
struct meant { char name[ASSAY_NAME], counts[EXPLAIN_TEXT]; };

static bool find_code(struct meant *out, const struct subject *s,
		      uint64_t config)
{
	const struct cpu_event *e = cpu_event_coded(s->target->cpu, config);
	struct table_event t;

	if (e) {
		text_copy(out->name, sizeof(out->name), e->name);
		text_copy(out->counts, sizeof(out->counts),
			  *e->meaning ? e->meaning : e->name);
		return true;
	}
	if (table_find(&t, s->target, s->layout, NULL, config, NULL) != FOUND)
		return false;
	text_copy(out->name, sizeof(out->name), t.name);
	text_copy(out->counts, sizeof(out->counts), *t.text ? t.text : t.name);
	return true;
}

static int meant_row(const struct subject *s, uint64_t config,
		     const struct meant *meant, const char *why)
{
	char code[24] = "";
	const struct assay_field field[] = {
		field_text("meant", code), field_text("event", meant->name),
		field_text("counts", meant->counts), field_text("why", why),
	};

	snprintf(code, sizeof(code), "r%llx", (unsigned long long)config);
	return row_emit(s->fn, s->ctx, "meant", field, 4);
}

/* Does the code set bits that have no effect on this CPU? */
static bool is_odd(const struct subject *s)
{
	return explain_unused_bits(s) || bits_of(s, "reserved") ||
	       code_kept(s->layout, s->config) != s->config ||
	       ((bits_of(s, "inv") || bits_of(s, "edge")) &&
		!bits_of(s, "cmask"));
}

/* Digits that were written as unit mask, then event select of 12 bits:
 * "cUUEEE", "UUEEE" or, without a unit mask, "EEE". */
static bool select_last(const char *digits, uint64_t *config)
{
	const size_t n = strlen(digits);
	uint64_t value;

	if (code_concatenated(digits, config))
		return true;
	if ((n != 3 && n != 5) || !digits_only(digits))
		return false;
	value = strtoull(digits, NULL, 16);
	*config = code_encode(CODE_AMD, value & 0xfff, (unsigned)(value >> 12));
	return true;
}

/*
 * A code with bits that have no effect, or that no event has, was probably
 * written for another layout. A row "meant" if reading its digits that way, or
 * dropping the unused bits, gives an event of the CPU.
 */
static int find_meant(const struct subject *s)
{
	const uint64_t unused = explain_unused_bits(s);
	const uint64_t selected = code_plain(s->layout, s->config);
	const char *digits = s->name;
	struct meant meant;
	uint64_t config;

	if (!s->target->cpu || ((s->event_here || *s->source) && !is_odd(s)))
		return 0;
	if (tolower((unsigned char)digits[0]) == 'r')
		digits++;
	else if (!strncmp(digits, "0x", 2))
		digits += 2;
	if (s->layout == CODE_AMD && digits_only(digits) &&
	    select_last(digits, &config) && config != s->config &&
	    find_code(&meant, s, config))
		return meant_row(s, config, &meant, "the digits read as unit "
				 "mask, then event select; perf wants bits "
				 "11:8 of the select in bits 35:32");
	config = selected & ~(unused << 8);
	if (is_odd(s) && config != s->config && find_code(&meant, s, config))
		return meant_row(s, config, &meant, "the same code without the "
				 "bits that have no effect");
	return 0;
}

static int comparison_remark(const struct subject *s)
{
	if (s->layout == CODE_PMUV3 || bits_of(s, "cmask"))
		return 0;
	if (bits_of(s, "inv") && bits_of(s, "edge"))
		return explain_remark(s, "edge and inv are set without a "
				      "cmask: inv compares with nothing, and "
				      "edge counts beginnings in place of "
				      "events.");
	if (bits_of(s, "inv"))
		return explain_remark(s, "inv is set without a cmask: it "
				      "compares with nothing.");
	return 0;
}

bool explain_core_pmu(const char *name)
{
	static const char *const pmus[] = {
		"cpu/", "cpu_core/", "cpu_atom/", "cpu_lowpower/", "armv8",
		"armv9", "apple_",
	};

	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (!strncmp(name, pmus[i], strlen(pmus[i])))
			return true;
	return false;
}

/* Intel's unit mask has 16 bits from Lunar Lake and Arrow Lake on, as CPUID
 * tells Linux; the bits before are reserved. */
bool explain_narrow_umask(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_match *match = cpu ? &cpu->match : s->target->match;

	return match && s->layout == CODE_INTEL &&
	       table_pattern_matches("GenuineIntel-6-[0-9A-F]+", match) &&
	       !table_pattern_matches("GenuineIntel-6-(BD|C5|C6|CC|D5|DD|E5)",
				      match);
}

bool explain_counts_nothing(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_units *u;

	if (!cpu || s->event_here || umask_of(s) || s->layout == CODE_PMUV3)
		return false;
	u = cpu_units_find(cpu, (unsigned)code_event(s->layout, s->config));
	return u && u->units;
}

static int empty_mask_remark(const struct subject *s)
{
	return !explain_counts_nothing(s) ? 0 :
	       explain_remark(s, "The unit mask is 0, but this event counts "
			      "only what its unit mask names: it counts "
			      "nothing.");
}

static int remarks(const struct subject *s)
{
	const unsigned unused = explain_unused_bits(s);
	const uint64_t narrow = explain_narrow_umask(s) ?
				(UINT64_C(0xff10) << 32) : 0;
	const uint64_t reserved = bits_of(s, "reserved") |
				  (s->config & narrow);
	const uint64_t kept = code_kept(s->layout, s->config) & ~narrow;
	int rc = comparison_remark(s);

	if (!rc)
		rc = empty_mask_remark(s);
	if (!rc && reserved)
		rc = explain_remark(s, "Reserved bits are set: 0x%llx.",
				    (unsigned long long)reserved);
	if (!rc && kept != s->config)
		rc = explain_remark(s, "perf programs r%llx: perf drops the "
				    "other bits, or sets them itself.",
				    (unsigned long long)kept);
	if (!rc && unused)
		rc = explain_remark(s, "Unit mask bits 0x%02x have no effect "
				    "in this event.", unused);
	return rc ? rc : find_meant(s);
}

int explain_meant(const struct subject *s, uint64_t config, const char *why)
{
	struct meant meant = { .name = "no event that is known" };

	if (!s->target->cpu || !find_code(&meant, s, config))
		text_copy(meant.counts, sizeof(meant.counts), "all of these");
	return meant_row(s, config, &meant, why);
}

int explain_code(const struct subject *s)
{
	int rc = field_rows(s);

	if (!rc)
		rc = unit_rows(s);
	return rc ? rc : remarks(s);
}

/* ---- codes of saved counts --------------------------------------------- */

static enum code_layout layout_of(const struct cpu *cpu)
{
	if (cpu->geometry.isa == ISA_AARCH64)
		return CODE_PMUV3;
	return strcmp(cpu->match.vendor, "AuthenticAMD") ? CODE_INTEL :
							   CODE_AMD;
}

/* The event that the code selects, or the event select's common name. */
static void name_code(char out[ASSAY_NAME], const struct subject *s)
{
	const struct cpu_event *e = cpu_event_coded(s->target->cpu,
		code_plain(s->layout, s->config));

	explain_stem(out, s);
	if (e)
		snprintf(out, ASSAY_NAME, "%s", e->name);
	else if (!*out)
		snprintf(out, ASSAY_NAME, "no event that is known");
}

bool events_misprogrammed(char *why, size_t room, const struct cpu *cpu,
			  const char *name, const char *code)
{
	const struct events_target target = { .target = EVENTS_SIM,
					      .cpu = cpu };
	const struct cpu_event *meant = cpu_event_find(cpu, name);
	struct subject s = { .target = &target, .layout = layout_of(cpu) };
	char counted[ASSAY_NAME];
	uint64_t selected, kept;

	if (!meant || !cpu_code_parse(&s.config, code))
		return false;
	kept = code_kept(s.layout, s.config);
	selected = code_plain(s.layout, kept);
	if (s.layout != CODE_PMUV3)
		selected &= ~((uint64_t)explain_unused_bits(&s) << 8);
	if (selected == meant->code && code_plain(s.layout, kept) == kept)
		return false;
	if (selected == meant->code) {
		snprintf(why, room, "counted with %s: its edge, inv or cmask "
			 "make it count something else than %s, which is "
			 "r%llx", code, name, (unsigned long long)meant->code);
		return true;
	}
	name_code(counted, &s);
	snprintf(why, room, "counted with %s, which on %s is %s; %s is r%llx",
		 code, cpu->name, counted, name,
		 (unsigned long long)meant->code);
	return true;
}
