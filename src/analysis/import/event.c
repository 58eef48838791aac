/* SPDX-License-Identifier: MIT */
/*
 * Events as perf's metrics and likwid's groups write them -> operands of a
 * formula file. See import.h.
 */
#define _GNU_SOURCE	/* strcasestr */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/import/import.h"
#include "analysis/formulas/loader.h"
#include "base/text.h"

void import_name(char out[ASSAY_NAME], const char *text)
{
	size_t used = 0;

	if (!isalpha((unsigned char)*text))
		out[used++] = 'm';
	for (; *text && used < ASSAY_NAME - 8; text++)
		if (isalnum((unsigned char)*text))
			out[used++] = *text;
		else if (used && out[used - 1] != '_')
			out[used++] = '_';
	while (used > 1 && out[used - 1] == '_')
		used--;
	out[used] = '\0';
}

bool import_fail(struct translation *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!t->why[0])
		vsnprintf(t->why, sizeof(t->why), format, args);
	va_end(args);
	return false;
}

/* Compares letters and digits only: "L2_LINES_IN.ALL", "L2_LINES_IN_ALL". */
static bool same(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (!*a)
			return true;
	}
}

static const struct cpu_event *find(const struct cpu *cpu, const char *name)
{
	const struct cpu_event *found = cpu_event_find(cpu, name);

	for (size_t i = 0; i < cpu->events && !found; i++) {
		const struct cpu_event *e = &cpu->event[i];

		if (same(e->name, name))
			found = e;
		for (const char *const *a = e->alias; *a && !found; a++)
			if (same(*a, name))
				found = e;
	}
	return found;
}

/* The CPU file's event, or NULL. */
static const struct cpu_event *known(const struct translation *t,
				     const char *name)
{
	const struct cpu *cpu = t->of->machine->cpu;

	return cpu ? find(cpu, name) : NULL;
}

/* An event's code while terms change it. */
struct code {
	uint64_t config, config1;
	const char *pmu;	/* "cpu_core", "cpu" */
};

static bool code_of(struct translation *t, const char *name, struct code *code)
{
	const struct import_machine *m = t->of->machine;
	const struct cpu_event *e = known(t, name);
	struct encoding found = { .absent = "" };

	if (e) {
		code->config = e->code;
		return true;
	}
	if (m->code && m->code(m->ctx, name, code->pmu, &found)) {
		code->config = found.config;
		code->config1 = found.config1;
		return !found.absent[0] ||
		       import_fail(t, "%.60s %.80s: terms cannot be added",
				   name, found.absent);
	}
	return import_fail(t, m->code ? "%.60s with terms is not known on "
			   "%.40s" : "%.60s has terms: --cpu must say whose "
			   "event it is", name, m->cpu ? m->cpu->name :
			   "that CPU");
}

bool import_has_event(struct translation *t, const char *event)
{
	const struct import_machine *m = t->of->machine;
	struct encoding code;

	if (known(t, event) ||
	    (m->code && m->code(m->ctx, event, "", &code)))
		return true;
	return import_fail(t, "needs has_event(%.60s), which is not known here",
			   event);
}

/* ---- terms: event=0x3c,umask=0x1,cmask=1 -------------------------------- */

/*
 * The fields that IA32_PERFEVTSELx (Intel) and PERF_CTLx (AMD) share, by their
 * names in perf and likwid, and their letters in perfmon. A term replaces the
 * field of the event.
 */
static const struct field {
	const char *perf, *likwid, *perfmon;
	unsigned low, bits;
} fields[] = {
	{ "event", "", "", 0, 8 },
	{ "umask", "", "u", 8, 8 },
	{ "edge", "EDGEDETECT", "e", 18, 1 },
	{ "any", "ANYTHREAD", "amt", 21, 1 },
	{ "inv", "INVERT", "i", 23, 1 },
	{ "cmask", "THRESHOLD", "c", 24, 8 },
	{ "eq", "", "eq", 36, 1 },	/* Intel, from Lion Cove on */
};

static const struct field *field_called(const char *name)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strcasecmp(fields[i].perf, name) ||
		    !strcasecmp(fields[i].likwid, name) ||
		    !strcmp(fields[i].perfmon, name))
			return &fields[i];
	return NULL;
}

