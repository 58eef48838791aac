/* SPDX-License-Identifier: MIT */
/*
 * Verify by identities between events, which need no known answer. Every run of
 * the panel is checked. A violated identity is reported once, with the run
 * where its two sides are furthest apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/identities.h"
#include "verify/verify.h"
#include "base/row.h"
#include "base/text.h"

enum { FINDINGS = 512, FIELDS = 16 };

/* One run of the panel. */
struct panel_run {
	const struct panel *panel;
	size_t row;
};

/* The worst violation of one identity. */
struct violation {
	struct identity_finding worst;
	size_t row;
	unsigned shapes, last;	/* last: index of the last shape counted in
				 * shapes */
};

struct violations {
	struct violation violation[FINDINGS];
	unsigned violations;
	struct identity_finding found[FINDINGS];
};

static struct assay_value count_of(void *ctx, const char *event)
{
	const struct panel_run *at = ctx;
	int e = panel_find(at->panel, event);
	double count = e < 0 ? NAN : at->panel->count[at->row * PANEL_EVENTS +
						      (size_t)e];

	if (isnan(count))
		return (struct assay_value){ .why = "not counted here" };
	return (struct assay_value){ .number = count };
}

static void add_violation(struct violations *b,
			  const struct identity_finding *f, size_t row,
			  unsigned shape)
{
	struct violation *violation = b->violation;

	while (violation < b->violation + b->violations &&
	       violation->worst.identity != f->identity)
		violation++;
	if (violation == b->violation + FINDINGS)
		return;
	if (violation == b->violation + b->violations) {
		*violation = (struct violation){ *f, row, 1, shape };
		b->violations++;
		return;
	}
	violation->shapes += violation->last != shape;
	violation->last = shape;
	if (f->excess > violation->worst.excess) {
		violation->worst = *f;
		violation->row = row;
	}
}

static void check_run(struct violations *b, const struct identities *set,
		 const struct verify *v, size_t row)
{
	struct panel_run at = { &v->panel, row };
	const struct identity_check check = {
		.exact = v->exact, .count = count_of, .ctx = &at,
	};
	size_t n = identities_check(set, &check, b->found, FINDINGS);

	for (size_t i = 0; i < n && i < FINDINGS; i++)
		if (b->found[i].state == IDENTITY_VIOLATED)
			add_violation(b, &b->found[i], row,
				      v->panel.row[row].shape);
}

/* Emits a row "identity" with the kernel and shape of the worst run. */
struct violation_row {
	struct verify *v;
	const struct violation *violation;
};

static int emit_violation(void *ctx, const struct assay_row *row)
{
	const struct violation_row *t = ctx;
	const struct panel *p = &t->v->panel;
	const struct panel_shape *s =
		&p->shape[p->row[t->violation->row].shape];
	struct assay_field field[FIELDS];
	size_t n = row->fields < FIELDS - 3 ? row->fields : FIELDS - 3;

	memcpy(field, row->field, n * sizeof(*field));
	field[n++] = field_text("kernel", s->kernel);
	field[n++] = field_text("shape", s->text);
	field[n++] = field_count("shapes", t->violation->shapes);
	return row_emit(t->v->fn, t->v->ctx, row->type, field, n);
}

int verify_identities(struct verify *v, struct assay_error *err)
{
	struct violations *b = calloc(1, sizeof(*b));
	struct identities *set;
	int rc = b ? cpu_identities_load(&set, v->assay, v->cpu, err) :
		     error_memory(err);

	if (rc < 0) {
		free(b);
		return rc;
	}
	for (size_t i = 0; i < v->panel.rows; i++)
		check_run(b, set, v, i);
	for (unsigned i = 0; i < b->violations && rc == 0; i++) {
		struct violation_row t = { v, &b->violation[i] };

		v->disagrees++;
		rc = identity_row(&b->violation[i].worst, emit_violation, &t);
	}
	identities_free(set);
	free(b);
	return rc;
}
