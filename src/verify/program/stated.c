/* SPDX-License-Identifier: MIT */
/* What the user states of a program. See stated.h. */
#include "verify/program/stated.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/formulas/formula.h"
#include "base/expr.h"
#include "base/record.h"
#include "base/text.h"
#include "kernels/kernel.h"
#include "run/identities.h"
#include "run/import.h"

#define MOST 64			/* expressions, and names in them */

/*
 * The most that starting a program adds to a count that is stated of its work:
 * the loader and the C library execute some 10^5 instructions.
 */
#define START_UP 1e6

struct stated_one {
	char event[ASSAY_NAME];
	struct expr expr;
	bool seen;		/* a record has the event */
};

struct stated {
	const char *text;	/* for messages */
	struct stated_one of[MOST];
	unsigned count;
	char name[MOST][ASSAY_NAME];	/* names in the expressions */
	double value[MOST];	/* NAN: an option of the record */
	unsigned names;
	struct store witness;	/* of a file; else empty */
	struct formula_file *generic;	/* which event is which quantity */
	const struct assay_record *record;	/* for look_up() */
};

/* ---- expressions --------------------------------------------------------- */

static int find_name(void *ctx, const char *name)
{
	struct stated *s = ctx;

	for (unsigned i = 0; i < s->names; i++)
		if (!strcmp(s->name[i], name))
			return (int)i;
	if (s->names == MOST || strlen(name) >= ASSAY_NAME)
		return -1;
	text_copy(s->name[s->names], ASSAY_NAME, name);
	s->value[s->names] = NAN;
	return (int)s->names++;
}

static int set_names(struct stated *s, const struct assay_verification *ask,
		     struct assay_error *err)
{
	for (size_t i = 0; i < ask->sets; i++) {
		const int at = find_name(s, ask->set[i].name);
		char *end;
		const double value = strtod(ask->set[i].text, &end);

		if (at < 0 || end == ask->set[i].text || *end ||
		    !isfinite(value))
			return error_set(err, -ASSAY_EINVAL, "--set %.60s: "
					 "'%.60s' is no number",
					 ask->set[i].name, ask->set[i].text);
		s->value[at] = value;
	}
	return 0;
}

static int mistake(const struct stated *s, const char *at, const char *why,
		   struct assay_error *err)
{
	return error_at(err, "--truth", s->text, 1,
			(unsigned)(at - s->text) + 1, "%s", why);
}

/* Where the name of an event ends: the last '=' whose right side has no
 * comma-free mark of an event, as in "cpu/event=0x3c/=2*n". */
static const char *equals(const char *from, size_t n)
{
	const char *slash = memchr(from, '/', n), *other;

	other = slash ? memchr(slash + 1, '/', n - (size_t)(slash + 1 - from)) :
			NULL;
	return other ? memchr(other, '=', n - (size_t)(other - from)) :
		       memchr(from, '=', n);
}

static int add_one(struct stated *s, const char *from, size_t n,
		   struct assay_error *err)
{
	struct stated_one *one = &s->of[s->count];
	const char *equal = equals(from, n);
	struct assay_error why = { 0 };
	size_t column = 0, length;
	char text[512];

	if (!equal || equal == from)
		return mistake(s, from, "EVENT=EXPRESSION is wanted here", err);
	length = (size_t)(equal - from);
	while (length && isspace((unsigned char)from[length - 1]))
		length--;
	if (length >= ASSAY_NAME || s->count == MOST ||
	    n - (size_t)(equal - from) > sizeof(text))
		return mistake(s, from, "this is too long", err);
	snprintf(one->event, sizeof(one->event), "%.*s", (int)length, from);
	snprintf(text, sizeof(text), "%.*s", (int)(from + n - equal) - 1,
		 equal + 1);
	if (expr_parse(&one->expr, text, find_name, s, &column, &why) < 0)
		return mistake(s, equal + 1 + column, why.text, err);
	s->count++;
	return 0;
}

static int read_expressions(struct stated *s, struct assay_error *err)
{
	const char *at = s->text;
	int rc = 0;

	while (*at && !rc) {
		const size_t n = strcspn(at, ";");
		const size_t blanks = strspn(at, " ");

		if (blanks < n)
			rc = add_one(s, at + blanks, n - blanks, err);
		at += n + (at[n] == ';');
	}
	if (!rc && !s->count)
		rc = mistake(s, s->text, "EVENT=EXPRESSION is wanted here",
			     err);
	return rc;
}

