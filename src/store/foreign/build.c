/* SPDX-License-Identifier: MIT */
/* Records of counts that came in any order. */
#include "store/foreign/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "store/foreign/scan.h"
#include "store/record-line.h"

#define TIME UINT32_MAX		/* no event: the time of the repetition */
#define MOST 4096		/* events of a run at one place */

struct build_reading {
	uint32_t run, place, event, repeat, line;
	size_t order;		/* in the file */
	struct assay_count count;
};

void build_open(struct build *b, const char *file, const char *provider)
{
	*b = (struct build){ .file = file, .provider = provider };
	quantities_absent(&b->truth, record_not_known);
}

static void free_texts(struct build_texts *t)
{
	for (uint32_t i = 0; i < t->texts; i++) {
		free(t->of[i].text);
		free(t->of[i].code);
	}
	free(t->of);
	free(t->slot);
}

void build_close(struct build *b)
{
	free_texts(&b->place);
	free_texts(&b->event);
	free_texts(&b->why);
	free(b->reading);
	b->reading = NULL;
}

/* ---- readings ------------------------------------------------------------ */

/* Makes room for one more element of `size` bytes: by powers of two. */
static void *grown(void *array, size_t used, size_t size)
{
	return used & (used - 1) ? array :
	       realloc(array, (used ? 2 * used : 1) * size);
}

/* The slot of the text, or a free one. */
static uint32_t *find_slot(const struct build_texts *t, const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;	/* FNV-1a */

	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	for (size_t i = hash ^ hash >> 32; ; i++) {
		uint32_t *slot = &t->slot[i & (t->slots - 1)];

		if (!*slot || !strcmp(t->of[*slot - 1].text, text))
			return slot;
	}
}

/* Keeps half of the slots free. */
static bool make_slots(struct build_texts *t)
{
	const size_t slots = t->slots ? 2 * t->slots : 64;

	if (2 * t->texts < t->slots)
		return true;
	free(t->slot);
	t->slot = calloc(slots, sizeof(*t->slot));
	t->slots = t->slot ? slots : 0;
	for (uint32_t i = 0; t->slot && i < t->texts; i++)
		*find_slot(t, t->of[i].text) = i + 1;
	return t->slot;
}

/* The number of the text, in the order of their coming, or -ASSAY_ENOMEM. */
static int64_t keep(struct build_texts *t, const char *text)
{
	struct build_text *more = grown(t->of, t->texts, sizeof(*more));
	uint32_t *slot;

	if (more)
		t->of = more;
	if (!more || !make_slots(t))
		return -ASSAY_ENOMEM;
	slot = find_slot(t, text);
	if (*slot)
		return *slot - 1;
	t->of[t->texts] = (struct build_text){ strdup(text), NULL };
	if (!t->of[t->texts].text)
		return -ASSAY_ENOMEM;
	return (*slot = ++t->texts) - 1;
}

static bool is_name(const char *text)
{
	return scan_is_text(text) && !strchr(text, '\t');
}

/* Copies a text, cut behind a character. */
static void copy(char *out, size_t room, const char *text)
{
	text_copy(out, room, text);
	while (!scan_is_text(out))
		out[strlen(out) - 1] = '\0';
}

int build_add(struct build *b, unsigned line, const char *place,
	      const char *event, unsigned repeat,
	      const struct assay_count *count)
{
	struct build_reading *more, *r;
	int64_t at, name = TIME, why = 0;

	if (!is_name(place) || (event && (!*event || !is_name(event))) ||
	    (repeat >= SCHEMA_REPEATS && repeat != BUILD_NEXT))
		return -ASSAY_EINVAL;
	at = keep(&b->place, place);
	if (event)
		name = keep(&b->event, event);
	if (count->why)	/* a record has up to SCHEMA_REASONS */
		why = keep(&b->why, b->why.texts < SCHEMA_REASONS / 2 ?
			   count->why : "no record can hold what is there");
	more = grown(b->reading, b->readings, sizeof(*more));
	if (more)
		b->reading = more;
	if (at < 0 || name < 0 || why < 0 || !more)
		return -ASSAY_ENOMEM;
	r = &b->reading[b->readings];
	*r = (struct build_reading){ b->run, (uint32_t)at, (uint32_t)name,
				     repeat, line, b->readings++, *count };
	if (count->why)
		r->count.why = b->why.of[why].text;
	return 0;
}

int build_code(struct build *b, const char *event, const char *code)
{
	const int64_t at = keep(&b->event, event);

	if (at < 0)
		return -ASSAY_ENOMEM;
	if (!b->event.of[at].code && is_name(code))
		b->event.of[at].code = strdup(code);
	return 0;
}

struct assay_count build_count(const char *text, int shift)
{
	static const char *const reasons[] = {
		[SCAN_BELOW] = "the tool wrote a number below 0",
		[SCAN_BEYOND] = "the tool wrote a number beyond 2^64",
		[SCAN_NOTHING] = "the tool wrote no number",
	};
	struct assay_count c = { .state = ASSAY_COUNT_PRESENT };
	const enum scan_number kind = scan_number(text, shift, &c.value);

