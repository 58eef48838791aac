/* SPDX-License-Identifier: MIT */
/*
 * Event tables of any bytes: each form's reader gives entries, bad ones with a
 * place, whose texts are there, whose encodings equal themselves, and
 * whose names have a normal form. The first byte chooses the form.
 */
#include "fuzz.h"

#include <stdio.h>

#include "tables/events/reading.h"

static int check(void *ctx, const struct entry *e)
{
	const char *const texts[] = {
		e->file, e->table, e->name, e->alias, e->text, e->group,
		e->formula, e->operands, e->constants, e->why, e->code.unit,
		e->code.counters, e->code.options,
	};
	char name[ENTRY_NAME], text[100];
	uint64_t number[CODE_LIST];

	(void)ctx;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		need(texts[i] != NULL);
	need(e->line > 0 && e->source < ENTRY_SOURCES);
	need((e->kind == ENTRY_UNREAD || e->kind == ENTRY_BAD) <=
	     (*e->why != '\0'));
	need(e->kind != ENTRY_BAD || e->col > 0);
	need(e->code.selects <= CODE_LIST && e->code.umasks <= CODE_LIST &&
	     e->code.msrs <= CODE_LIST);
	need(event_code_compare(&e->code, &e->code) == CODE_EQUAL);
	entry_normal_name(name, e->name, e->code.unit);
	need(strlen(name) < sizeof(name) && !strpbrk(name, ".:- \t"));
	entry_text(text, sizeof(text), e->text);
	need(strlen(text) < sizeof(text) && !strpbrk(text, "\n\r\t\033"));
	code_numbers(number, CODE_LIST, e->name);
	return 0;
}

static void check_pattern(const char *pattern)
{
	static const struct cpu_match match = {
		.vendor = "GenuineIntel", .family = 6, .models = 1,
		.model = { 0x55 }, .steppings = 1, .stepping = { 4 },
	};

	table_pattern_matches(pattern, &match);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct kept_entries *std = kept_new();
	struct assay_error err = { 0 };
	struct reading r = { .file = "t", .table = "x", .core = "",
			     .fn = check, .err = &err, .std = std };
	char *text;
	int rc = 0;

	if (!bytes)
		return kept_free(std), 0;
	text = strndup((const char *)data + 1, bytes - 1);
	need(text && std);
	switch (data[0] % 8) {
	case 0:
		rc = read_json_table(&r, text, strlen(text));
		r.fn = kept_add;
		r.ctx = std;
		need(!rc && !read_json_table(&r, text, strlen(text)));
		break;
	case 1:
		rc = read_likwid_events(&r, text);
		break;
	case 2:
		rc = read_likwid_group(&r, text);
		break;
	case 3:
		rc = read_papi(&r, text);
		break;
	default:
		check_pattern(text);
	}
	need(!rc);
	kept_free(std);
	free(text);
	return 0;
}
