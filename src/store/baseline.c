/* SPDX-License-Identifier: MIT */
/* Reads and writes assay-ci.baseline.json: see baseline.h. */
#include "store/baseline.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/loading/library.h"
#include "base/text.h"
#include "store/node.h"

#define SCHEMA "assay-ci-baseline/1"
enum { FILE_BYTES = 64 << 20, BENCHMARKS = 1024, FILES = 4096,
       LINES = 1 << 17 };

static const char *const columns[TALLY_COLUMNS] = {
#define X(name, sentence) #name,
#include "store/programs/tally.def"
#undef X
};

/* ---- the struct --------------------------------------------------------- */

/* One more element, all 0, of an array of n; NULL: no memory. */
static void *add(void *array, size_t *n, size_t bytes)
{
	char *all;

	if (!(*n & (*n - 1)) &&
	    !array_resize(array, *n ? 2 * *n : 1, bytes))
		return NULL;
	memcpy(&all, array, sizeof(all));
	return memset(all + bytes * (*n)++, 0, bytes);
}

struct baseline_benchmark *baseline_add(struct baseline *b)
{
	return add(&b->benchmark, &b->benchmarks, sizeof(*b->benchmark));
}

struct baseline_file *baseline_add_file(struct baseline_benchmark *b)
{
	return add(&b->file, &b->files, sizeof(*b->file));
}

struct baseline_line *baseline_add_line(struct baseline_benchmark *b)
{
	return add(&b->line, &b->lines, sizeof(*b->line));
}

const struct baseline_benchmark *baseline_find(const struct baseline *b,
					       const char *name)
{
	for (size_t i = 0; i < b->benchmarks; i++)
		if (!strcmp(b->benchmark[i].name, name))
			return &b->benchmark[i];
	return NULL;
}

static void free_benchmark(struct baseline_benchmark *b)
{
	for (size_t i = 0; i < b->files; i++) {
		free(b->file[i].name);
		free(b->file[i].sha256);
	}
	for (size_t i = 0; i < b->lines; i++) {
		free(b->line[i].file);
		free(b->line[i].function);
		free(b->line[i].object);
		free(b->line[i].text);
	}
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		free(b->of[q].moves);
	free(b->file);
	free(b->line);
	free(b->name);
	free(b->command);
	free(b->cpu);
	free(b->guest);
	free(b->part);
}

void baseline_fini(struct baseline *b)
{
	for (size_t i = 0; i < b->benchmarks; i++)
		free_benchmark(&b->benchmark[i]);
	free(b->benchmark);
	*b = (struct baseline){ .benchmarks = 0 };
}

/* ---- writing ------------------------------------------------------------ */

/* Texts that are no UTF-8 are left out, as are empty ones. */
static void put(json_t *to, const char *key, const char *text)
{
	json_t *s = text && *text ? json_string(text) : NULL;

	if (s)
		json_object_set_new(to, key, s);
}

static void put_count(json_t *to, const char *key, uint64_t count)
{
	if (count)
		json_object_set_new(to, key, json_integer((json_int_t)count));
}

static json_t *line_json(const struct baseline_line *l)
{
	json_t *out = json_object();

	put(out, "file", l->file);
	put(out, "function", l->function);
	put(out, "object", l->object);
	put(out, "text", l->text);
	put_count(out, "line", l->line);
	for (int i = 0; i < TALLY_COLUMNS; i++)
		put_count(out, columns[i], l->count[i]);
	return out;
}

static json_t *counts_json(const struct baseline_counts *c)
{
	json_t *out = json_array();

	for (unsigned i = 0; i < c->layouts; i++)
		json_array_append_new(out,
				      json_integer((json_int_t)c->count[i]));
	return out;
}

