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
struct place {
	const struct panel *panel;
	size_t row;
};

/* The worst violation of one identity. */
struct breach {
	struct identity_finding worst;
	size_t row;
	unsigned shapes, last;	/* last: index of the last shape counted in
				 * shapes */
};

struct breaches {
	struct breach law[FINDINGS];
	unsigned laws;
	struct identity_finding found[FINDINGS];
};

static struct assay_value count_of(void *ctx, const char *event)
{
	const struct place *at = ctx;
	int e = panel_find(at->panel, event);
	double count = e < 0 ? NAN : at->panel->count[at->row * PANEL_EVENTS +
						      (size_t)e];

	if (isnan(count))
		return (struct assay_value){ .why = "not counted here" };
	return (struct assay_value){ .number = count };
}

static void keep(struct breaches *b, const struct identity_finding *f,
		 size_t row, unsigned shape)
{
	struct breach *law = b->law;

	while (law < b->law + b->laws && law->worst.identity != f->identity)
		law++;
	if (law == b->law + FINDINGS)
		return;
	if (law == b->law + b->laws) {
		*law = (struct breach){ *f, row, 1, shape };
		b->laws++;
		return;
	}
	law->shapes += law->last != shape;
	law->last = shape;
	if (f->excess > law->worst.excess) {
		law->worst = *f;
		law->row = row;
	}
}

static void look(struct breaches *b, const struct identities *set,
		 const struct verify *v, size_t row)
{
	struct place at = { &v->panel, row };
	const struct identity_check check = {
		.exact = v->exact, .count = count_of, .ctx = &at,
	};
	size_t n = identities_check(set, &check, b->found, FINDINGS);

	for (size_t i = 0; i < n && i < FINDINGS; i++)
		if (b->found[i].state == IDENTITY_VIOLATED)
			keep(b, &b->found[i], row, v->panel.row[row].shape);
}

/* Emits a row "identity" with the kernel and shape of the worst run. */
struct telling {
	struct verify *v;
	const struct breach *breach;
};

static int tell(void *ctx, const struct assay_row *row)
{
	const struct telling *t = ctx;
	const struct panel *p = &t->v->panel;
	const struct panel_shape *s = &p->shape[p->row[t->breach->row].shape];
	struct assay_field field[FIELDS];
	size_t n = row->fields < FIELDS - 3 ? row->fields : FIELDS - 3;

	memcpy(field, row->field, n * sizeof(*field));
	field[n++] = field_text("kernel", s->kernel);
	field[n++] = field_text("shape", s->text);
	field[n++] = field_count("shapes", t->breach->shapes);
	return row_emit(t->v->fn, t->v->ctx, row->type, field, n);
}

int verify_identities(struct verify *v, struct assay_error *err)
{
	struct breaches *b = calloc(1, sizeof(*b));
	struct identities *set;
	int rc = b ? cpu_identities_load(&set, v->assay, v->cpu, err) :
		     error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc < 0) {
		free(b);
		return rc;
	}
	for (size_t i = 0; i < v->panel.rows; i++)
		look(b, set, v, i);
	for (unsigned i = 0; i < b->laws && rc == 0; i++) {
		struct telling t = { v, &b->law[i] };

		v->disagrees++;
		rc = identity_row(&b->law[i].worst, tell, &t);
	}
	identities_free(set);
	free(b);
	return rc;
}
