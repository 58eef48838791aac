/* SPDX-License-Identifier: MIT */
/*
 * Events as perf's metrics and likwid's groups write them -> operands of a
 * formula file. See import.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/import/import.h"
#include "analysis/formulas/loader.h"
#include "base/text.h"

void import_name(char out[ASSAY_NAME], const char *text)
{
	size_t used = 0;

	if (!isalpha((unsigned char)*text) && *text != '_')
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

bool import_fail(struct import *im, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!im->why[0])
		vsnprintf(im->why, sizeof(im->why), format, args);
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

/* ---- terms: event=0x3c,umask=0x1,cmask=1 -------------------------------- */

/* The fields that IA32_PERFEVTSELx (Intel) and PERF_CTLx (AMD) share. */
static const struct { const char *name; unsigned low, bits; } terms[] = {
	{ "event", 0, 8 }, { "umask", 8, 8 }, { "edge", 18, 1 },
	{ "any", 21, 1 }, { "inv", 23, 1 }, { "cmask", 24, 8 },
};

static bool add_term(struct import *im, char *term, uint64_t *config)
{
	char *value = strchr(term, '='), *end = NULL;
	uint64_t number = 1;

	if (value) {
		*value++ = '\0';
		errno = 0;
		number = strtoull(value, &end, 0);
		if (!isdigit((unsigned char)*value) || *end || errno)
			return import_fail(im, "the term %.40s has no number",
					   term);
	}
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		if (strcmp(terms[i].name, term))
			continue;
		if (number >> terms[i].bits)
			return import_fail(im, "the term %.40s is too large",
					   term);
		*config |= number << terms[i].low;
		return true;
	}
	return import_fail(im, "the term %.40s has no place in a code", term);
}

static bool add_terms(struct import *im, char *text, uint64_t *config)
{
	char *term, *rest;

	for (term = strtok_r(text, ",", &rest); term;
	     term = strtok_r(NULL, ",", &rest))
		if (!add_term(im, term, config))
			return false;
	return true;
}

static bool is_core(const char *pmu)
{
	return !strcmp(pmu, "cpu") || !strcmp(pmu, "cpu_core") ||
	       !strcmp(pmu, "cpu_atom");
}

/* "EVENT@cmask=1@" or "PMU@event=0x3c,umask=1@" -> "r10003c" */
static bool with_terms(struct import *im, char *head, char *tail,
		       char event[ASSAY_NAME])
{
	const struct cpu_event *e = im->cpu ? find(im->cpu, head) : NULL;
	uint64_t config = 0;

	tail[strcspn(tail, "@")] = '\0';
	if (!is_core(head) && !e && !im->cpu)
		return import_fail(im, "%.60s has terms: --cpu must say whose "
				   "event it is", head);
	if (!is_core(head) && !e)
		return import_fail(im, "%.60s with terms is not known on "
				   "%.40s", head, im->cpu->name);
	if (im->cpu && im->cpu->geometry.isa == ISA_AARCH64)
		return import_fail(im, "codes of this CPU have no terms");
	config = e ? e->code : 0;
	if (!add_terms(im, tail, &config))
		return false;
	snprintf(event, ASSAY_NAME, "r%llx", (unsigned long long)config);
	return true;
}

static bool translate(struct import *im, const char *text,
		      char event[ASSAY_NAME])
{
	const struct cpu_event *e;
	char copy[256], *at;

	if (strlen(text) >= sizeof(copy))
		return import_fail(im, "an event's name is too long");
	text_copy(copy, sizeof(copy), text);
	at = strchr(copy, '@');
	if (at) {
		*at = '\0';
		return with_terms(im, copy, at + 1, event);
	}
	/* likwid's options: PMC0:EDGEDETECT */
	e = im->cpu ? find(im->cpu, copy) : NULL;
	if (e)
		snprintf(copy, sizeof(copy), "%s", e->name);
	if (strlen(copy) >= ASSAY_NAME || strpbrk(copy, " ,\t\"") || !*copy)
		return import_fail(im, "'%.60s' is no event's name", copy);
	text_copy(event, ASSAY_NAME, copy);
	return true;
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
	if (im->avoid && im->avoid(im->ctx, name))
		return true;
	return !strcmp(name, "min") || !strcmp(name, "max");
}

const struct import_operand *import_event(struct import *im,
					  const char *text)
{
	struct import_operand *o = &im->operand[im->operands];
	char event[ASSAY_NAME] = "", base[ASSAY_NAME];

	if (!translate(im, text, event))
		return NULL;
	for (unsigned i = 0; i < im->operands; i++)
		if (text_equal(im->operand[i].event, event))
			return &im->operand[i];
	if (im->operands == IMPORT_OPERANDS) {
		import_fail(im, "a file has at most %d events: choose metrics "
			    "by a part of their names", IMPORT_OPERANDS);
		return NULL;
	}
	import_name(base, event);
	snprintf(o->name, sizeof(o->name), "%s", base);
	for (int n = 2; is_name_used(im, o->name); n++)
		snprintf(o->name, sizeof(o->name), "%.50s_%d", base, n);
	text_copy(o->event, sizeof(o->event), event);
	o->unknown = im->cpu && !cpu_event_find(im->cpu, event) &&
		     !cpu_generic_find(im->cpu, event) && !strchr(text, '@');
	im->operands++;
	return o;
}