/* ---- files --------------------------------------------------------------- */

static bool has_truth(const struct assay_record *r)
{
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (!r->truth.of[q].why)
			return true;
	return false;
}

static int read_witness(struct stated *s, const char *data_dir,
			struct assay_error *err)
{
	const struct import_source source = { .path = s->text,
					      .data_dir = data_dir };
	struct imported in;
	int rc = import_read(&in, &source, err);

	if (rc)
		return rc;
	s->witness = in.store;
	if (in.store.records == 1 && has_truth(in.store.record[0]))
		return 0;
	error_set(err, -ASSAY_EINVAL, "'%.200s' has %zu records: one is wanted "
		  "in which the truth of the program is known", s->text,
		  in.store.records);
	error_add(err, "try: valgrind --tool=cachegrind "
		  "--cachegrind-out-file=cg.out PROGRAM; --truth cg.out");
	return -ASSAY_EINVAL;
}

int stated_open(struct stated **out, const struct assay_verification *ask,
		const char *data_dir, struct assay_error *err)
{
	struct stated *s;
	int rc;

	*out = NULL;
	if (!ask->truth)
		return ask->sets ? error_set(err, -ASSAY_EINVAL, "--set names "
			"numbers for the expressions of --truth") : 0;
	s = *out = calloc(1, sizeof(*s));
	if (!s)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	s->text = ask->truth;
	rc = formula_load(&s->generic, "linux", NULL, data_dir, err);
	rc = rc ? rc : set_names(s, ask, err);
	if (rc == 0)
		rc = strchr(s->text, '=') ? read_expressions(s, err) :
					    read_witness(s, data_dir, err);
	return rc;
}

void stated_close(struct stated *s)
{
	if (!s)
		return;
	store_fini(&s->witness);
	formula_free(s->generic);
	free(s);
}

/* ---- claims -------------------------------------------------------------- */

static const char many[] = "the truth is of the complete program, and this is "
	"a part: one place, or one interval";

static bool is_part(const struct assay_record *r)
{
	return assay_shape_find(&r->shape, "place") >= 0 ||
	       assay_shape_find(&r->shape, "cgroup") >= 0 ||
	       strstr(r->settings.options, "intervals");
}

const char *stated_silence(const struct stated *s,
			   const struct assay_record *record)
{
	if (!s && kernel_find(record->shape.kernel))
		return "a kernel of assay has this name, but no such shape: "
		       "nothing is known of it";
	if (!s)
		return "nothing is known of the program (--truth says what is "
		       "true of it)";
	return is_part(record) ? many : "nothing is stated of this event";
}

/* An event's name and the plain name of another: "cycles:u", "cycles". */
static bool is_called(const char *event, const char *plain)
{
	const char *from;
	const size_t n = event_plain_name(event, &from);

	return n == strlen(plain) && !strncasecmp(from, plain, n);
}

/* The quantity that the event is, or -1. */
static int quantity_of(const struct stated *s, const char *event)
{
	for (size_t i = 0; i < s->generic->formulas; i++) {
		const struct formula *f = &s->generic->formula[i];
		const struct expr_node *root = &f->expr.node[f->expr.root];

		if (f->quantity >= 0 && root->op == EXPR_NAME &&
		    is_called(event, s->generic->event[root->name]))
			return f->quantity;
	}
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (is_called(event, assay_quantity_name(q)))
			return q;
	return -1;
}

static struct assay_value look_up(const void *ctx, int name)
{
	const struct stated *s = ctx;
	const struct assay_shape *shape = &s->record->shape;
	const int at = assay_shape_find(shape, s->name[name]);

	if (!isnan(s->value[name]))
		return (struct assay_value){ .number = s->value[name] };
	if (at < 0 || shape->option[at].kind == ASSAY_OPTION_CHOICE)
		return (struct assay_value){ .why = "a name without a value" };
	return (struct assay_value){
		.number = (double)shape->option[at].value /
			  (shape->option[at].kind == ASSAY_OPTION_REAL ? 1e6 :
									 1),
	};
}

