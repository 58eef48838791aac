/* SPDX-License-Identifier: MIT */
/* Which rows of which commands are values, and of which node. */
#include "fleet/read.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "fleet/stored.h"
#include "store/certificate.h"
#include "store/input.h"
#include "store/rows.h"

/*
 * The rows that are values: `key` are the fields that name the item, `values`
 * those that are numbers or texts of the node. Lists with commas.
 */
static const struct row_rule {
	const char *type, *series, *key, *values;
	bool exact;		/* numbers have no noise */
} rules[] = {
	/* topo */
	{ "measured-level", "level", "level", "capacity,cycles,ns", false },
	{ "trait", "trait", "trait", "value", false },
	{ "cache", "cache", "cache", "size,ways,line", true },
	{ "tlb", "TLB", "TLB", "entries,ways", true },
	/* doctor */
	{ "machine", "machine", "", "assay,cpus", true },
	{ "finding", "finding", "part,what", "state", false },
	/* verify */
	{ "event", "verdict on", "event", "verdict", false },
	{ "verdict", "verdict on", "quantity,from,kernel", "verdict", false },
	/* run, sweep */
	{ "comparison", "verdict on", "quantity,from,kernel", "verdict",
	  false },
	{ "metric", "metric", "file,metric,kernel", "value", false },
	{ "slope", "slope", "kernel,of", "per_unit,verdict", false },
};

struct reading {
	struct fleet *fleet;
	const char *path;
	int node;		/* that rows belong to */
	int own;		/* the node called like the file; -1: none */
	bool named;		/* .node is not .own */
	int rc;			/* why the reading was ended */
	struct assay_error *err;
};

#define FILE_BYTES (1u << 30)	/* at most */

static int too_many(int rc, const char *path, struct assay_error *err)
{
	if (rc == -ASSAY_ERANGE)
		return error_set(err, rc, "'%.200s': more than %d nodes or %d "
				 "different values", path, FLEET_NODES,
				 FLEET_ITEMS);
	return rc == -ASSAY_ENOMEM ? error_memory(err) : rc;
}

/* The rows before the first name of the node get their node, too. */
static int name_node(struct reading *r, const char *name)
{
	const int node = fleet_node(r->fleet, name);
	int rc = 0;

	if (node < 0)
		return node;
	if (!r->named && r->own >= 0 && node != r->own)
		rc = fleet_merge(r->fleet, node, r->own);
	r->node = node;
	r->named = true;
	return rc;
}

/* The node of rows in a file that has not named a node yet. */
static int current(struct reading *r)
{
	if (r->node >= 0)
		return r->node;
	r->own = r->node = fleet_node(r->fleet, r->path);
	return r->node;
}

static int on_record(void *ctx, struct assay_record *record)
{
	struct reading *r = ctx;
	const char *name = *record->place.node ? record->place.node :
						 record->machine.host;

	r->rc = *name ? name_node(r, name) : current(r);
	if (r->rc >= 0)
		r->rc = fleet_add_record(r->fleet, r->node, record);
	record_free(record);
	return r->rc < 0;
}

static const struct assay_field *find(const struct assay_row *row,
				      const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return &row->field[i];
	return NULL;
}

static const char *text_of(const struct assay_row *row, const char *name)
{
	const struct assay_field *f = find(row, name);

	return f && f->kind == ASSAY_FIELD_TEXT ? f->text : "";
}

/* One field of a row as a value of the current node. */
static int add_field(struct reading *r, const struct row_rule *rule,
		     const char *key, const struct assay_field *f)
{
	const bool is_text = f->kind == ASSAY_FIELD_TEXT ||
			     f->kind == ASSAY_FIELD_ABSENT;
	const int node = current(r);
	const char *what = strcmp(f->name, "verdict") &&
			   strcmp(f->name, "state") ? f->name : "";
	char series[400] = "";
	int item;

	/* a series for each: their neighbours are other things */
	text_join(series, sizeof(series), (const char *const[]){
		  rule->series, key, what, NULL }, " ");
	if (node < 0)
		return node;
	item = fleet_item(r->fleet, is_text ? FLEET_TEXT : rule->exact ?
			  FLEET_EXACT : FLEET_NUMBER, series, "");
	if (item < 0)
		return item;
	if (is_text)
		return fleet_text(r->fleet, node, item,
				  f->kind == ASSAY_FIELD_TEXT ? f->text :
				  "absent");
	return fleet_number(r->fleet, node, item, f->kind == ASSAY_FIELD_COUNT ?
			    (double)f->count : f->real);
}

static int add_row(struct reading *r, const struct row_rule *rule,
		   const struct assay_row *row)
{
	const char *keys = rule->key, *values = rule->values;
	char name[64], key[320] = "";
	int rc = 0;

	while (text_item(&keys, name, sizeof(name)))
		text_add(key, sizeof(key), " ", "%s", text_of(row, name));
	while (!rc && text_item(&values, name, sizeof(name))) {
		const struct assay_field *f = find(row, name);

		if (f)
			rc = add_field(r, rule, key, f);
	}
	return rc;
}

/* The last line of a file of a job (docs/record.md). */
static int end_of_rank(struct reading *r, const struct assay_row *row)
{
	const bool measured = !strcmp(text_of(row, "measured"), "yes");
	int rc = 0;

	if (!measured || !*text_of(row, "node"))
		return 0;
	rc = name_node(r, text_of(row, "node"));
	if (!rc)
		r->fleet->node[r->node].complete = true;
	return rc;
}

