/* SPDX-License-Identifier: MIT */
/*
 * Which quantity another tool's metric claims to be, by the metric's name, so
 * that `assay judge` can compare the metric with that quantity. Only names with
 * one meaning are accepted: "L2 misses" may mean lookups that missed or lines
 * that were refilled, so that metric gets no claim.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "analysis/import/import.h"
#include "base/text.h"

enum { PHRASE = 80 };

/* Names as phrase() returns them; quantities' own names need no row. */
static const struct { const char *phrase, *quantity; } meanings[] = {
	{ "instruction", "instructions" },
	{ "core cycle", "cycles" },
	{ "clock cycle", "cycles" },
	{ "load instruction", "loads" },
	{ "store instruction", "stores" },
	{ "branch instruction", "branches" },
	{ "taken branch", "branches_taken" },
	{ "mispredicted branch", "mispredicts" },
	{ "branch mispredict", "mispredicts" },
	{ "branch misprediction", "mispredicts" },
	{ "branch miss", "mispredicts" },
	{ "l1d replacement", "l1d_refills" },
	{ "l1d cache refill", "l1d_refills" },
	{ "l2 cache refill", "l2_refills" },
	{ "dtlb miss", "dtlb_misses" },
	{ "data tlb miss", "dtlb_misses" },
	{ "itlb miss", "itlb_misses" },
	{ "code tlb miss", "itlb_misses" },
	{ "page table walk", "page_walks" },
};

static bool is_filler(const char *word)
{
	static const char *const fillers[] = { "retired", "total", "number",
					       "of", "count", "the" };

	for (size_t i = 0; i < sizeof(fillers) / sizeof(*fillers); i++)
		if (!strcmp(word, fillers[i]))
			return true;
	return false;
}

/* "branches" -> "branch", "misses" -> "miss", "loads" -> "load" */
static void singular(char *word)
{
	static const char *const es[] = { "sses", "ches", "xes" };
	const size_t n = strlen(word);

	for (size_t i = 0; i < sizeof(es) / sizeof(*es); i++) {
		const size_t length = strlen(es[i]);

		if (n > length && !strcmp(word + n - length, es[i])) {
			word[n - 2] = '\0';
			return;
		}
	}
	if (n > 2 && word[n - 1] == 's' && word[n - 2] != 's')
		word[n - 1] = '\0';
}

/* Small letters, one blank between words, singular, no fillers. */
static void phrase(char out[PHRASE], const char *name)
{
	size_t used = 0;

	*out = '\0';
	while (*name) {
		char word[32];
		size_t n = 0;

		for (; isalnum((unsigned char)*name); name++)
			if (n < sizeof(word) - 1)
				word[n++] = (char)tolower(
					(unsigned char)*name);
		word[n] = '\0';
		singular(word);
		if (n && !is_filler(word) && used + n + 2 < PHRASE)
			used += (size_t)snprintf(out + used, PHRASE - used,
						 "%s%s", used ? " " : "",
						 word);
		while (*name && !isalnum((unsigned char)*name))
			name++;
	}
}

static int quantity_of(const char *said)
{
	char own[PHRASE];

	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (!strcmp(meanings[i].phrase, said))
			return assay_quantity_find(meanings[i].quantity);
	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		phrase(own, assay_quantity_name(q));
		if (*said && !strcmp(own, said))
			return q;
	}
	return -1;
}

int import_claim(const struct metric_item *item, const char *is)
{
	char said[PHRASE];

	/* a scaled value, or one in another unit, is no count */
	if (strpbrk(is, "*/") || (*item->unit && strcmp(item->unit, "1")))
		return -1;
	phrase(said, item->name);
	return quantity_of(said);
}

/* ---- the numerator of a rate -------------------------------------------- */

static bool cut_end(char *said, const char *end, const char *instead)
{
	const size_t n = strlen(said), length = strlen(end);

	if (n <= length || strcmp(said + n - length, end) != 0)
		return false;
	text_copy(said + n - length, PHRASE - (n - length), instead);
	return true;
}

/*
 * The text between an outer "d_ratio(" and its comma, or before the only '/':
 * *from and its length; 0: there is no such text.
 */
static size_t numerator(const char *text, const char **from)
{
	static const char ratio[] = "d_ratio(";
	const char *at = text, *cut = NULL;
	int depth = 0;

	if (!strncmp(text, ratio, sizeof(ratio) - 1))
		at = text + sizeof(ratio) - 1;
	*from = at;
	for (const char *c = at; *c; c++) {
		depth += *c == '(';
		depth -= *c == ')';
		if (depth || (at == text ? *c != '/' : *c != ','))
			continue;
		if (cut)
			return 0;
		cut = c;
	}
	return cut ? (size_t)(cut - at) : 0;
}

/* Skips the factor of "1e3 * EVENT", which only scales the display. */
static void drop_scale(const char **from, size_t *length)
{
	size_t n = strspn(*from, "0123456789.eE+ ");

	if (n && n < *length && (*from)[n] == '*') {
		*from += n + 1;
		*length -= n + 1;
	}
}

bool import_numerator(struct import_rate *out, const struct metric_item *item)
{
	char *const said = out->name;
	const char *from;
	size_t length;

	_Static_assert(sizeof(out->name) >= PHRASE, "a phrase fits");
	phrase(said, item->name);
	if (!cut_end(said, " rate", "") && !cut_end(said, " ratio", "") &&
	    !cut_end(said, " mpki", " miss") &&
	    !cut_end(said, " per instruction", ""))
		return false;
	if (strpbrk(item->expression, "@\\") || quantity_of(said) < 0)
		return false;
	length = numerator(item->expression, &from);
	drop_scale(&from, &length);
	if (!length || length >= sizeof(out->expression))
		return false;
	memcpy(out->expression, from, length);
	out->expression[length] = '\0';
	out->item = (struct metric_item){
		.name = out->name, .expression = out->expression,
		.about = "", .unit = "",
	};
	return true;
}
