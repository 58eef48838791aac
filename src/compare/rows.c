/* SPDX-License-Identifier: MIT */
/* Rows of a comparison. See rows.h. */
#include "compare/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"

#define FEW 64			/* counts: a change among so few goes last */

/* ---- cells --------------------------------------------------------------- */

static struct assay_value absent(const char *why)
{
	return (struct assay_value){ .why = why };
}

static struct assay_field number(const char *name, double value)
{
	struct assay_field field = field_value(name, isnan(value) ?
					       absent("not counted") :
					       plain_value(value));

	field.decimals = value < 100 ? 3 : 0;
	return field;
}

/* The change as a share of the old value. */
static struct assay_field share(const char *name, double change, double old)
{
	struct assay_field field =
		field_share(name, change == 0 ? plain_value(0) :
			    old == 0 ? absent("the old value is 0") :
			    plain_value(change / fabs(old)));

	field.decimals = 2;
	return field;
}

static const char *shape_label(char *out, size_t room, const struct pair *pair)
{
	return pair ? groups_label(out, room, pair->old) : "";
}

/* ---- answer, limits ------------------------------------------------------ */

int rows_answer(const struct rows_out *out, const struct change *head,
		const struct lines *lines, const struct counted *counted)
{
	const unsigned *state = counted->state;
	const char *column = head ? compare_column(head->name) : NULL;
	char text[1024], place[400] = "";

	answer_say(text, sizeof(text), head, lines, counted);
	if (head) {
		const struct held held = lines_held(
			lines, lines_column(column),
			head->by.new > head->by.old);

		answer_place(place, sizeof(place), &held);
	}
	return ROW_EMIT(out->fn, out->ctx, "answer", ((struct assay_field[]){
		field_text("answer", text), field_text("place", place),
		field_text("quantity", head ? head->name : ""),
		field_text("column", column ? column : ""),
		field_count("better", state[COMPARE_BETTER]),
		field_count("worse", state[COMPARE_WORSE]),
		field_count("changed", state[COMPARE_OTHER]),
		field_count("same", state[COMPARE_SAME]),
		field_count("not compared", state[COMPARE_UNKNOWN]),
		field_text("file", out->file),
	}));
}

int rows_limit(const struct rows_out *out, const char *limit,
	       const struct judged *judged, const struct pair *pair)
{
	static const char *const words[] = {
		[COMPARE_KEPT] = "kept", [COMPARE_EXCEEDED] = "exceeded",
		[COMPARE_NOT_JUDGED] = "not judged",
	};
	const bool known = judged->kept != COMPARE_NOT_JUDGED;
	char of[200];

	return ROW_EMIT(out->fn, out->ctx, "limit", ((struct assay_field[]){
		field_text("limit", limit),
		field_text("state", words[judged->kept]),
		known ? number("difference", judged->change) :
			field_value("difference", absent(judged->why)),
		known ? share("change", judged->change, judged->old) :
			field_value("change", absent(judged->why)),
		field_detail("of", shape_label(of, sizeof(of), pair)),
		field_detail("why", judged->why),
		field_detail("file", out->file),
	}));
}

/* ---- changes ------------------------------------------------------------- */

/* Small counts change by large shares: they go last. */
static bool few(const struct change *c)
{
	return c->by.exact && fabs(c->by.old) < FEW && fabs(c->by.new) < FEW;
}

/* What is not compared goes last, after what did not change. */
static int by_size(const void *pa, const void *pb)
{
	const struct change *a = *(const struct change *const *)pa;
	const struct change *b = *(const struct change *const *)pb;
	const bool ua = a->by.state == COMPARE_UNKNOWN;
	const bool ub = b->by.state == COMPARE_UNKNOWN;
	const bool sa = a->by.state == COMPARE_SAME;
	const bool sb = b->by.state == COMPARE_SAME;
	const double ca = ua ? 0 : change_size(&a->by);
	const double cb = ub ? 0 : change_size(&b->by);

	if (ua != ub || sa != sb)
		return ua != ub ? ua - ub : sa - sb;
	if (few(a) != few(b))
		return few(a) - few(b);
	return ca != cb ? (ca < cb) - (ca > cb) : strcmp(a->name, b->name);
}

static void say_basis(char *out, size_t room, const struct change *c)
{
	*out = '\0';
	if (c->by.exact)
		text_copy(out, room, "exact");
	else if (c->by.state != COMPARE_UNKNOWN)
		snprintf(out, room, "medians of %zu and %zu", c->values[0],
			 c->values[1]);
}

static int change_row(const struct rows_out *out, const struct change *c,
		      const struct pair *pair)
{
	const struct compare_change *by = &c->by;
	const bool known = by->state != COMPARE_UNKNOWN;
	const struct assay_value why = absent(c->why);
	char of[200], basis[80];

	say_basis(basis, sizeof(basis), c);
	return ROW_EMIT(out->fn, out->ctx, "change", ((struct assay_field[]){
		field_text("quantity", c->name),
		field_detail("of", shape_label(of, sizeof(of), pair)),
		known ? number("old", by->old) : field_value("old", why),
		known ? number("new", by->new) : field_value("new", why),
		known ? share("change", by->new - by->old, by->old) :
			field_value("change", why),
		known ? share("low", by->low, by->old) :
			field_value("low", why),
		known ? share("high", by->high, by->old) :
			field_value("high", why),
		field_text("state", compare_state_words[by->state]),
		field_detail("basis", basis),
		known && !by->exact ?
			field_value("chance", plain_value(by->chance)) :
			field_value("chance", absent(known ? "exact" : c->why)),
		field_detail("unit", c->unit ? c->unit : ""),
		field_detail("why", c->why),
		field_detail("file", out->file),
	}));
}