static int on_row(void *ctx, const struct assay_row *row)
{
	struct reading *r = ctx;
	const char *host = text_of(row, "host");

	if (!strcmp(row->type, "rank")) {
		r->rc = end_of_rank(r, row);
		return r->rc < 0;
	}
	if (!strcmp(row->type, "machine") && *host && !r->named)
		r->rc = name_node(r, host);
	for (size_t i = 0; r->rc >= 0 && i < sizeof(rules) / sizeof(*rules);
	     i++)
		if (!strcmp(row->type, rules[i].type))
			r->rc = add_row(r, &rules[i], row);
	return r->rc < 0;
}

/* Lines of -j. */
static int read_text(struct reading *r, const char *text)
{
	const int rc = rows_read(text, r->path, on_row, on_record, r, r->err);

	return r->rc < 0 ? too_many(r->rc, r->path, r->err) : rc;
}

static int read_lines(struct reading *r)
{
	char *text;
	size_t bytes;
	int rc = input_load(&text, &bytes, r->path, FILE_BYTES, r->err);

	if (rc < 0)
		return rc;
	rc = strlen(text) == bytes ? read_text(r, text) :
	     error_set(r->err, -ASSAY_EINVAL, "'%.200s' has a NUL byte: this "
		       "is no file of lines", r->path);
	free(text);
	return rc;
}

/* ---- databases ----------------------------------------------------------- */

/* A pipe would lose what is read here: it holds lines. */
static bool begins_with(const char *path, const char *head)
{
	char start[256];
	struct stat s;
	FILE *in = stat(path, &s) || !S_ISREG(s.st_mode) ? NULL :
							   fopen(path, "re");
	const size_t n = in ? fread(start, 1, sizeof(start) - 1, in) : 0;

	if (in)
		fclose(in);
	start[n] = '\0';
	return strstr(start, head);
}

/* A line of a run: node, text. */
static int on_line(void *ctx, const struct database_row *row)
{
	struct reading *r = ctx;

	if (*database_text(row, 0))
		r->rc = name_node(r, database_text(row, 0));
	if (r->rc < 0)
		return too_many(r->rc, r->path, r->err);
	return read_text(r, database_text(row, 1));
}

static int read_database(struct reading *r)
{
	static const char lines[] =
		"SELECT coalesce(nullif(r.node, ''), r.host), l.text "
		"FROM run r JOIN line l ON l.run = r.id "
		"WHERE NOT EXISTS (SELECT 1 FROM point p WHERE p.run = l.run "
		"AND p.line = l.number) ORDER BY r.id, l.number";
	struct database *db;
	int rc = database_read(&db, r->path, r->err);

	if (rc < 0)
		return rc;
	rc = fleet_read_points(r->fleet, db, r->path, r->err);
	rc = rc ? too_many(rc, r->path, r->err) :
	     database_each(db, lines, NULL, 0, on_line, r, r->err);
	database_close(db);
	return rc;
}

/* ---- certificates -------------------------------------------------------- */

static int add_certificate(struct fleet *f, int node,
			   const struct certificate *c)
{
	char series[64];
	int rc = 0;

	snprintf(series, sizeof(series), "certificate (%s)",
		 c->machine.provider);
	for (size_t i = 0; i < c->events && !rc; i++) {
		const int item = fleet_item(f, FLEET_TEXT, series,
					    c->event[i].event);

		rc = item < 0 ? item : fleet_text(f, node, item,
				assay_class_name(c->event[i].class_));
	}
	return rc;
}

static int read_certificate(struct fleet *f, const char *path,
			    struct assay_error *err)
{
	struct certificate c;
	int node, rc = certificate_read(&c, path, err);

	if (rc < 0)
		return rc;
	node = fleet_node(f, *c.machine.node ? c.machine.node : path);
	rc = node < 0 ? node : add_certificate(f, node, &c);
	certificate_fini(&c);
	return too_many(rc, path, err);
}

static int is_wanted(const struct dirent *entry)
{
	const char *end = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && end &&
	       (!strcmp(end, ".jsonl") || !strcmp(end, ".json"));
}

/* The files NAME.jsonl and NAME.json of a folder, by name. */
static int read_folder(struct fleet *fleet, const char *folder,
		       struct assay_error *err)
{
	struct dirent **entry;
	const int n = scandir(folder, &entry, is_wanted, alphasort);
	int rc = n < 0 ? error_read(err, folder) : 0;

	for (int i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entry[i]->d_name);
		rc = rc ? rc : fleet_read(fleet, path, err);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return rc;
}

static bool is_folder(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISDIR(s.st_mode);
}

int fleet_read(struct fleet *fleet, const char *path, struct assay_error *err)
{
	struct reading r = {
		.fleet = fleet, .path = path, .node = -1, .own = -1, .err = err,
	};

	if (is_folder(path))
		return read_folder(fleet, path, err);
	if (begins_with(path, "\"assay-certificate/"))
		return read_certificate(fleet, path, err);
	if (begins_with(path, "SQLite format 3"))
		return read_database(&r);
	return read_lines(&r);
}