static bool term_number(struct translation *t, const char *name,
			const char *value, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(value, &end, 0);
	return (isdigit((unsigned char)*value) && !*end && !errno) ||
	       import_fail(t, "the term %.40s has no number", name);
}

/* value: digits, or NULL for 1. */
static bool set_field(struct translation *t, const char *name,
		      const char *value, uint64_t *config)
{
	const struct field *f = *name ? field_called(name) : NULL;
	uint64_t number = 1;

	if (!f)
		return import_fail(t, "the term %.40s has no place in the code "
				   "of a core's event", name);
	if (value && !term_number(t, name, value, &number))
		return false;
	if (number >> f->bits)
		return import_fail(t, "the term %.40s is too large", name);
	*config &= ~(((UINT64_C(1) << f->bits) - 1) << f->low);
	*config |= number << f->low;
	return true;
}

static bool is_x86(struct translation *t)
{
	const struct cpu *cpu = t->of->machine->cpu;

	return !cpu || cpu->geometry.isa != ISA_AARCH64 ||
	       import_fail(t, "codes of this CPU have no terms");
}

/* The terms behind an event's name, separated by `between`. */
static bool set_fields(struct translation *t, char *text, const char *between,
		       uint64_t *config)
{
	char *term, *rest;

	for (term = strtok_r(text, between, &rest); term;
	     term = strtok_r(NULL, between, &rest)) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		if (!set_field(t, term, value, config))
			return false;
	}
	return true;
}

static bool raw_code(char event[ASSAY_NAME], const struct code *c)
{
	const unsigned long long config = c->config, config1 = c->config1;

	if (config1)
		snprintf(event, ASSAY_NAME, "%s/config=0x%llx,config1=0x%llx/",
			 *c->pmu ? c->pmu : "cpu", config, config1);
	else
		snprintf(event, ASSAY_NAME, "r%llx", config);
	return true;
}

/* ---- perf: EVENT@cmask=1@, PMU@event=0x3c,umask=1@, PMU@EVENT,cmask=1@ --- */

static bool is_core(const char *pmu)
{
	return !strcmp(pmu, "cpu") || !strcmp(pmu, "cpu_core") ||
	       !strcmp(pmu, "cpu_atom") || !strncmp(pmu, "armv8_", 6);
}

/* Can a formula file hold the name? */
static bool is_plain(const char *name)
{
	const char *c = name;

	while (isgraph((unsigned char)*c) && *c != ',' && *c != '"')
		c++;
	return !*c && c != name && c - name < ASSAY_NAME;
}

/* Do tables give the two names two codes, one of a fixed counter? */
static bool tables_differ(const struct import_machine *m, const char *a,
			  const char *b)
{
	struct encoding x = { .absent = "" }, y = { .absent = "" };

	return m->code && m->code(m->ctx, a, m->pmu, &x) &&
	       m->code(m->ctx, b, m->pmu, &y) && x.config != y.config;
}

static bool plain_event(struct translation *t, const char *name,
			char event[ASSAY_NAME])
{
	const struct cpu_event *e = known(t, name);

	if (e && !tables_differ(t->of->machine, name, e->name))
		name = e->name;
	if (!is_plain(name))
		return import_fail(t, "'%.60s' is no event's name", name);
	text_copy(event, ASSAY_NAME, name);
	return true;
}

/* "event=0x11" alone is a code of any CPU. */
static bool is_number_alone(const char *terms, char event[ASSAY_NAME])
{
	char *end;
	unsigned long long number;

	if (strncmp(terms, "event=", 6) != 0 ||
	    !isdigit((unsigned char)terms[6]))
		return false;
	number = strtoull(terms + 6, &end, 0);
	return !*end && number <= 0xffff &&
	       raw_code(event, &(struct code){ number, 0, "" });
}

/* An event of a core with its terms; either may be missing. */
static bool core_event(struct translation *t, char *name, char *terms,
		       char event[ASSAY_NAME])
{
	struct code code = { 0, 0, t->of->machine->pmu };

	if (!*terms && *name)
		return plain_event(t, name, event);
	if (!*name && is_number_alone(terms, event))
		return true;
	return is_x86(t) && (!*name || code_of(t, name, &code)) &&
	       set_fields(t, terms, ",", &code.config) &&
	       raw_code(event, &code);
}

