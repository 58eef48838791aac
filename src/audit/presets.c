/* SPDX-License-Identifier: MIT */
/*
 * PAPI's presets: operands that libpfm4 lacks, formulas that their operands do
 * not fit, sums that are not the presets that their names say, one preset with
 * two definitions.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/text.h"

/* ---- PAPI's presets ------------------------------------------------------ */

/* "L2_RQSTS:A:B": each unit mask is looked up beside the event; modifiers
 * "c=1", "e=1" and PMUs in front are passed over. */
static void check_operand(struct audit *a, const struct audit_item *x,
			  char *operand)
{
	char name[ENTRY_NAME], *rest, *event = strtok_r(operand, ":", &rest);
	const char *mask;
	unsigned masks = 0;

	if (!event)
		return;
	while ((mask = strtok_r(NULL, ":", &rest))) {
		if (strchr(mask, '=') || islower((unsigned char)*mask) ||
		    strlen(mask) < 3)
			continue;
		masks++;
		snprintf(name, sizeof(name), "%.120s:%.120s", event, mask);
		if (!audit_event_of(a, x, ENTRY_LIBPFM4, name))
			audit_uses(a, x, ENTRY_LIBPFM4, name);
	}
	if (!masks && !audit_event_of(a, x, ENTRY_LIBPFM4, event))
		audit_find(a, "absent", AUDIT_MEDIUM, x, event, "libpfm4's "
			   "table of the CPU has no such event, or the event "
			   "needs a unit mask");
}

/* Reads a postfix formula: false if an operator lacks operands, or more than
 * one value is left, or an operand is none of the preset's. */
static bool postfix_fits(const char *rpn, unsigned operands)
{
	char word[64];
	int depth = 0;

	while (*rpn) {
		const size_t n = strcspn(rpn, "|");

		snprintf(word, sizeof(word), "%.*s", (int)n, rpn);
		if (n && *word == 'N' &&
		    strtoul(word + 1, NULL, 10) >= operands)
			return false;
		if (*word)
			depth += strchr("+-*/", *word) && !word[1] ? -1 : 1;
		if (n && depth < 1)
			return false;
		rpn += n + (rpn[n] == '|');
	}
	return depth == 1;
}

/* Is "N3" a word of the postfix formula? */
static bool uses_operand(const char *rpn, unsigned number)
{
	char word[16];

	snprintf(word, sizeof(word), "N%u", number);
	while (*rpn) {
		const size_t n = strcspn(rpn, "|");

		if (n == strlen(word) && !strncmp(rpn, word, n))
			return true;
		rpn += n + (rpn[n] == '|');
	}
	return false;
}

/* Arm's L2D_CACHE, and names that say so. */
static bool all_accesses(const char *event)
{
	const size_t n = strlen(event);

	return (n > 6 && !strcmp(event + n - 6, "_CACHE")) ||
	       text_part("ACCESS", event) || text_part("REFERENCE", event);
}

static bool is_sum(const struct audit_item *x)
{
	return !strcasecmp(x->e.formula, "DERIVED_ADD") ||
	       (!strcasecmp(x->e.formula, "DERIVED_POSTFIX") &&
		!strpbrk(x->e.constants, "-*/"));
}

/* Hits from a count of all accesses; misses added to accesses, which have them
 * already: "LD_REF_L1 + LD_MISS_L1". */
static void check_sense(struct audit *a, const struct audit_item *x)
{
	const char *kind = strrchr(x->e.name, '_');
	const char *operands = x->e.operands;

	if (!kind)
		return;
	if (strlen(kind) == 4 && !strcmp(kind + 2, "CH") &&
	    !strchr(operands, ':') &&
	    !strcasecmp(x->e.formula, "NOT_DERIVED") && all_accesses(operands))
		audit_find(a, "sense", AUDIT_MEDIUM, x, operands,
			   "the preset is for hits");
	if (is_sum(x) && text_part("_REF_", operands) && text_part("_MISS_", operands))
		audit_find(a, "sense", AUDIT_MEDIUM, x, operands,
			   "accesses have the misses in them");
}

/* Does one letter differ? (One digit is another event: L1D, L2D.) */
static bool one_letter(const char *x, const char *y)
{
	unsigned changes = 0;

	for (; *x && *y; x++, y++)
		if (*x != *y)
			changes += isalpha((unsigned char)*x) &&
				   isalpha((unsigned char)*y) ? 1 : 2;
	return !*x && !*y && changes == 1;
}

/* An event of the CPU whose name is one letter away; NULL: none. */
static const char *meant(const struct audit *a, const struct audit_item *x,
			 const char *name)
{
	for (size_t i = 0; i < a->events; i++)
		if (a->by_name[i]->e.source != ENTRY_PAPI &&
		    audit_is_home(a, x, a->by_name[i]->table) &&
		    one_letter(a->by_name[i]->e.name, name))
			return a->by_name[i]->e.name;
	return NULL;
}

/* Without libpfm4's table, Arm's or Linux's can say of an Arm CPU. libpfm4 has
 * names of its own for old cores: only a slip of the pen is sure. */
static void check_arm(struct audit *a, const struct audit_item *x,
		      const char *operand)
{
	const char *near;

	if (strncasecmp(x->e.table, "arm", 3) || strchr(operand, ':') ||
	    audit_event_of(a, x, ENTRY_ARM, operand) ||
	    audit_event_of(a, x, ENTRY_LINUX, operand))
		return;
	near = meant(a, x, operand);
	if (near && !audit_is_unread(a, x, ENTRY_ARM, operand) &&
	    !audit_is_unread(a, x, ENTRY_LINUX, operand))
		audit_find(a, "absent", AUDIT_MEDIUM, x, operand, "no table of "
			   "the CPU has such an event, but %s", near);
}