static json_t *benchmark_json(const struct baseline_benchmark *b)
{
	json_t *out = json_object(), *counts = json_object();
	json_t *files = json_object(), *lines = json_array();
	json_t *moves = json_object();

	put(out, "command", b->command);
	put(out, "cpu", b->cpu);
	put(out, "guest", b->guest);
	put(out, "part", b->part);
	for (size_t i = 0; i < b->files; i++)
		put(files, b->file[i].name, b->file[i].sha256);
	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		if (b->of[q].layouts)
			json_object_set_new(counts, assay_quantity_name(q),
					    counts_json(&b->of[q]));
		put(moves, assay_quantity_name(q), b->of[q].moves);
	}
	for (size_t i = 0; i < b->lines; i++)
		json_array_append_new(lines, line_json(&b->line[i]));
	json_object_set_new(out, "counts", counts);
	json_object_set_new(out, "files", files);
	json_object_set_new(out, "lines", lines);
	json_object_set_new(out, "moves", moves);
	return out;
}

int baseline_write(FILE *out, const struct baseline *b, struct assay_error *err)
{
	json_t *root = json_object(), *all = json_object();
	int rc = root ? 0 : library_need(LIBRARY_JANSSON, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < b->benchmarks; i++)
		json_object_set_new(all, b->benchmark[i].name,
				    benchmark_json(&b->benchmark[i]));
	json_object_set_new(root, "benchmarks", all);
	put(root, "schema", SCHEMA);
	rc = root ? json_dumpf(root, out, JSON_INDENT(1) | JSON_SORT_KEYS) : -1;
	json_decref(root);
	if (rc < 0 || putc('\n', out) == EOF || fflush(out) != 0)
		return error_set(err, -ASSAY_EIO, "cannot write the baseline: "
				 "%s", strerror(errno));
	return 0;
}

/* ---- reading ------------------------------------------------------------ */

static int no_memory(const struct node *n)
{
	return error_memory(n->line->err);
}

/* Copies the text of a node. Control characters are refused. */
static int read_string(const struct node *n, char **out)
{
	const char *text = json_string_value(n->json);

	if (!json_is_string(n->json))
		return node_wrong(n, "a string");
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t')
			return node_error(n, "this has a control character");
	free(*out);
	*out = strdup(text);
	return *out ? 0 : no_memory(n);
}

/* The member, or "" if it is missing. */
static int read_text(const struct node *of, const char *key, char **out)
{
	const struct node n = node_member(of, key);

	if (n.json)
		return read_string(&n, out);
	*out = strdup("");
	return *out ? 0 : no_memory(of);
}

static int read_line(const struct node *n, struct baseline_line *out)
{
	uint64_t line = 0;
	int rc = node_object(n);

	if (rc == 0)
		rc = read_text(n, "file", &out->file);
	if (rc == 0)
		rc = read_text(n, "function", &out->function);
	if (rc == 0)
		rc = read_text(n, "object", &out->object);
	if (rc == 0 && node_member(n, "text").json)
		rc = read_text(n, "text", &out->text);
	if (rc == 0)
		rc = node_unsigned_member(n, "line", 1 << 30, &line);
	out->line = (unsigned)line;
	for (int i = 0; i < TALLY_COLUMNS && rc == 0; i++)
		rc = node_unsigned_member(n, columns[i], INT64_MAX,
					  &out->count[i]);
	return rc;
}

static int read_lines(const struct node *of, struct baseline_benchmark *out)
{
	const struct node all = node_member(of, "lines");
	int rc = node_array(&all, LINES);
	const size_t n = rc ? 0 : json_array_size(all.json);

	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct node one = node_element(&all, i);
		struct baseline_line *line = baseline_add_line(out);

		rc = line ? read_line(&one, line) : no_memory(of);
	}
	return rc;
}

static int read_counts(const struct node *all, const char *key,
		       struct baseline_benchmark *out)
{
	const struct node list = node_member(all, key);
	const int q = assay_quantity_find(key);
	int rc;

	if (q < 0)
		return node_error(&list, "'%s' is no quantity", key);
	rc = node_array(&list, BASELINE_LAYOUTS);
	out->of[q].layouts = rc ? 0 : (unsigned)json_array_size(list.json);
	for (unsigned i = 0; i < out->of[q].layouts && rc == 0; i++) {
		const struct node one = node_element(&list, i);

		rc = node_unsigned(&one, &out->of[q].count[i]);
	}
	return rc;
}

