/* SPDX-License-Identifier: MIT */
/* A code taken apart: fields, units of its mask, and what is wrong with it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "events/explain.h"

uint64_t explain_base(enum code_layout layout, uint64_t config)
{
	return code_encode(layout, (unsigned)code_event(layout, config),
			   (unsigned)(config >> 8 & 0xff));
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

/* ---- units -------------------------------------------------------------- */

/* The event that has this bit alone, if the file does not describe units. */
static const struct cpu_event *single(const struct subject *s, unsigned bit)
{
	const unsigned select = (unsigned)code_event(s->layout, s->config);

	return cpu_event_coded(s->target->cpu,
			       code_encode(s->layout, select, bit));
}

static bool has_singles(const struct subject *s)
{
	for (unsigned bit = 1; bit < 0x100; bit <<= 1)
		if (single(s, bit))
			return true;
	return false;
}

unsigned explain_idle_bits(const struct subject *s)
{
	const struct cpu_units *u;
	unsigned idle = umask_of(s);

	if (s->layout == CODE_PMUV3 || !s->target->cpu)
		return 0;
	u = cpu_units_find(s->target->cpu,
			   (unsigned)code_event(s->layout, s->config));
	if (!u)
		return 0;
	for (size_t i = 0; i < u->units; i++)
		idle &= ~u->unit[i].bits;
	return idle;
}

static int say_unit(const struct subject *s, unsigned bits,
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

static int say_described(const struct subject *s, const struct cpu_units *u)
{
	const unsigned idle = explain_idle_bits(s);
	char known[80];
	int rc = 0;

	for (size_t i = 0; i < u->units && !rc; i++) {
		const unsigned bits = u->unit[i].bits & umask_of(s);

		snprintf(known, sizeof(known), "%c %s", u->unit[i].confidence,
			 u->unit[i].source);
		if (bits)
			rc = say_unit(s, bits, u->unit[i].meaning, known);
	}
	if (!rc && idle)
		rc = say_unit(s, idle, u->units ?
			      "reserved: no unit of this event" :
			      "nothing: the event has no unit mask", "");
	return rc;
}

static int say_units(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_units *u;
	int rc = 0;

	if (!cpu || s->layout == CODE_PMUV3)
		return 0;
	u = cpu_units_find(cpu, (unsigned)code_event(s->layout, s->config));
	if (u)
		return say_described(s, u);
	if (s->known || !has_singles(s))
		return 0;
	for (unsigned bit = 1; bit < 0x100 && !rc; bit <<= 1) {
		const struct cpu_event *e = single(s, bit);

		if (umask_of(s) & bit)
			rc = say_unit(s, bit, e ? e->name :
				      "not known: no event of the file has it",
				      e ? e->source : "");
	}
	return rc;
}

/* ---- fields ------------------------------------------------------------- */

static bool is(const struct code_field *field, const char *name)
{
	return !strcmp(field->name, name);
}

static int say_field(const struct subject *s, const struct code_field *f)
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

static int say_fields(const struct subject *s)
{
	size_t fields;
	const struct code_field *f = code_fields(s->layout, &fields);
	int rc = 0;

	for (size_t i = 0; i < fields && !rc; i++)
		rc = say_field(s, &f[i]);
	return rc;
}

static uint64_t named(const struct subject *s, const char *name)
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

/* ---- what is wrong with it ---------------------------------------------- */

static bool digits_only(const char *text)
{
	return *text && text[strspn(text, "0123456789abcdefABCDEF")] == '\0';
}

static int say_meant(const struct subject *s, uint64_t config, const char *why)
{
	const struct cpu_event *e = cpu_event_coded(s->target->cpu, config);
	char code[24] = "";
	const struct assay_field field[] = {
		field_text("meant", code), field_text("event", e->name),
		field_text("counts", *e->meaning ? e->meaning : e->name),
		field_text("why", why),
	};

	snprintf(code, sizeof(code), "r%llx", (unsigned long long)config);
	return row_emit(s->fn, s->ctx, "meant", field, 4);
}

/* It says something that nobody listens to. */
static bool is_odd(const struct subject *s)
{
	return explain_idle_bits(s) || named(s, "reserved") ||
	       code_kept(s->layout, s->config) != s->config ||
	       ((named(s, "inv") || named(s, "edge")) && !named(s, "cmask"));
}

/*
 * A code that says more than the CPU listens to was probably written with
 * another layout in mind.
 */
static int find_meant(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const uint64_t idle = explain_idle_bits(s);
	const uint64_t plain = explain_base(s->layout, s->config);
	const char *digits = s->name;
	uint64_t config;

	if (!cpu || (s->known && !is_odd(s)))
		return 0;
	if (tolower((unsigned char)digits[0]) == 'r')
		digits++;
	else if (!strncmp(digits, "0x", 2))
		digits += 2;
	if (s->layout == CODE_AMD && digits_only(digits) &&
	    code_concatenated(digits, &config) && config != s->config &&
	    cpu_event_coded(cpu, config))
		return say_meant(s, config, "the digits read as unit mask, "
				 "then event select; perf wants bits 11:8 of "
				 "the select in bits 35:32");
	config = plain & ~(idle << 8);
	if (is_odd(s) && config != s->config && cpu_event_coded(cpu, config))
		return say_meant(s, config, "the same without what the event "
				 "does not have");
	return 0;
}

static int say_compare(const struct subject *s)
{
	if (s->layout == CODE_PMUV3 || named(s, "cmask"))
		return 0;
	if (named(s, "inv") && named(s, "edge"))
		return explain_remark(s, "edge and inv are set without a "
				      "cmask: inv compares with nothing, and "
				      "edge counts beginnings in place of "
				      "events.");
	if (named(s, "inv"))
		return explain_remark(s, "inv is set without a cmask: it "
				      "compares with nothing.");
	return 0;
}

static int say_empty(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_units *u;

	if (!cpu || s->known || umask_of(s) || s->layout == CODE_PMUV3)
		return 0;
	u = cpu_units_find(cpu, (unsigned)code_event(s->layout, s->config));
	if (!u || !u->units)
		return 0;
	return explain_remark(s, "The unit mask is 0, but this event counts "
			      "only what its unit mask names: it counts "
			      "nothing.");
}

static int say_wrong(const struct subject *s)
{
	const unsigned idle = explain_idle_bits(s);
	const uint64_t reserved = named(s, "reserved");
	const uint64_t kept = code_kept(s->layout, s->config);
	int rc = say_compare(s);

	if (!rc)
		rc = say_empty(s);
	if (!rc && reserved)
		rc = explain_remark(s, "Reserved bits are set: 0x%llx.",
				    (unsigned long long)reserved);
	if (!rc && kept != s->config)
		rc = explain_remark(s, "perf programs r%llx of it: other bits "
				    "are dropped or set by itself.",
				    (unsigned long long)kept);
	if (!rc && idle)
		rc = explain_remark(s, "Unit mask bits 0x%02x stand for "
				    "nothing in this event.", idle);
	return rc ? rc : find_meant(s);
}

int explain_code(const struct subject *s)
{
	int rc = say_fields(s);

	if (!rc)
		rc = say_units(s);
	return rc ? rc : say_wrong(s);
}