static void check_preset(struct audit *a, const struct audit_item *x)
{
	char list[2048], *rest, *operand;
	const bool known = audit_knows(a, x, ENTRY_LIBPFM4);
	unsigned n = 0;

	text_copy(list, sizeof(list), x->e.operands);
	check_sense(a, x);
	for (operand = strtok_r(list, ",", &rest); operand;
	     operand = strtok_r(NULL, ",", &rest), n++)
		if (known && !strstr(operand, "::"))
			check_operand(a, x, operand);
		else if (!known)
			check_arm(a, x, operand);
	if (!strcasecmp(x->e.formula, "DERIVED_SUB") && n == 1)
		audit_find(a, "formula", AUDIT_MEDIUM, x, x->e.operands,
			   "a difference needs two operands");
	if (strcasecmp(x->e.formula, "DERIVED_POSTFIX"))
		return;
	if (!postfix_fits(x->e.constants, n))
		audit_find(a, "formula", AUDIT_HIGH, x, x->e.constants,
			   "the postfix formula does not fit %s%u operands%s",
			   *x->e.why ? "the first " : "", n,
			   *x->e.why ? ", all that PAPI reads" : "");
	for (unsigned i = 0; i < n; i++)
		if (!uses_operand(x->e.constants, i))
			audit_find(a, "formula", AUDIT_MEDIUM, x,
				   x->e.constants, "the postfix formula leaves "
				   "N%u out", i);
}

/* ---- CPU lines ----------------------------------------------------------- */

/* The PMU of libpfm4 whose name begins the name of a CPU line; NULL: none. */
static const char *shorter_name(const struct audit *a, const char *cpu)
{
	for (size_t i = 0; i < a->tables; i++) {
		const struct audit_table *t = &a->table[i];
		const size_t n = strlen(t->name);

		if (t->source == ENTRY_LIBPFM4 && n && cpu[n] == '_' &&
		    !strncmp(t->name, cpu, n))
			return t->name;
	}
	return NULL;
}

static void check_cpu(struct audit *a, const struct audit_item *first)
{
	const char *cpu = a->table[first->table].name;
	const char *pmu = audit_knows(a, first, ENTRY_LIBPFM4) ? NULL :
			  shorter_name(a, cpu);

	if (pmu)
		audit_find(a, "absent", AUDIT_MEDIUM, first, cpu, "libpfm4 has "
			   "no PMU of that name, but %s: no machine gets the "
			   "presets", pmu);
}

/* ---- presets against each other ------------------------------------------ */

/* The last preset of that name for x's CPU, in x's block of the file or in one
 * before; NULL: none. */
static const struct audit_item *preset_of(const struct audit *a,
					  const struct audit_item *x,
					  const char *name)
{
	const struct audit_item *found = NULL;

	for (const struct audit_item *y = audit_group(a, x);
	     y < a->item + a->items && y->e.file == x->e.file; y++)
		if (y->table == x->table && y != x &&
		    y->e.kind == ENTRY_PRESET && !strcasecmp(y->e.name, name))
			found = y;
	return found;
}

/* "PAPI_L1_TCM" as a sum that has the ICM's one event, but not the DCM's. */
static void check_total(struct audit *a, const struct audit_item *x)
{
	const struct audit_item *data, *code;
	char name[ENTRY_NAME], *kind;

	text_copy(name, sizeof(name), x->e.name);
	kind = strrchr(name, '_');
	if (!kind || kind[1] != 'T' || strlen(kind) != 4 ||
	    strcasecmp(x->e.formula, "DERIVED_ADD"))
		return;
	kind[1] = 'I';
	code = preset_of(a, x, name);
	kind[1] = 'D';
	data = preset_of(a, x, name);
	if (code && data && !strchr(code->e.operands, ',') &&
	    !strchr(data->e.operands, ',') &&
	    text_part(code->e.operands, x->e.operands) &&
	    !text_part(data->e.operands, x->e.operands))
		audit_find(a, "sense", AUDIT_MEDIUM, x, x->e.operands,
			   "%s, line %u, is %s: the sum has another event",
			   data->e.name, data->e.line, data->e.operands);
}

/* A later block may replace what an earlier one says; within one block the
 * second definition is a mistake. */
static void check_twice(struct audit *a, const struct audit_item *x)
{
	for (const struct audit_item *y = audit_group(a, x); y < x; y++)
		if (y->table == x->table && !strcmp(y->e.group, x->e.group) &&
		    !strcasecmp(y->e.name, x->e.name) &&
		    (strcasecmp(y->e.operands, x->e.operands) ||
		     strcasecmp(y->e.formula, x->e.formula)))
			audit_find(a, "twice", AUDIT_MEDIUM, x, x->e.operands,
				   "the preset has another definition in line "
				   "%u: %s", y->e.line, y->e.operands);
}

void audit_presets(struct audit *a)
{
	unsigned last = UINT_MAX;	/* table */

	for (size_t i = 0; i < a->items; i++) {
		const struct audit_item *x = &a->item[i];

		if (!x->audited || x->e.kind != ENTRY_PRESET)
			continue;
		if (x->table != last)
			check_cpu(a, x);
		last = x->table;
		check_preset(a, x);
		check_total(a, x);
		check_twice(a, x);
	}
}
