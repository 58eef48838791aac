/* SPDX-License-Identifier: MIT */
/*
 * A table of any bytes is refused with its place, or judged: each verdict has a
 * class, a scope of its own and a sentence without control characters, and each
 * place is a record whose median is one of the readings or between two. What
 * stands behind a NUL is --map.
 */
#define _GNU_SOURCE	/* memfd_create */
#include <math.h>
#include <stdio.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/record.h"
#include "fuzz.h"
#include "tables/place.h"
#include "tables/table.h"

static void check_text(const char *text)
{
	for (; *text; text++)
		need((unsigned char)*text >= 0x20);
}

static int verdict(void *ctx, const struct judge_verdict *v)
{
	char scope[9000];

	(void)ctx;
	need((unsigned)v->class_ < ASSAY_CLASSES);
	need(judge_scope(scope, sizeof(scope), v) < sizeof(scope));
	need(v->text && *v->text && v->next);
	check_text(v->text);
	return 0;
}

/* The place as a record of the first event; and what it states of loads. */
static void check_place(const struct table_place *place)
{
	const char *event = place->row[0]->event;
	const double times = table_times(place);
	double least = INFINITY, most = 0;
	struct assay_record *record;
	struct assay_expected truth;
	struct assay_value value;
	char name[1][ASSAY_NAME];

	if (table_truth(place, "loads", &truth))
		need(truth.low <= truth.high);
	if (strlen(event) >= ASSAY_NAME)
		return;
	strcpy(name[0], event);
	need(table_record(&record, place, (const char (*)[ASSAY_NAME])name,
			  1) == 0);
	need(record->events == 1);
	for (size_t i = 0; i < place->rows; i++)
		if (!strcasecmp(place->row[i]->event, event)) {
			least = fmin(least, place->row[i]->count * times);
			most = fmax(most, place->row[i]->count * times);
		}
	value = assay_record_value(record, 0);
	need(value.why || (value.number >= least - 1 &&
			   value.number <= most + 1));
	record_free(record);
}

static void check_places(const struct judge_input *in)
{
	struct table_places all;

	need(table_places(&all, in) == 0);
	for (size_t i = 0; i < all.places; i++)
		check_place(&all.place[i]);
	table_places_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const uint8_t *nul = bytes ? memchr(data, 0, bytes) : NULL;
	const size_t table = nul ? (size_t)(nul - data) : bytes;
	char path[40], *map = NULL;
	struct table_reading reading = { 0 };
	struct assay_error err = { 0 };
	struct table *out;
	int fd = memfd_create("fuzz", 0), rc;

	need(fd >= 0 && write(fd, data, table) == (ssize_t)table);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (nul) {
		map = strndup((const char *)nul + 1, bytes - table - 1);
		need(map != NULL);
		reading.map = map;
	}
	rc = table_read(&out, path, &reading, &err);
	need(rc <= 0 && (rc == 0) == !*err.text);
	if (rc == -ASSAY_EPARSE)
		need(strstr(err.text, ": error: ") != NULL);
	if (!rc) {
		need(judge_run(&out->input, verdict, NULL, NULL) == 0);
		check_places(&out->input);
		table_free(out);
	}
	free(map);
	close(fd);
	return 0;
}
