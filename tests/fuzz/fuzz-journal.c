/* SPDX-License-Identifier: MIT */
/*
 * A journal of any bytes: what is read from it is a setting that may be
 * written, and is the same again after being written and read. The sums of
 * lines are put right first, because no mutation would find them.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "env/settings/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define MOST 64

static void need(int true_or_bug)
{
	if (!true_or_bug)
		abort();
}

static void check(const char *text, size_t bytes)
{
	static struct setting out[MOST], again[2];
	unsigned damaged, d;
	char line[256];
	size_t n = journal_parse(out, MOST, text, bytes, &damaged), length;

	need(n <= MOST);
	for (size_t i = 0; i < n; i++) {
		char complete[320] = "assay-journal 1\n";

		need(setting_valid(out[i].kind, out[i].cpu, out[i].was));
		need(setting_valid(out[i].kind, out[i].cpu, out[i].now));
		length = journal_line(line, sizeof(line), &out[i]);
		need(length);
		strcat(complete, line);
		need(journal_parse(again, 2, complete, strlen(complete), &d) == 1);
		need(!d && !memcmp(again[0].was, out[i].was,
				   strlen(out[i].was) + 1));
	}
}

/* The eight digits at the end of each line become its sum. */
static void seal(char *text, size_t bytes)
{
	static const char digit[] = "0123456789abcdef";
	size_t from = 0;

	for (size_t at = 0; at < bytes; at++) {
		uint32_t sum = 2166136261u;

		if (text[at] != '\n')
			continue;
		if (at - from > 9 && text[at - 9] == ' ') {
			for (size_t i = from; i < at - 8; i++)
				sum = (sum ^ (unsigned char)text[i]) *
				      16777619u;
			for (int i = 0; i < 8; i++)
				text[at - 8 + (size_t)i] =
					digit[sum >> (28 - 4 * i) & 15];
		}
		from = at + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);

	need(text != NULL);
	memcpy(text, data, bytes);
	check(text, bytes);
	seal(text, bytes);
	check(text, bytes);
	free(text);
	return 0;
}