static int read_moves(const struct node *all, const char *key,
		      struct baseline_benchmark *out)
{
	const struct node n = node_member(all, key);
	const int q = assay_quantity_find(key);

	if (q < 0)
		return node_error(&n, "'%s' is no quantity", key);
	return read_string(&n, &out->of[q].moves);
}

static int read_file(const struct node *all, const char *key,
		     struct baseline_benchmark *out)
{
	const struct node n = node_member(all, key);
	struct baseline_file *file = baseline_add_file(out);

	if (!file || !(file->name = strdup(key)))
		return no_memory(&n);
	return read_string(&n, &file->sha256);
}

/* Calls fn for each key of the member, an object. */
static int each_key(const struct node *of, const char *member, size_t most,
		    int (*fn)(const struct node *all, const char *key,
			      struct baseline_benchmark *out),
		    struct baseline_benchmark *out)
{
	const struct node all = node_member(of, member);
	int rc = node_object(&all);
	size_t n = 0;

	for (void *at = rc ? NULL : json_object_iter(all.json); at && rc == 0;
	     at = json_object_iter_next(all.json, at)) {
		if (n++ == most)
			return node_error(&all, "'%s' has more than %zu "
					  "members", member, most);
		rc = fn(&all, json_object_iter_key(at), out);
	}
	return rc;
}

static int read_benchmark(const struct node *all, const char *key,
			  struct baseline *out)
{
	const struct node n = node_member(all, key);
	struct baseline_benchmark *b = baseline_add(out);
	int rc = node_object(&n);

	if (!b || !(b->name = strdup(key)))
		return no_memory(all);
	if (rc == 0)
		rc = read_text(&n, "command", &b->command);
	if (rc == 0)
		rc = read_text(&n, "cpu", &b->cpu);
	if (rc == 0)
		rc = read_text(&n, "guest", &b->guest);
	if (rc == 0)
		rc = read_text(&n, "part", &b->part);
	if (rc == 0)
		rc = each_key(&n, "counts", ASSAY_QUANTITIES, read_counts, b);
	if (rc == 0)
		rc = each_key(&n, "moves", ASSAY_QUANTITIES, read_moves, b);
	if (rc == 0)
		rc = each_key(&n, "files", FILES, read_file, b);
	return rc ? rc : read_lines(&n, b);
}

static int read_all(const struct node *root, struct baseline *out)
{
	const struct node schema = node_member(root, "schema");
	const struct node all = node_member(root, "benchmarks");
	int rc = node_object(root);

	if (rc == 0 && !json_is_string(schema.json))
		rc = node_wrong(&schema, "\"" SCHEMA "\"");
	if (rc == 0 && strcmp(json_string_value(schema.json), SCHEMA))
		rc = node_error(&schema, "this program reads " SCHEMA);
	if (rc == 0)
		rc = node_object(&all);
	for (void *at = rc ? NULL : json_object_iter(all.json); at && rc == 0;
	     at = json_object_iter_next(all.json, at)) {
		if (out->benchmarks == BENCHMARKS)
			return node_error(&all, "more than %d benchmarks",
					  BENCHMARKS);
		rc = read_benchmark(&all, json_object_iter_key(at), out);
	}
	return rc;
}

int baseline_parse(struct baseline *out, const char *name, const char *text,
		   size_t bytes, struct assay_error *err)
{
	const struct line line = { name, 1, text, bytes, err };
	struct baseline made = { .benchmarks = 0 };
	struct node root = { .line = &line };
	int rc = node_text_value(&root.json, &line);

	if (rc == 0)
		rc = read_all(&root, &made);
	json_decref(root.json);
	if (rc < 0)
		baseline_fini(&made);
	else
		*out = made;
	return rc;
}

int baseline_read(struct baseline *out, const char *path,
		  struct assay_error *err)
{
	size_t bytes;
	char *text;
	int rc = text_load(&text, &bytes, path, FILE_BYTES, err);

	if (rc == 0) {
		rc = baseline_parse(out, path, text, bytes, err);
		free(text);
	}
	return rc;
}
