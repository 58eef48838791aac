/* SPDX-License-Identifier: MIT */
/* The comparison in one sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "compare/parts.h"

/* A costlier change goes before a cheaper one, a worse before a better one. */
static bool before(const struct change *a, const struct change *b)
{
	static const int order[] = {
		[COMPARE_WORSE] = 3, [COMPARE_BETTER] = 2, [COMPARE_OTHER] = 1,
		[COMPARE_SAME] = 0, [COMPARE_UNKNOWN] = 0,
	};
	const double ca = compare_cost(a->name) * fabs(a->by.new - a->by.old);
	const double cb = compare_cost(b->name) * fabs(b->by.new - b->by.old);

	if (ca != cb)
		return ca > cb;
	if (order[a->by.state] != order[b->by.state])
		return order[a->by.state] > order[b->by.state];
	return change_size(&a->by) > change_size(&b->by);
}

const struct change *answer_head(const struct pair *pair, size_t pairs)
{
	const struct change *head = NULL;

	for (size_t i = 0; i < pairs; i++)
		for (size_t k = 0; k < pair[i].changes; k++) {
			const struct change *c = &pair[i].change[k];

			if (c->by.state != COMPARE_SAME &&
			    c->by.state != COMPARE_UNKNOWN &&
			    (!head || before(c, head)))
				head = c;
		}
	return head;
}

static void number(char *out, size_t room, double value)
{
	if (value == floor(value) && value >= 0 && value < 1e15)
		text_groups(out, room, (uint64_t)value);
	else
		snprintf(out, room, "%.4g", value);
}

void answer_place(char *out, size_t room, const struct held *held)
{
	const struct place_row *row = held->line;
	const char *line, *name;

	*out = '\0';
	if (!row)
		return;
	line = lines_base_name(row->line);
	name = *row->function ? row->function : lines_base_name(row->object);
	snprintf(out, room, *line ? "%s (%s)" : "%s", name, line);
}

/* ", 904 000 of 904 963 more l1d_misses in main (a.c:7)" */
static void say_place(char *out, size_t room, const struct change *head,
		      const struct lines *lines)
{
	const bool up = head->by.new > head->by.old;
	const char *column = compare_column(head->name);
	const struct held held = lines_held(lines, lines_column(column), up);
	char place[400], by[40];

	if (!held.line)
		return;
	answer_place(place, sizeof(place), &held);
	number(by, sizeof(by), fabs(held.change));
	text_add(out, room, ", ", "%s %s %s in %s", by, up ? "more" : "fewer",
		 column, place);
}

/* " (2 worse, 3 better, 34 unchanged)" */
static void say_counts(char *out, size_t room, const struct counted *counted)
{
	static const struct { enum compare_state state; const char *word; }
	words[] = {
		{ COMPARE_WORSE, "worse" }, { COMPARE_BETTER, "better" },
		{ COMPARE_OTHER, "changed" }, { COMPARE_SAME, "unchanged" },
		{ COMPARE_UNKNOWN, "not compared" },
	};
	char counts[160] = "";

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (counted->state[words[i].state])
			text_add(counts, sizeof(counts), ", ", "%u %s",
				 counted->state[words[i].state], words[i].word);
	text_add(out, room, " ", "(%s)", counts);
}

void answer_say(char *out, size_t room, const struct change *head,
		const struct lines *lines, const struct counted *counted)
{
	char old[40], new[40];

	*out = '\0';
	if (head) {
		number(old, sizeof(old), head->by.old);
		number(new, sizeof(new), head->by.new);
		snprintf(out, room, "%s: %s %s -> %s",
			 compare_state_words[head->by.state], head->name, old,
			 new);
		if (head->by.old != 0)
			text_add(out, room, " ", "(%+.1f %%)", 100 *
				 (head->by.new - head->by.old) /
				 fabs(head->by.old));
		say_place(out, room, head, lines);
	} else {
		text_copy(out, room, "no change is shown");
	}
	say_counts(out, room, counted);
}