/* An event of another PMU: "msr@tsc@" is msr/tsc/. */
static bool other_event(struct translation *t, const char *pmu,
			const char *inside, char event[ASSAY_NAME])
{
	if (strpbrk(inside, ", \"") || strpbrk(pmu, ", \"/"))
		return import_fail(t, "the terms of %.40s/%.60s/ do not fit "
				   "into an event's name", pmu, inside);
	const int n = snprintf(event, ASSAY_NAME, "%s/%s/", pmu, inside);

	return (n < ASSAY_NAME && is_plain(event)) ||
	       import_fail(t, "'%.60s' is no event's name", event);
}

/* PMUs have names of small letters without a dot; events have not. */
static bool is_event(const char *head)
{
	for (const char *c = head; *c; c++)
		if (*c == '.' || isupper((unsigned char)*c))
			return true;
	return false;
}

static bool at_event(struct translation *t, char *head, char *inside,
		     char event[ASSAY_NAME])
{
	char *comma;

	if (is_event(head))
		return core_event(t, head, inside, event);
	if (!is_core(head) || !strcmp(head, "cpu_atom"))
		return other_event(t, head, inside, event);
	comma = inside + strcspn(inside, ",");
	if (memchr(inside, '=', (size_t)(comma - inside)))
		return core_event(t, (char[]){ "" }, inside, event);
	if (*comma)
		*comma++ = '\0';
	return core_event(t, inside, comma, event);
}

/* What stands behind the second '@' says in which modes the event counts. */
static bool scoped_event(struct translation *t, char *head, char *inside,
			 char event[ASSAY_NAME])
{
	char *modes = inside + strcspn(inside, "@");
	const char *joint;

	if (*modes)
		*modes++ = '\0';
	modes += *modes == ':';
	if (*modes == 'R')
		return import_fail(t, "a latency is sampled, not counted");
	if (modes[strspn(modes, "ukhp")])
		return import_fail(t, "'%.40s' behind an event is not known",
				   modes);
	if (!at_event(t, head, inside, event))
		return false;
	joint = event[strlen(event) - 1] == '/' ? "" : ":";
	if (*modes)
		text_add(event, ASSAY_NAME, joint, "%s", modes);
	return true;
}

/* ---- perfmon: EVENT:c1:e1 ------------------------------------------------ */

/* "c4" -> c, 4; "SUP" and "USER" stay. */
static bool perfmon_term(struct translation *t, const char *term,
			 struct code *code, char **scope)
{
	static const char value[] = "ocr_msr_val=";
	const size_t letters = strspn(term, "abcdefghijklmnopqrstuvwxyz_");
	char name[24];

	if (!strcasecmp(term, "sup") || !strcasecmp(term, "user")) {
		*scope = !strcasecmp(term, "sup") ? ":k" : ":u";
		return true;
	}
	if (!strncmp(term, value, strlen(value)))
		return term_number(t, "ocr_msr_val", term + strlen(value),
				   &code->config1);
	if (letters >= sizeof(name))
		return import_fail(t, "the option %.40s is not known", term);
	memcpy(name, term, letters);
	name[letters] = '\0';
	return set_field(t, name, term[letters] ? term + letters +
			 (term[letters] == '=') : NULL, &code->config);
}

static bool perfmon_event(struct translation *t, char *name, char *terms,
			  char event[ASSAY_NAME])
{
	struct code code = { 0, 0, t->of->machine->pmu };
	char *term, *rest, *scope = "";
	struct code plain;

	if (!strcmp(terms, "perf_metrics"))	/* a metric of the CPU's own */
		return plain_event(t, name, event);
	if (!strcmp(terms, "retire_latency"))
		return import_fail(t, "a latency is sampled, not counted");
	if (!is_x86(t) || !code_of(t, name, &code))
		return false;
	plain = code;
	for (term = strtok_r(terms, ":", &rest); term;
	     term = strtok_r(NULL, ":", &rest))
		if (!perfmon_term(t, term, &code, &scope))
			return false;
	if (code.config == plain.config && code.config1 == plain.config1 ?
	    !plain_event(t, name, event) : !raw_code(event, &code))
		return false;
	text_add(event, ASSAY_NAME, "", "%s",
		 scope + (*scope && event[strlen(event) - 1] == '/'));
	return true;
}

