/* SPDX-License-Identifier: MIT */
/* Two certificates, event by event. */
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "store/certificate.h"
#include "assay.h"

struct diff {
	assay_row_fn *fn;
	void *ctx;
	unsigned differences;
};

/* counts: true if this difference makes the two files differ ("bad"). */
static int emit_difference(struct diff *d, const char *what, const char *where,
		const char *a, const char *b, bool counts)
{
	const struct assay_field field[] = {
		field_text("what", what), field_text("where", where),
		field_text("first", a), field_text("second", b),
		field_text("state", counts ? "bad" : "warn"),
	};

	d->differences += counts;
	return row_emit(d->fn, d->ctx, "difference", field, 5);
}

static int compare_machines(struct diff *d, const struct certificate_machine *a,
			const struct certificate_machine *b)
{
	const struct { const char *what, *a, *b; } part[] = {
		{ "provider", a->provider, b->provider },
		{ "cpu", a->cpu, b->cpu }, { "isa", a->isa, b->isa },
		{ "stepping", a->stepping, b->stepping },
		{ "microcode", a->microcode, b->microcode },
		{ "kernel", a->kernel, b->kernel },
		{ "hypervisor", a->hypervisor, b->hypervisor },
		{ "options", a->options, b->options },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(part) / sizeof(*part) && rc == 0; i++)
		if (strcmp(part[i].a, part[i].b) != 0)
			rc = emit_difference(d, part[i].what, "machine",
					     part[i].a, part[i].b, false);
	return rc;
}

static const struct certificate_event *
find(const struct certificate *c, const char *event)
{
	for (size_t i = 0; i < c->events; i++)
		if (text_equal(c->event[i].event, event))
			return &c->event[i];
	return NULL;
}

static void verdict(char *out, size_t room,
		    const struct certificate_event *e)
{
	if (!e)
		text_copy(out, room, "not judged");
	else if (e->class_ == ASSAY_CLASS_EXACT)
		text_copy(out, room, assay_class_name(e->class_));
	else
		snprintf(out, room, "%s: %s", assay_class_name(e->class_),
			 e->explains);
}

static int compare_event(struct diff *d, const char *event,
			 const struct certificate_event *a,
			 const struct certificate_event *b)
{
	char first[400], second[400];

	/* how near an agreement was differs from run to run */
	if (a && b && a->class_ == b->class_ && assay_class_trust(a->class_))
		return 0;
	verdict(first, sizeof(first), a);
	verdict(second, sizeof(second), b);
	return strcmp(first, second) == 0 ? 0 :
	       emit_difference(d, event, "verdict", first, second, true);
}

static int diff_certificates(struct diff *d, const struct certificate *a,
			     const struct certificate *b)
{
	int rc = compare_machines(d, &a->machine, &b->machine);

	for (size_t i = 0; i < a->events && rc == 0; i++)
		rc = compare_event(d, a->event[i].event, &a->event[i],
				   find(b, a->event[i].event));
	for (size_t i = 0; i < b->events && rc == 0; i++)
		if (!find(a, b->event[i].event))
			rc = compare_event(d, b->event[i].event, NULL,
					   &b->event[i]);
	return rc;
}

static int read_certificates(struct diff *d, const char *a, const char *b,
			     struct assay_error *err)
{
	struct certificate first = { .events = 0 }, second = { .events = 0 };
	int rc = certificate_read(&first, a, err);

	if (rc == 0)
		rc = certificate_read(&second, b, err);
	if (rc == 0)
		rc = diff_certificates(d, &first, &second);
	certificate_fini(&first);
	certificate_fini(&second);
	return rc;
}

/* Certificates end in ".json"; all other names are of runs. */
static bool is_certificate(const char *path)
{
	const size_t n = strlen(path);

	return n > 4 && !strcmp(path + n - 5, ".json");
}

int assay_diff(struct assay *assay, const char *first, const char *second,
	       assay_row_fn *fn, void *ctx, unsigned *differences,
	       struct assay_error *err)
{
	struct diff d = { fn, ctx, 0 };
	int rc;

	(void)assay;
	if (!is_certificate(first) || !is_certificate(second)) {
		error_set(err, -ASSAY_EINVAL, "'%.200s' is no certificate "
			  "(.json)", is_certificate(first) ? second : first);
		error_add(err, "two runs? try: assay compare OLD NEW");
		return -ASSAY_EINVAL;
	}
	rc = read_certificates(&d, first, second, err);
	if (rc == 0)
		*differences = d.differences;
	return rc;
}