static const struct stated_one *find_stated(struct stated *s,
					    const char *event)
{
	struct stated_one *found = NULL;

	for (unsigned i = 0; i < s->count; i++) {
		if (text_equal(s->of[i].event, event)) {
			s->of[i].seen = true;
			return &s->of[i];
		}
		if (is_called(event, s->of[i].event))
			found = &s->of[i];
	}
	if (found)
		found->seen = true;
	return found;
}

/* Counts of user code only: the event's name ends in ":u". */
static bool user_only(const char *event)
{
	const char *from;
	const size_t n = event_plain_name(event, &from);
	const char *behind = from + n;

	return strchr(behind, 'u') && !strchr(behind, 'k');
}

/* A witness that saw user code: the kernel's part is above its number. */
static void claim_witness(struct stated *s, struct panel *p, size_t row,
			  const char *event)
{
	const int q = quantity_of(s, event);
	const struct assay_value v = q < 0 ?
		(struct assay_value){ .why = "" } :
		s->witness.record[0]->truth.of[q];

	if (!v.why)
		panel_state(p, row, event, assay_quantity_name(q),
			    WITNESS_SIMULATED, v.number,
			    user_only(event) ? v.number : INFINITY);
}

/* Was the complete program counted, with its start? */
static bool has_start_up(const struct assay_record *r)
{
	return !strncmp(r->provider, "perf", 4) ||
	       (!strcmp(r->provider, "likwid") &&
		assay_shape_find(&r->shape, "region") < 0);
}

static void allow_start_up(struct panel *p, size_t row, const char *event,
			   double stated)
{
	const int e = panel_find(p, event);
	const double count = e < 0 ? NAN :
		p->count[row * PANEL_EVENTS + (size_t)e];

	p->disturbance[row] = START_UP;
	if (count > stated && count <= stated + START_UP)
		snprintf(p->event[e].excuse, sizeof(p->event[e].excuse),
			 "%.0f more than stated: the start of a program may "
			 "add as many. Next: Count an empty run, or two "
			 "sizes", count - stated);
}

static void claim_expression(struct stated *s, struct panel *p, size_t row,
			     const char *event)
{
	const struct stated_one *one = find_stated(s, event);
	const int q = quantity_of(s, event);
	const struct assay_value v = one ? expr_value(&one->expr, look_up, s) :
		(struct assay_value){ .why = "" };

	if (v.why || v.number < 0)
		return;
	panel_state(p, row, event, q < 0 ? "what is stated" :
		    assay_quantity_name(q), WITNESS_CLOSED, v.number, v.number);
	if (has_start_up(s->record))
		allow_start_up(p, row, event, v.number);
}

void stated_claim(struct stated *s, struct panel *p, size_t row,
		  const struct assay_record *record)
{
	if (!s)
		return;
	s->record = record;
	for (unsigned e = 0; e < record->events; e++)
		if (is_part(record))
			find_stated(s, record->event[e].name);
		else if (s->witness.records)
			claim_witness(s, p, row, record->event[e].name);
		else
			claim_expression(s, p, row, record->event[e].name);
}

int stated_check(const struct stated *s, const struct panel *p,
		 struct assay_error *err)
{
	const char *names[PANEL_EVENTS + 1] = { NULL };

	if (s && !s->record)
		return error_set(err, -ASSAY_EINVAL, "--truth is for counts "
				 "of programs: these records are of kernels, "
				 "whose truth is known");
	for (size_t i = 0; i < p->events; i++)
		names[i] = p->event[i].name;
	for (unsigned i = 0; s && i < s->names; i++)
		if (isnan(s->value[i]) &&
		    assay_shape_find(&s->record->shape, s->name[i]) < 0) {
			error_set(err, -ASSAY_EINVAL, "--truth: '%.60s' has no "
				  "value", s->name[i]);
			error_add(err, "try: --set %.60s=NUMBER", s->name[i]);
			return -ASSAY_EINVAL;
		}
	for (unsigned i = 0; s && i < s->count; i++)
		if (!s->of[i].seen) {
			error_set(err, -ASSAY_ENOENT, "--truth: no event is "
				  "called '%.60s'", s->of[i].event);
			error_meant(err, s->of[i].event, names);
			return -ASSAY_ENOENT;
		}
	return 0;
}