	if (kind == SCAN_ROUNDED)
		return build_estimate(text, shift);
	if (kind == SCAN_EXACT)
		return c;
	return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
				     .why = reasons[kind] };
}

struct assay_count build_estimate(const char *text, int shift)
{
	struct assay_count c = { .state = ASSAY_COUNT_SCALED,
				 .enabled = 1, .running = 1 };
	const enum scan_number kind = scan_number(text, shift, &c.value);

	if (kind <= SCAN_ROUNDED && c.value >> 63)
		return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
			.why = "an estimate beyond 2^63" };
	return kind <= SCAN_ROUNDED ? c : build_count(text, shift);
}

struct assay_count build_rate(const char *text, const char *per, char *why,
			      size_t room)
{
	struct assay_count c = build_estimate(text, 0);
	uint64_t value;

	if (c.state == ASSAY_COUNT_ABSENT ||
	    scan_number(text, 0, &value) == SCAN_EXACT || value >= 100)
		return c;
	snprintf(why, room, "%.40s per %.20s: a rate, and a record holds whole "
		 "counts", text, per);
	return (struct assay_count){ .state = ASSAY_COUNT_ABSENT, .why = why };
}

/* ---- records ------------------------------------------------------------- */

/* A column of a group: the counts of one event. */
struct column {
	uint32_t event, twice;	/* twice: how often the run had it before */
	uint32_t seen;		/* repetitions up to here have a count */
};

/* All readings of one run at one place. */
struct group {
	struct build *build;
	struct build_reading *reading;
	size_t readings;
	struct column column[MOST];
	unsigned columns, repeats;
	uint16_t *of;		/* of each reading: its column */
};

static int by_group(const void *a, const void *b)
{
	const struct build_reading *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* The first column of the event without a count in that repetition. */
static unsigned find_column(struct group *g, struct build_reading *r)
{
	uint32_t twice = 0;
	unsigned i;

	for (i = 0; i < g->columns; i++) {
		if (g->column[i].event != r->event)
			continue;
		if (g->column[i].seen <= r->repeat)	/* BUILD_NEXT, too */
			break;
		twice++;
	}
	if (i == MOST)
		return MOST;
	if (i == g->columns)
		g->column[g->columns++] = (struct column){ r->event, twice, 0 };
	if (r->repeat == BUILD_NEXT)
		r->repeat = g->column[i].seen;
	g->column[i].seen = r->repeat + 1;
	return i;
}

/* Finds the columns of all readings. False: more than MOST. */
static bool measure(struct group *g)
{
	g->columns = g->repeats = 0;
	for (size_t i = 0; i < g->readings; i++) {
		struct build_reading *r = &g->reading[i];
		const unsigned at = r->event == TIME ? MOST :
				    find_column(g, r);

		if (at == MOST && r->event != TIME)
			return false;
		g->of[i] = (uint16_t)at;
		if (r->repeat >= g->repeats)
			g->repeats = r->repeat + 1;
	}
	/* hostile texts: few counts, each in a repetition of its own */
	return g->repeats <= SCHEMA_REPEATS &&
	       (uint64_t)g->columns * g->repeats <= 64 * (g->readings + 1);
}

static void add_option(struct assay_shape *shape, const char *key, size_t n,
		       const char *value, size_t length)
{
	struct assay_shape_value *o = &shape->option[shape->options];
	char text[256];
	uint64_t number;

	if (shape->options == ASSAY_SHAPE_OPTIONS)
		return;
	*o = (struct assay_shape_value){ .kind = ASSAY_OPTION_CHOICE };
	snprintf(o->name, sizeof(o->name), "%.*s", (int)n, key);
	snprintf(text, sizeof(text), "%.*s", (int)length, value);
	text_copy(o->word, sizeof(o->word), text);
	if (strspn(text, "0123456789") == strlen(text) &&
	    scan_number(text, 0, &number) == SCAN_EXACT && !(number >> 63)) {
		o->kind = ASSAY_OPTION_COUNT;
		o->value = (int64_t)number;
		*o->word = '\0';
	}
	if (n && length && assay_shape_find(shape, o->name) < 0)
		shape->options++;
}

/* Makes options of "key=value;key=value". */
static void set_shape(struct assay_shape *shape, const char *place)
{
	text_copy(shape->kernel, sizeof(shape->kernel), "program");
	while (*place) {
		const size_t n = strcspn(place, "=");
		const char *value = place + n + (place[n] == '=');
		const size_t length = strcspn(value, ";");

		add_option(shape, place, n, value, length);
		place = value + length + (value[length] == ';');
	}
}

/* The name of a column's event: it stands only once in a record. */
static void name_event(const struct group *g, struct assay_record *r,
		       unsigned at, const struct column *c)
{
	const struct build_text *of = &g->build->event.of[c->event];
	const char *name = of->text;
	const size_t hex = strspn(name + 1, "0123456789abcdefABCDEF");
	char text[ASSAY_NAME], short_name[ASSAY_NAME - 12];
	unsigned n = c->twice;

	copy(short_name, sizeof(short_name), name);
	if (n)
		snprintf(text, sizeof(text), "%s#%u", short_name, n + 1);
	else
		copy(text, sizeof(text), name);
	while (assay_record_find(r, text) >= 0)
		snprintf(text, sizeof(text), "%s#%u", short_name, ++n + 1);
	text_copy(r->event[at].name, ASSAY_NAME, text);
	if (of->code)
		copy(r->event[at].code, sizeof(r->event->code), of->code);
	if (*name == 'r' && hex && hex <= 16 &&
	    (!name[1 + hex] || name[1 + hex] == ':'))
		snprintf(r->event[at].code, sizeof(r->event[at].code),
			 "0x%.*s", (int)hex, name + 1);
}

static void set_origin(const struct build *b, struct assay_record *r,
		       const struct build_reading *first)
{
	const char *place = b->place.of[first->place].text;
	char text[2 * sizeof(r->settings.options)];

	snprintf(text, sizeof(text), "%.120s:%u%s%s%s%s", b->file, first->line,
		 *b->settings ? " " : "", b->settings, *place ? " " : "",
		 place);
	copy(r->settings.options, sizeof(r->settings.options), text);
}

/* Fills the record's counts: those of the columns from `from` on. */
static void set_counts(const struct group *g, struct assay_record *r,
		       unsigned from)
{
	for (size_t i = 0; i < g->readings; i++) {
		const struct build_reading *one = &g->reading[i];
		const unsigned at = g->of[i];

		if (one->event == TIME)
			r->ns[one->repeat] = one->count.value;
		else if (at >= from && at < from + r->events)
			r->counts[(size_t)one->repeat * r->events + at - from]
				= one->count;
	}
}

/* An event that was absent once and never named again was absent always. */
static void repeat_absence(struct assay_record *r, unsigned e)
{
	const struct assay_count first = r->counts[e];

	for (unsigned k = 1; k < r->repeats; k++)
		if (r->counts[k * r->events + e].why != record_not_read)
			return;
	for (unsigned k = 1; first.why && k < r->repeats; k++)
		r->counts[k * r->events + e] = first;
}

static void name_gaps(struct assay_record *r, unsigned e)
{
	for (unsigned k = 0; k < r->repeats; k++)
		if (r->counts[k * r->events + e].why == record_not_read)
			r->counts[k * r->events + e].why =
				"the file has no such count";
}

/* Says why an event is absent, if one reason holds for all repetitions. */
static void set_reasons(struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++) {
		const char *why;

		repeat_absence(r, e);
		name_gaps(r, e);
		why = r->counts[e].why;

		for (unsigned k = 1; why && k < r->repeats; k++)
			if (r->counts[k * r->events + e].why != why)
				why = NULL;
		if (why)
			text_copy(r->event[e].why, ASSAY_WHY, why);
	}
}

