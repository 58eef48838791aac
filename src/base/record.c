/* SPDX-License-Identifier: MIT */
/* Records: memory, strings, and the one number per event. */
#include "base/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/error.h"
#include "base/text.h"

const char record_not_read[] = "not read";
const char record_not_known[] = "not known to this provider";

/* The public record, followed by what the record owns. */
struct string {
	struct string *next;
	char text[];
};

struct owner {
	struct assay_record record;	/* first */
	struct string *strings;
};

void quantities_absent(struct assay_quantities *q, const char *why)
{
	for (int i = 0; i < ASSAY_QUANTITIES; i++)
		q->of[i] = (struct assay_value){ .why = why };
}

struct assay_record *record_new(unsigned events, unsigned repeats)
{
	struct owner *owner = calloc(1, sizeof(*owner));
	size_t counts = (size_t)events * repeats;
	struct assay_record *r;

	if (!owner || events > ASSAY_EVENTS)
		goto out_owner;
	r = &owner->record;
	r->events = events;
	r->repeats = repeats;
	r->settings.cpu = -1;
	r->place.rank = -1;
	r->counts = calloc(counts ? counts : 1, sizeof(*r->counts));
	r->ns = calloc(repeats ? repeats : 1, sizeof(*r->ns));
	if (!r->counts || !r->ns)
		goto out_counts;
	for (size_t i = 0; i < counts; i++) {
		r->counts[i].state = ASSAY_COUNT_ABSENT;
		r->counts[i].why = record_not_read;
	}
	quantities_absent(&r->truth, record_not_known);
	return r;

out_counts:
	free(r->counts);
	free(r->ns);
out_owner:
	free(owner);
	return NULL;
}

void record_free(struct assay_record *record)
{
	struct owner *owner = (struct owner *)record;
	struct string *s, *next;

	if (!record)
		return;
	for (s = owner->strings; s; s = next) {
		next = s->next;
		free(s);
	}
	free(record->counts);
	free(record->ns);
	free(record->frame);
	free(owner);
}

int record_set_frames(struct assay_record *record, const uint64_t *frame,
		      size_t frames)
{
	uint64_t *copy = calloc(frames ? frames : 1, sizeof(*copy));

	if (!copy)
		return -ASSAY_ENOMEM;
	memcpy(copy, frame, frames * sizeof(*copy));
	free(record->frame);
	record->frame = copy;
	record->frames = frames;
	return 0;
}

const char *record_own_string(struct assay_record *record, const char *text)
{
	struct owner *owner = (struct owner *)record;
	size_t bytes = strlen(text) + 1;
	struct string *s;

	for (s = owner->strings; s; s = s->next)
		if (strcmp(s->text, text) == 0)
			return s->text;
	s = malloc(sizeof(*s) + bytes);
	if (!s)
		return NULL;
	memcpy(s->text, text, bytes);
	s->next = owner->strings;
	owner->strings = s;
	return s->text;
}

static int own(struct assay_record *record, const char **text)
{
	if (*text)
		*text = record_own_string(record, *text);
	return *text ? 0 : -ASSAY_ENOMEM;
}

int record_own_reasons(struct assay_record *record)
{
	size_t counts = (size_t)record->events * record->repeats;
	int rc = 0;

	for (size_t i = 0; i < counts && rc == 0; i++)
		if (record->counts[i].why)
			rc = own(record, &record->counts[i].why);
	for (int q = 0; q < ASSAY_QUANTITIES && rc == 0; q++)
		if (record->truth.of[q].why != record_not_known &&
		    record->truth.of[q].why)
			rc = own(record, &record->truth.of[q].why);
	return rc;
}

uint64_t assay_count_estimate(const struct assay_count *count)
{
	if (count->state != ASSAY_COUNT_SCALED || !count->running)
		return count->value;
	return (uint64_t)((long double)count->value * count->enabled /
			  count->running + 0.5L);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *value, unsigned n)
{
	qsort(value, n, sizeof(*value), by_value);
	return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* The standard error of the mean of n > 1 values. */
static double spread(const double *value, unsigned n)
{
	double mean = 0, squares = 0;

	for (unsigned i = 0; i < n; i++)
		mean += value[i] / n;
	for (unsigned i = 0; i < n; i++)
		squares += (value[i] - mean) * (value[i] - mean);
	return sqrt(squares / (n - 1) / n);
}

struct assay_value assay_record_value(const struct assay_record *record,
				      unsigned event)
{
	struct assay_value out = { .why = record_not_read };
	double *value;

	if (!record->repeats)
		return out;
	value = calloc(record->repeats, sizeof(*value));
	if (!value)
		return (struct assay_value){ .why = "out of memory" };
	out.why = NULL;
	for (unsigned r = 0; r < record->repeats; r++) {
		const struct assay_count *c =
			&record->counts[r * record->events + event];

		if (c->state == ASSAY_COUNT_ABSENT) {
			out.why = c->why ? c->why : record_not_read;
			goto out_value;
		}
		out.estimate |= c->state == ASSAY_COUNT_SCALED;
		value[r] = (double)assay_count_estimate(c);
	}
	out.error = record->random_replacement && record->repeats > 1 ?
		    spread(value, record->repeats) :
		    record->counts[event].error;
	out.number = median(value, record->repeats);
out_value:
	free(value);
	return out;
}

int assay_record_find(const struct assay_record *record, const char *name)
{
	for (unsigned e = 0; e < record->events; e++)
		if (text_equal(record->event[e].name, name))
			return (int)e;
	return -1;
}

size_t event_plain_name(const char *name, const char **from)
{
	const char *slash = strchr(name, '/');
	const char *end = slash ? strchr(slash + 1, '/') : NULL;

	if (end && end > slash + 1) {
		*from = slash + 1;
		return (size_t)(end - slash) - 1;
	}
	*from = name;
	/* "INST_RETIRED:ANY" is no name with modifiers */
	slash = strrchr(name, ':');
	return slash && slash > name && slash[1] &&
	       strspn(slash + 1, "ukhGHpPSDWeI") == strlen(slash + 1) ?
	       (size_t)(slash - name) : strlen(name);
}

bool event_is_alike(const char *a, const char *b)
{
	const char *from, *of;
	const size_t n = event_plain_name(a, &from);
	const size_t m = event_plain_name(b, &of);

	return from - a == of - b && !memcmp(a, b, (size_t)(from - a)) &&
	       !strcmp(from + n, of + m);
}

/* Does the kernel count it, so that no modifier is needed? */
static bool is_software(const char *name)
{
	static const char *const parts[] = { "faults", "clock", "switches",
					     "migrations", "_time", NULL };

	for (int i = 0; parts[i]; i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

static bool are_alike(const struct assay_record *r)
{
	const char *first = NULL;

	for (unsigned e = 0; e < r->events; e++) {
		const char *name = r->event[e].name;

		if (is_software(name))
			continue;
		if (first && !event_is_alike(first, name))
			return false;
		first = name;
	}
	return true;
}

int record_find_plain(const struct assay_record *record, const char *name)
{
	int found = assay_record_find(record, name);

	if (found >= 0 || !are_alike(record))
		return found;
	for (unsigned e = 0; e < record->events; e++) {
		const char *from;
		const size_t n = event_plain_name(record->event[e].name, &from);

		if (n != strlen(name) || strncasecmp(from, name, n))
			continue;
		if (found >= 0)
			return -1;
		found = (int)e;
	}
	return found;
}
