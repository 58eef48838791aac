/* SPDX-License-Identifier: MIT */
/* Faults as people write them. */
#include "counters/fault.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"

static const struct kind {
	const char *name;
	char form;
	double least, most, initial;
	const char *sentence;
} kinds[FAULTS] = {
#define X(name, form, least, most, initial, sentence) \
	{ #name, form, least, most, initial, sentence },
#include "counters/faults.def"
#undef X
};

const char *const fault_names[FAULTS] = {
#define X(name, form, least, most, initial, sentence) #name,
#include "counters/faults.def"
#undef X
};

static int unknown_kind(const char *word, struct assay_error *err)
{
	const char *names[FAULTS + 1] = { NULL };

	for (int i = 0; i < FAULTS; i++)
		names[i] = kinds[i].name;
	error_set(err, -ASSAY_ENOENT, "unknown fault '%.40s'", word);
	error_meant(err, word, names);
	error_add(err, "try: assay list faults");
	return -ASSAY_ENOENT;
}

static int parse_amount(double *out, const struct kind *k, const char *text,
			struct assay_error *err)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value))
		return error_set(err, -ASSAY_EINVAL, "fault %s: '%.40s' is no "
				 "number", k->name, text);
	if (k->least == k->most)
		return error_set(err, -ASSAY_EINVAL,
				 "fault %s takes no number", k->name);
	if (value < k->least || value > k->most || value == 0)
		return error_set(err, -ASSAY_EINVAL, "fault %s: %s is not in "
				 "%g .. %g, or is 0", k->name, text,
				 k->least, k->most);
	*out = value;
	return 0;
}

/* "EVENT=REST"; the last '=' counts. */
static int parse_event(struct fault *f, const struct kind *k, char *text,
		       struct assay_error *err)
{
	char *equals = strrchr(text, '=');

	if (equals)
		*equals++ = '\0';
	if (!*text || strlen(text) >= sizeof(f->event))
		return error_set(err, -ASSAY_EINVAL, "fault %s needs an event, "
				 "as in %s:EVENT", k->name, k->name);
	text_copy(f->event, sizeof(f->event), text);
	if (k->form == 's' && (!equals || !*equals))
		return error_set(err, -ASSAY_EINVAL, "fault %s needs two "
				 "events, as in %s:EVENT=OTHER", k->name,
				 k->name);
	if (k->form == 's')
		text_copy(f->other, sizeof(f->other), equals);
	else if (equals)
		return parse_amount(&f->amount, k, equals, err);
	return 0;
}

int fault_parse(struct fault *out, const char *text, struct assay_error *err)
{
	size_t word = strcspn(text, ":=");
	struct fault f = { .code = 0 };
	const struct kind *k = NULL;
	char rest[256];
	int rc = 0;

	text_copy(rest, sizeof(rest), text);
	rest[word < sizeof(rest) ? word : sizeof(rest) - 1] = '\0';
	for (int i = 0; i < FAULTS && !k; i++)
		if (text_equal(kinds[i].name, rest))
			k = &kinds[i];
	if (!k)
		return unknown_kind(rest, err);
	f.kind = (enum fault_kind)(k - kinds);
	f.amount = k->initial;
	text_copy(rest, sizeof(rest), text[word] ? text + word + 1 : "");
	if (k->form != 'n')
		rc = parse_event(&f, k, text[word] == ':' ? rest : strcpy(rest,
				 ""), err);
	else if (text[word])
		rc = parse_amount(&f.amount, k, rest, err);
	if (rc == 0)
		*out = f;
	return rc;
}

void fault_text(char *out, size_t room, const struct fault *fault)
{
	const struct kind *k = &kinds[fault->kind];

	if (k->form == 'n')
		snprintf(out, room, "%s=%.9g", k->name, fault->amount);
	else if (k->form == 's')
		snprintf(out, room, "%s:%s=%s", k->name, fault->event,
			 fault->other);
	else if (k->least == k->most)
		snprintf(out, room, "%s:%s", k->name, fault->event);
	else
		snprintf(out, room, "%s:%s=%.9g", k->name, fault->event,
			 fault->amount);
}

static int list_kind(const struct kind *k, assay_row_fn *fn, void *ctx)
{
	char form[48], initial[24] = "";

	snprintf(form, sizeof(form), k->form == 'n' ? "%s=N" :
		 k->form == 's' ? "%s:EVENT=OTHER" : k->least == k->most ?
		 "%s:EVENT" : "%s:EVENT[=N]", k->name);
	if (k->least != k->most)
		snprintf(initial, sizeof(initial), "%g", k->initial);
	const struct assay_field field[] = {
		field_text("fault", form), field_text("default", initial),
		field_text("meaning", k->sentence),
	};

	return row_emit(fn, ctx, "fault", field, 3);
}

int fault_list(assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (int i = 0; i < FAULTS && rc == 0; i++)
		rc = list_kind(&kinds[i], fn, ctx);
	return rc;
}