int rows_changes(const struct rows_out *out, const struct pair *pair,
		 size_t pairs, struct assay_error *err)
{
	const struct change **sorted;
	size_t n = 0, all = 0;
	int rc = 0;

	for (size_t i = 0; i < pairs; i++)
		all += pair[i].changes;
	sorted = calloc(all + 1, sizeof(*sorted));
	if (!sorted)
		return error_memory(err);
	for (size_t i = 0; i < pairs; i++)
		for (size_t k = 0; k < pair[i].changes; k++)
			sorted[n++] = &pair[i].change[k];
	qsort(sorted, n, sizeof(*sorted), by_size);
	for (size_t i = 0; i < n && !rc; i++)
		rc = change_row(out, sorted[i], pairs > 1 ?
				&pair[sorted[i]->pair] : NULL);
	free(sorted);
	return rc;
}

/* ---- places -------------------------------------------------------------- */

struct place { const struct line_pair *pair; int column; double size; };

static int by_change(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->column != b->column)
		return a->column - b->column;
	if (a->size != b->size)
		return (a->size < b->size) - (a->size > b->size);
	return (a->pair > b->pair) - (a->pair < b->pair);
}

static int place_row(const struct rows_out *out, const struct place *place)
{
	const struct place_row *row = lines_row(place->pair);
	const char *quantity = place_columns[place->column];
	const double old = lines_old(place->pair, place->column);
	const double new = lines_new(place->pair, place->column);
	struct assay_field line = field_text("line", row->line);
	struct assay_field object = field_detail("object", row->object);

	line.flags |= ASSAY_FIELD_PATH;
	object.flags |= ASSAY_FIELD_PATH;
	return ROW_EMIT(out->fn, out->ctx, "place", ((struct assay_field[]){
		field_text("function", row->function), line,
		field_text("quantity", quantity), number("old", old),
		number("new", new), share("change", new - old, old),
		field_text("state", compare_state_words[compare_state_of(
			old, new, compare_better(quantity))]),
		object, field_detail("file", out->file),
	}));
}

int rows_places(const struct rows_out *out, const struct lines *lines,
		struct assay_error *err)
{
	struct place *place = calloc(lines->pairs * TALLY_COLUMNS + 1,
				     sizeof(*place));
	size_t n = 0;
	int rc = 0;

	if (!place)
		return error_memory(err);
	for (size_t i = 0; i < lines->pairs; i++)
		for (int c = 0; c < TALLY_COLUMNS; c++) {
			const double size = fabs(lines_new(&lines->pair[i], c) -
						 lines_old(&lines->pair[i], c));

			if (size > 0)
				place[n++] = (struct place){ &lines->pair[i], c,
							     size };
		}
	qsort(place, n, sizeof(*place), by_change);
	for (size_t i = 0; i < n && !rc; i++)
		rc = place_row(out, &place[i]);
	free(place);
	return rc;
}

/* ---- what was not the same ----------------------------------------------- */

static int differs(const struct rows_out *out, const char *what,
		   const char *old, const char *new)
{
	if (!strcmp(old, new))
		return 0;
	return ROW_EMIT(out->fn, out->ctx, "differs", ((struct assay_field[]){
		field_text("what", what), field_text("old", old),
		field_text("new", new), field_detail("file", out->file),
	}));
}

static const char *option_word(char out[32], const struct assay_shape *shape,
			       const char *name)
{
	const int at = assay_shape_find(shape, name);

	if (at < 0)
		return "";
	if (shape->option[at].kind == ASSAY_OPTION_CHOICE)
		return shape->option[at].word;
	snprintf(out, 32, "%" PRId64, shape->option[at].value);
	return out;
}

static int differing_options(const struct rows_out *out,
			     const struct assay_shape *old,
			     const struct assay_shape *new)
{
	int rc = 0;

	for (unsigned i = 0; i < old->options && !rc; i++) {
		const char *name = old->option[i].name;
		char a[32], b[32];

		rc = differs(out, name, option_word(a, old, name),
			     option_word(b, new, name));
	}
	return rc;
}

int rows_missing(const struct rows_out *out, const struct group *group,
		 bool old)
{
	char label[200];

	groups_label(label, sizeof(label), group);
	return differs(out, "shape", old ? label : "not there",
		       old ? "not there" : label);
}

int rows_differs(const struct rows_out *out, const struct assay_record *old,
		 const struct assay_record *new)
{
	const struct { const char *what, *old, *new; } part[] = {
		{ "cpu", old->machine.cpu, new->machine.cpu },
		{ "isa", old->machine.isa, new->machine.isa },
		{ "host", old->machine.host, new->machine.host },
		{ "kernel", old->machine.kernel, new->machine.kernel },
		{ "hypervisor", old->machine.hypervisor,
		  new->machine.hypervisor },
		{ "microcode", old->machine.microcode,
		  new->machine.microcode },
		{ "page map", old->settings.page_map, new->settings.page_map },
		{ "pages", old->settings.pages, new->settings.pages },
		{ "program", old->shape.options ? "" : old->settings.options,
		  new->shape.options ? "" : new->settings.options },
	};
	int rc = differing_options(out, &old->shape, &new->shape);

	for (size_t i = 0; i < sizeof(part) / sizeof(*part) && !rc; i++)
		rc = differs(out, part[i].what, part[i].old, part[i].new);
	return rc;
}
