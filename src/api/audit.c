/* SPDX-License-Identifier: MIT */
/* assay_audit(): event tables checked without hardware. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/audit.h"
#include "base/row.h"
#include "base/text.h"
#include "events/events.h"
#include "run/handle.h"
#include "run/own-entries.h"

struct auditing {
	assay_row_fn *fn;
	void *ctx;
};

/* Which of our kernels shows on hardware what an event counts: by a word of
 * the event's name. The first that fits. */
static const char *decided_by(const char *event)
{
	static const struct { const char *word, *kernel; } kernels[] = {
		{ "TLB", "pages" }, { "PAGE_WALK", "pages" },
		{ "WALK", "pages" }, { "MISP", "branch" },
		{ "RETURN", "callret" }, { "CALL", "callret" },
		{ "BR_", "branch" }, { "BRANCH", "branch" },
		{ "ICACHE", "icode" }, { "L1I", "icode" }, { "IDQ", "icode" },
		{ "FLUSH", "flush" }, { "STORE", "store" },
		{ "L1D", "chase" }, { "L2_", "chase" }, { "L3_", "chase" },
		{ "_L2", "chase" }, { "_L3", "chase" },
		{ "LLC", "chase" }, { "LONGEST_LAT", "chase" },
		{ "MEM_LOAD", "chase" }, { "OFFCORE", "chase" },
		{ "IMC", "stream" }, { "DRAM", "stream" }, { "CAS", "stream" },
		{ "INST", "empty" },
	};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (text_part(kernels[i].word, event))
			return kernels[i].kernel;
	return NULL;
}

static struct assay_field decide_field(const struct entry *e)
{
	const char *kernel = e->code.unit && !*e->code.unit ?
			     decided_by(e->name) : NULL;

	return kernel ? field_text("decide", kernel) :
	       (struct assay_field){ .name = "decide",
				     .kind = ASSAY_FIELD_ABSENT,
				     .text = "no kernel of ours shows it" };
}

static int emit(void *ctx, const struct audit_finding *f)
{
	const struct auditing *auditing = ctx;
	const struct entry *e = f->entry;
	char name[ENTRY_NAME], here[600], others[600], table[64];
	struct assay_field field[11];

	entry_text(name, sizeof(name), e->name);
	entry_text(here, sizeof(here), f->here);
	entry_text(others, sizeof(others), f->others);
	entry_text(table, sizeof(table), e->table);
	field[0] = field_text("class", f->class);
	field[1] = field_text("confidence",
			      audit_confidence_names[f->confidence]);
	field[2] = field_text("cpu", table);
	field[3] = field_text("event", name);
	field[4] = field_text("here", here);
	field[5] = field_text("others", others);
	field[6] = decide_field(e);
	field[6].flags = ASSAY_FIELD_DETAIL;
	field[7] = field_detail("source", entry_source_names[e->source]);
	field[8] = field_text("file", e->file);
	field[9] = field_count("line", e->line);
	field[9].flags = ASSAY_FIELD_PLAIN;
	field[10] = e->col ? field_count("column", e->col) :
		    (struct assay_field){ .name = "column",
					  .kind = ASSAY_FIELD_ABSENT };
	field[10].flags = ASSAY_FIELD_PLAIN | ASSAY_FIELD_DETAIL;
	return ROW_EMIT(auditing->fn, auditing->ctx, "audit", field);
}

/* ---- places -------------------------------------------------------------- */

/* The places in the order in which they are named, those of witnesses last. */
struct places {
	const struct assay_audit *asked;
	struct event_tables **tables;	/* of each place; NULL: others */
	size_t n, twice;
};

static const char *place_at(const struct places *p, size_t i)
{
	return i < p->asked->places ? p->asked->place[i] :
				      p->asked->against[i - p->asked->places];
}

/* Is the folder or file `inner` the other, or in the folder? */
static bool covers(const char *outer, const char *inner)
{
	char a[PATH_MAX], b[PATH_MAX], *slash;

	if (!strcasecmp(outer, inner))
		return true;
	if (!realpath(outer, a) || !realpath(inner, b))
		return false;
	if (!strcmp(a, b))
		return true;
	slash = strrchr(b, '/');
	*slash = '\0';
	return !strcmp(a, b);
}

/* Is another place the same, or has the file of this one? Tables of others are
 * compared file by file: event_tables_subtract(). */
static bool is_again(const struct places *p, size_t i)
{
	const bool witness = i >= p->asked->places;

	for (size_t k = 0; k < p->n; k++) {
		const char *a = place_at(p, k), *b = place_at(p, i);

		if (k != i && (k < p->asked->places || witness) &&
		    covers(a, b) && (k < i || !covers(b, a)))
			return true;
	}
	return false;
}

static int add_tables(struct audit_adding *adding, struct places *p, size_t at,
		      struct assay_error *err)
{
	struct event_tables *tables;
	int rc = event_tables_open(&tables, place_at(p, at), err);

	if (rc)
		return rc;
	p->tables[at] = tables;
	for (size_t i = 0; i < at; i++)
		if (p->tables[i])
			p->twice += event_tables_subtract(tables,
							  p->tables[i]);
	rc = event_tables_each(tables, NULL, audit_add, adding, err);
	/* What cannot be read is among the entries. */
	return rc == -ASSAY_ENOMEM ? error_memory(err) :
	       rc == -ASSAY_EPARSE ? 0 : rc;
}

static int add_place(struct audit_adding *adding, struct places *p, size_t at,
		     const char *data_dir, struct assay_error *err)
{
	const char *place = place_at(p, at);
	const bool library = !strcasecmp(place, "libpfm4");
	int rc;

	if (!library && !own_is(place))
		return add_tables(adding, p, at, err);
	if (is_again(p, at)) {
		p->twice++;
		return 0;
	}
	if (!library)
		return own_entries(place, data_dir, audit_add, adding, err);
	rc = events_libpfm4(NULL, audit_add, adding);
	return rc ? error_memory(err) : 0;
}

static int add_places(struct audit *audit, struct assay_audit *asked,
		      const char *data_dir, struct assay_error *err)
{
	struct places p = { .asked = asked,
			    .n = asked->places + asked->againsts };
	int rc = 0;

	p.tables = calloc(p.n + 1, sizeof(struct event_tables *));
	if (!p.tables)
		return error_memory(err);
	for (size_t i = 0; i < p.n && !rc; i++) {
		struct audit_adding adding = { audit, i < asked->places,
					       asked->cpu };

		rc = add_place(&adding, &p, i, data_dir, err);
	}
	for (size_t i = 0; i < p.n; i++)
		event_tables_free(p.tables[i]);
	free(p.tables);
	asked->twice = p.twice;
	return rc;
}

int assay_audit(struct assay *assay, struct assay_audit *asked,
		assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	const struct auditing auditing = { fn, ctx };
	struct audit *audit = audit_new();
	struct audit_count count = { 0 };
	int rc = audit ? add_places(audit, asked, assay->data_dir, err) :
			 error_memory(err);

	if (!rc)
		rc = audit_run(audit, emit, (void *)&auditing, &count);
	if (rc == -ASSAY_ENOMEM)
		error_memory(err);
	audit_free(audit);
	asked->entries = count.entries;
	asked->findings = count.findings;
	asked->high = count.high;
	if (!rc && !count.entries)
		rc = error_set(err, -ASSAY_ENOENT, asked->cpu ? "no table is "
			       "for the CPU '%.100s'" : "the tables have no "
			       "entry that can be read%.100s", asked->cpu ? asked->cpu : "");
	return rc;
}
