/* SPDX-License-Identifier: MIT */
/*
 * A file of records of any bytes is refused with a place, or what was read is
 * written, read and written again without any change.
 */
#include "fuzz.h"

#include <stdio.h>

#include "assay/count.h"
#include "store/store.h"

static int read_text(struct store *out, const char *text, size_t bytes,
		     struct assay_error *err)
{
	FILE *in = fmemopen((void *)text, bytes, "r");
	int rc;

	need(in);
	rc = store_read_stream(out, in, "f", err);
	fclose(in);
	return rc;
}

static char *written(const struct store *store, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	need(out);
	for (size_t i = 0; i < store->records; i++)
		need(store_write(out, store->record[i], NULL) == 0);
	fclose(out);
	return text;
}

static void check_value(struct assay_value value)
{
	need(value.why ? *value.why : __builtin_isfinite(value.number));
}

static void use(const struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++) {
		check_value(assay_record_value(r, e));
		need(assay_record_find(r, r->event[e].name) == (int)e);
	}
	for (unsigned i = 0; i < r->events * r->repeats; i++)
		assay_count_estimate(&r->counts[i]);
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		check_value(r->truth.of[q]);
}

static void again(const struct store *store)
{
	struct store copy = { 0 };
	size_t bytes[2];
	char *text[2] = { written(store, &bytes[0]) };

	need(read_text(&copy, text[0], bytes[0], NULL) == 0);
	need(copy.records == store->records);
	text[1] = written(&copy, &bytes[1]);
	need(bytes[0] == bytes[1] && !memcmp(text[0], text[1], bytes[0]));
	store_fini(&copy);
	free(text[0]);
	free(text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct store store = { 0 };
	struct assay_error err = { 0 };
	int rc;

	if (!bytes)
		return 0;
	rc = read_text(&store, (const char *)data, bytes, &err);
	need(rc <= 0);
	if (rc < 0) {
		need(!store.record && err.code == rc && *err.text);
		need(rc != -ASSAY_EPARSE || strncmp(err.text, "f:", 2) == 0);
		return 0;
	}
	for (size_t i = 0; i < store.records; i++)
		use(store.record[i]);
	if (store.records)
		again(&store);
	store_fini(&store);
	return 0;
}
