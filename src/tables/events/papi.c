/* SPDX-License-Identifier: MIT */
/*
 * PAPI's presets, papi_events.csv: CPU lines one after the other name the PMUs
 * that the PRESET lines below are for. Any other keyword ends the block.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "tables/events/reading.h"

enum { BLOCK_CPUS = 64, FIELD_BYTES = 2048 };
enum { OPERANDS = 12 };		/* PAPI's PAPI_EVENTS_IN_DERIVED_EVENT */

struct block {
	const char *cpu[BLOCK_CPUS];
	unsigned cpus;
	unsigned line;	/* of the first CPU line */
	bool presets;	/* a PRESET line was seen */
};

/* The next field, without blanks at its ends; NULL: there is none. Empty
 * fields are passed over. */
static char *next_field(char **rest)
{
	char *field = strtok_r(NULL, ",", rest), *end;

	if (!field)
		return NULL;
	field += strspn(field, " \t\r");
	end = field + strlen(field);
	while (end > field && strchr(" \t\r", end[-1]))
		*--end = '\0';
	return field;
}

static bool begins_note(const char *field)
{
	return !strcasecmp(field, "NOTE") || !strcasecmp(field, "LDESC") ||
	       !strcasecmp(field, "SDESC");
}

static bool derives(const char *kind)
{
	static const char *const kinds[] = {
		"NOT_DERIVED", "DERIVED_ADD", "DERIVED_PS", "DERIVED_ADD_PS",
		"DERIVED_CMPD", "DERIVED_SUB", "DERIVED_POSTFIX",
		"DERIVED_INFIX",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcasecmp(kinds[i], kind))
			return true;
	return false;
}

static int emit(const struct reading *r, const struct block *b,
		struct entry *e)
{
	int rc = 0;

	for (unsigned i = 0; i < b->cpus && !rc; i++) {
		e->table = b->cpu[i];
		if (!r->cpu || table_named(e->table, r->cpu))
			rc = r->fn(r->ctx, e);
	}
	return rc;
}

static int read_preset(const struct reading *r, const struct block *b,
		       unsigned line, char *rest)
{
	struct entry e = reading_entry(r, ENTRY_PAPI, line);
	char operands[FIELD_BYTES] = "", block[32], *field = next_field(&rest);
	unsigned n = 0;

	snprintf(block, sizeof(block), "line %u", b->line);
	e.kind = ENTRY_PRESET;
	e.group = block;
	e.name = field ? field : "";
	field = next_field(&rest);
	e.formula = field ? field : "";
	if (!derives(e.formula)) {
		e.kind = ENTRY_UNREAD;
		e.why = "PAPI ignores the preset: its second field is no kind "
			"of derivation";
		return emit(r, b, &e);
	}
	if (field && (!strcasecmp(field, "DERIVED_POSTFIX") ||
		      !strcasecmp(field, "DERIVED_INFIX"))) {
		field = next_field(&rest);
		e.constants = field ? field : "";
	}
	while ((field = next_field(&rest)) && *field && !begins_note(field))
		if (n++ < OPERANDS)
			text_add(operands, sizeof(operands), ",", "%s", field);
	if (n > OPERANDS)
		e.why = "PAPI reads the first 12 operands and leaves the "
			"others out";
	field = field && *field ? next_field(&rest) : NULL;
	e.text = field ? field : "";
	e.operands = operands;
	e.table = b->cpus ? b->cpu[0] : "";
	if (strlen(operands) == sizeof(operands) - 1)
		return reading_bad(r, &e, true, "a preset of more than 2048 "
				   "characters");
	return emit(r, b, &e);
}

static int add_cpu(const struct reading *r, struct block *b, unsigned line,
		   char *rest)
{
	struct entry e = reading_entry(r, ENTRY_PAPI, line);
	const char *name = next_field(&rest);

	if (b->presets)
		*b = (struct block){ .cpus = 0 };
	if (!name || !*name)
		return 0;
	if (b->cpus == BLOCK_CPUS) {
		e.table = name;
		return reading_bad(r, &e, true, "more than 64 CPU lines in a "
				   "block");
	}
	b->line = b->cpus ? b->line : line;
	b->cpu[b->cpus++] = name;
	return 0;
}

static int read_line(const struct reading *r, struct block *b, unsigned line,
		     char *text)
{
	char *rest, *word = strtok_r(text, ",", &rest);

	if (word)
		word += strspn(word, " \t\r");
	if (!word || !*word || *word == '#')
		return 0;
	if (!strcasecmp(word, "CPU"))
		return add_cpu(r, b, line, rest);
	if (!strcasecmp(word, "PRESET") || !strcasecmp(word, "EVENT")) {
		b->presets = true;
		return read_preset(r, b, line, rest);
	}
	*b = (struct block){ .cpus = 0 };
	return 0;
}

int read_papi(const struct reading *r, char *text)
{
	struct block block = { .cpus = 0 };
	unsigned number = 0;
	char *line;
	int rc = 0;

	while (!rc && (line = strsep(&text, "\n"))) {
		number++;
		rc = read_line(r, &block, number, line);
	}
	return rc;
}
