/* SPDX-License-Identifier: MIT */
/* Records to and from text in memory. */
#ifndef TESTS_STORE_TEXT_H
#define TESTS_STORE_TEXT_H

#include "check.h"

#include "base/record.h"
#include "store/store.h"

#define HEAD "{\"t\":\"record\",\"schema\":1,\"provider\":\"p\","
#define SHAPE "\"shape\":{\"kernel\":\"k\"},"
#define OPTION(text) HEAD "\"shape\":{\"kernel\":\"k\",\"options\":[" text "]},\
\"ns\":[],\"events\":[]}"
#define EVENTS(text) HEAD SHAPE "\"ns\":[1],\"events\":[" text "]}"
#define COUNT(text) EVENTS("{\"name\":\"e\",\"counts\":[" text "]}")
#define REST(text) HEAD SHAPE "\"ns\":[],\"events\":[]," text "}"

static inline int read_text(struct store *out, const char *text, size_t bytes,
		     struct assay_error *err)
{
	FILE *in = fmemopen((void *)text, bytes, "r");
	int rc;

	assert_non_null(in);
	rc = store_read_stream(out, in, "f", err);
	fclose(in);
	return rc;
}

static inline char *written(const struct assay_record *r, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	assert_non_null(out);
	assert_int_equal(store_write(out, r, NULL), 0);
	fclose(out);
	return text;
}

static inline struct assay_record *read_one(struct store *store, const char *text)
{
	struct assay_error err = { 0 };

	if (read_text(store, text, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(store->records, 1);
	return store->record[0];
}

#endif