static int add_record(const struct group *g, struct store *store,
		      unsigned from)
{
	const struct build *b = g->build;
	const unsigned left = g->columns - from;
	struct assay_record *r = record_new(left < ASSAY_EVENTS ? left :
					    ASSAY_EVENTS, g->repeats);

	if (!r)
		return -ASSAY_ENOMEM;
	r->machine = b->machine;
	r->truth = b->truth;
	text_copy(r->provider, sizeof(r->provider), b->provider);
	set_shape(&r->shape, b->place.of[g->reading->place].text);
	set_origin(b, r, g->reading);
	for (unsigned e = 0; e < r->events; e++)
		name_event(g, r, e, &g->column[from + e]);
	set_counts(g, r, from);
	set_reasons(r);
	if (record_own_reasons(r) == 0 && store_add(store, r) == 0)
		return 0;
	record_free(r);
	return -ASSAY_ENOMEM;
}

static int add_group(struct group *g, struct store *store)
{
	int rc = measure(g) ? 0 : -ASSAY_ERANGE;

	for (unsigned from = 0; !rc && from < g->columns;
	     from += ASSAY_EVENTS)
		rc = store->records == SCHEMA_RECORDS ? -ASSAY_ERANGE :
		     add_record(g, store, from);
	return rc;
}

int build_records(struct build *b, struct store *store)
{
	struct group *g = calloc(1, sizeof(*g));
	uint16_t *of = calloc(b->readings + 1, sizeof(*of));
	size_t to;
	int rc = g && of ? 0 : -ASSAY_ENOMEM;

	if (b->readings)
		qsort(b->reading, b->readings, sizeof(*b->reading), by_group);
	for (size_t from = 0; !rc && from < b->readings; from = to) {
		struct build_reading *r = &b->reading[from];

		for (to = from; to < b->readings &&
		     b->reading[to].run == r->run &&
		     b->reading[to].place == r->place; to++)
			;
		*g = (struct group){ .build = b, .reading = r,
				     .readings = to - from, .of = of };
		rc = add_group(g, store);
	}
	free(of);
	free(g);
	return rc;
}