static bool translate(struct translation *t, const char *text,
		      char event[ASSAY_NAME])
{
	char copy[256], *at;

	if (strlen(text) >= sizeof(copy))
		return import_fail(t, "an event's name is too long");
	text_copy(copy, sizeof(copy), text);
	at = strchr(copy, '@');
	if (at) {
		*at = '\0';
		return scoped_event(t, copy, at + 1, event);
	}
	at = strchr(copy, ':');
	if (at && !known(t, copy) &&
	    !strcmp(t->of->list->format, "perfmon")) {
		*at = '\0';
		return perfmon_event(t, copy, at + 1, event);
	}
	return plain_event(t, copy, event);
}

/* ---- operands ----------------------------------------------------------- */

static bool is_name_used(const struct import *im, const char *name)
{
	for (int i = 0; i < PIE_PARTS; i++)
		if (!strcmp(loader_part_names[i], name))
			return true;
	for (unsigned i = 0; i < im->operands; i++)
		if (!strcmp(im->operand[i].name, name))
			return true;
	return im->avoid(im->ctx, name) || !strcmp(name, "min") ||
	       !strcmp(name, "max") || !strcmp(name, "less");
}

/* A raw code needs no name. */
static bool is_code(const char *event)
{
	return *event == 'r' && event[1] &&
	       strspn(event + 1, "0123456789abcdef") == strcspn(event + 1, ":");
}

static bool is_unknown(const struct import_machine *m, const char *event)
{
	struct encoding code;

	return m->cpu && !is_code(event) && strcmp(event, "duration_time") &&
	       !cpu_event_find(m->cpu, event) &&
	       !cpu_generic_find(m->cpu, event) && !strchr(event, '/') &&
	       !(m->code && m->code(m->ctx, event, "", &code));
}

static const struct import_operand *operand_of(struct translation *t,
					       const char *event)
{
	struct import *im = t->of;
	struct import_operand *o = im->operand;
	char base[ASSAY_NAME];

	while (o < im->operand + im->operands && !text_equal(o->event, event))
		o++;
	if (o == im->operand + IMPORT_OPERANDS) {
		import_fail(t, "a file has at most %d events: choose metrics "
			    "by a part of their names", IMPORT_OPERANDS);
		return NULL;
	}
	t->operand[o - im->operand] = true;
	t->names++;
	if (o < im->operand + im->operands)
		return o;
	import_name(base, event);
	snprintf(o->name, sizeof(o->name), "%s", base);
	for (int n = 2; is_name_used(im, o->name); n++)
		snprintf(o->name, sizeof(o->name), "%.50s_%d", base, n);
	text_copy(o->event, sizeof(o->event), event);
	o->unknown = is_unknown(im->machine, event);
	im->operands++;
	return o;
}

const struct import_operand *import_event(struct translation *t,
					  const char *text)
{
	char event[ASSAY_NAME] = "";

	return translate(t, text, event) ? operand_of(t, event) : NULL;
}

/* ---- likwid: PMC1:EDGEDETECT:THRESHOLD=0x1, MBOX0C1 ---------------------- */

static bool counter_event(struct translation *t, char *options,
			  const char *name, char event[ASSAY_NAME])
{
	struct code code = { 0, 0, t->of->machine->pmu };

	for (char *o = options; (o = strcasestr(o, "KERNEL")); o++)
		if (o == options || o[-1] == ':')
			return import_fail(t, "the option KERNEL counts the "
					   "kernel's code, too, where the other "
					   "counters do not");
	if (!*options)
		return plain_event(t, name, event);
	return is_x86(t) && code_of(t, name, &code) &&
	       set_fields(t, options, ":", &code.config) &&
	       raw_code(event, &code);
}

const struct import_operand *import_counter(struct translation *t,
					    const struct metric_counter *c)
{
	char options[256], event[ASSAY_NAME] = "";
	const size_t unit = strcspn(c->name, ":");

	if (strncmp(c->name, "PMC", 3) != 0 &&
	    strncmp(c->name, "FIXC", 4) != 0) {
		import_fail(t, "%.*s counts in a unit outside the cores: such "
			    "an event has no name here", (int)unit, c->name);
		return NULL;
	}
	if (strlen(c->name + unit) >= sizeof(options)) {
		import_fail(t, "the options of %.*s are too long", (int)unit,
			    c->name);
		return NULL;
	}
	text_copy(options, sizeof(options), c->name + unit +
		  (c->name[unit] == ':'));
	return counter_event(t, options, c->event, event) ?
	       operand_of(t, event) : NULL;
}
