/* SPDX-License-Identifier: MIT */
/*
 * Counts of other tools, as every format in turn: bytes are refused with their
 * place, or give records that can be written and read again. A count that is no
 * estimate stands in the text with all of its digits.
 */
#include <ctype.h>
#include <stdio.h>

#include "assay/record.h"
#include "fuzz.h"
#include "store/foreign/foreign.h"

/* PAPI's files say by their names what is in them. */
static const char *const names[] = {
	"E.branch", "E.icache", "E.data.reads", "E.data.writes", "E.flops",
	"E.vec", "E.instr", "other", NULL
};

/* The text without marks in its numbers; the caller frees it. */
static char *without_marks(const char *text)
{
	char *out = malloc(strlen(text) + 1), *to = out;

	need(out != NULL);
	for (; *text; text++)
		if (*text != '.' && *text != ',')
			*to++ = *text;
	*to = '\0';
	return out;
}

/* Numbers with exponents, and JSON's escapes, hide digits. */
static bool hides_digits(const char *text)
{
	for (; *text; text++)
		if ((tolower((unsigned char)*text) == 'e' &&
		     (isdigit((unsigned char)text[1]) ||
		      strchr("+-", text[1]))) || *text == '\\')
			return true;
	return false;
}

static void check_counts(const struct assay_record *r, const char *plain)
{
	for (size_t i = 0; i < (size_t)r->repeats * r->events; i++) {
		const struct assay_count *c = &r->counts[i];
		char digits[24];

		need((c->state == ASSAY_COUNT_ABSENT) == (c->why != NULL));
		need(c->running <= c->enabled);
		if (c->state == ASSAY_COUNT_ABSENT)
			need(*c->why && !c->value);
		snprintf(digits, sizeof(digits), "%llu",
			 (unsigned long long)c->value);
		if (plain && c->state == ASSAY_COUNT_PRESENT && c->value)
			need(strstr(plain, digits) != NULL);
	}
}

static void read_again(const struct store *store)
{
	char *first = NULL, *second = NULL;
	size_t n, m;
	FILE *out = open_memstream(&first, &n), *in;
	struct assay_error err = { 0 };
	struct store again;

	need(out != NULL);
	for (size_t i = 0; i < store->records; i++)
		need(store_write(out, store->record[i], NULL) == 0);
	need(fclose(out) == 0);
	in = fmemopen(first, n, "r");
	out = open_memstream(&second, &m);
	need(in && out);
	need(store_read_stream(&again, in, "again", &err) == 0);
	need(again.records == store->records);
	for (size_t i = 0; i < again.records; i++)
		need(store_write(out, again.record[i], NULL) == 0);
	need(fclose(out) == 0 && n == m && !memcmp(first, second, n));
	fclose(in);
	store_fini(&again);
	free(first);
	free(second);
}

static void read_as(int format, const char *name, const char *text,
		    size_t bytes, const char *plain)
{
	struct assay_error err = { 0 };
	struct foreign f;
	const int rc = foreign_read(&f, (enum foreign_format)format, name,
				    text, bytes, NULL, NULL, &err);

	need(rc <= 0 && (rc == 0) == !*err.text);
	if (rc == -ASSAY_EPARSE && !strstr(err.text, "holds no counts"))
		need(!strncmp(err.text, name, strlen(name)) &&
		     strstr(err.text, ": error: "));
	if (rc)
		return;
	need(f.store.records > 0);
	for (size_t i = 0; i < f.store.records; i++)
		check_counts(f.store.record[i], plain);
	read_again(&f.store);
	store_fini(&f.store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1), *plain;
	size_t n;

	need(text != NULL);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	n = strlen(text);
	plain = hides_digits(text) || n != bytes ? NULL : without_marks(text);
	need((int)foreign_recognise(text, bytes) <= FOREIGN_FORMATS);
	for (int format = 0; format < FOREIGN_FORMATS; format++)
		for (int i = 0; names[i]; i++)
			if (format == FOREIGN_PAPI || !names[i + 1])
				read_as(format, names[i], text, bytes, plain);
	free(plain);
	free(text);
	return 0;
}
