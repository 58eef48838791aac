/* SPDX-License-Identifier: MIT */
/*
 * Finds the event tables below a folder. A folder with a mapfile.csv is a root
 * of Linux's or perfmon's; anywhere else each file shows by its first bytes
 * what it is. Of a Linux source tree only the folder of its tables is read.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"
#include "tables/events/place.h"

enum { DEPTH = 8, ABOVE = 4, PATH_BYTES = 1024, SNIFF = 8192 };

struct walk {
	struct event_tables *t;
	unsigned depth;
	struct assay_error *err;
	struct assay_error unread;	/* of the last file or folder below a
					 * place that cannot be read */
};

/* Keeps an ENTRY_BAD. */
static int keep_bad(struct event_tables *t, const struct entry *bad)
{
	if (!t->bad)
		t->bad = kept_new();
	return t->bad ? kept_add(t->bad, bad) : -ASSAY_ENOMEM;
}

/* Why: at that place of a file of JSON, or, NULL, w->unread. */
static int leave(struct walk *w, const char *path,
		 const struct piece_fault *fault)
{
	struct entry bad = entry_empty();

	bad.kind = ENTRY_BAD;
	bad.source = ENTRY_NOWHERE;
	bad.file = path;
	bad.line = fault ? fault->line : 0;
	bad.col = fault ? fault->col : 0;
	bad.why = fault ? fault->why : w->unread.text;
	bad.limit = !fault;
	return keep_bad(w->t, &bad) ? error_memory(w->err) : 0;
}

static int leave_out(struct walk *w, const char *path)
{
	return leave(w, path, NULL);
}

/* ---- what a file is ---------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
	const size_t a = strlen(text), b = strlen(end);

	return a >= b && !strcmp(text + a - b, end);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The first line that is neither empty nor a comment. */
static const char *first_line(const char *text)
{
	while (*text == '#' || *text == '\n' || *text == '\r')
		text += *text == '#' ? strcspn(text, "\n") : 1;
	return text;
}

/* Linux's drivers with generic events; arch/arm64 had Arm's until 6.3. */
static const char *const drivers[] = {
	"arch/x86/events/intel/core.c", "arch/x86/events/amd/core.c",
	"drivers/perf/arm_pmuv3.c", "arch/arm64/kernel/perf_event.c",
	"arch/powerpc/perf/power8-pmu.c", "arch/powerpc/perf/power9-pmu.c",
	"arch/powerpc/perf/power10-pmu.c",
};
enum { DRIVERS = sizeof(drivers) / sizeof(drivers[0]) };

static bool is_driver(const char *path)
{
	for (size_t i = 0; i < DRIVERS; i++)
		if (ends_with(path, drivers[i]))
			return true;
	return false;
}

static enum table_form form_of(const char *path, const char *head)
{
	const char *first = first_line(head);

	if (ends_with(path, ".json")) {
		if (strstr(head, "\"_type\": \"Events\""))
			return FORM_ARM;
		if (strstr(head, "\"EventCode\"") ||
		    strstr(head, "\"EventName\"") ||
		    strstr(head, "\"ArchStdEvent\""))
			return FORM_JSON;
		return strstr(head, "\"MetricName\"") ? FORM_METRICS :
							FORM_NONE;
	}
	if (ends_with(path, "_events.txt") &&
	    !strncmp(last_part(path), "perfmon_", 8))
		return FORM_LIKWID_EVENTS;
	if (ends_with(path, "_counters.h") &&
	    !strncmp(last_part(path), "perfmon_", 8))
		return FORM_LIKWID_COUNTERS;
	if (is_driver(path))
		return FORM_KERNEL;
	if (ends_with(path, ".txt"))
		return strncmp(first, "SHORT", 5) ? FORM_NONE :
						    FORM_LIKWID_GROUP;
	return ends_with(path, ".csv") && !strncmp(first, "CPU,", 4) ?
	       FORM_PAPI : FORM_NONE;
}

/* Could a file of that name be a table? */
static bool may_be_table(const char *path)
{
	static const char *const ends[] = { ".json", ".txt", ".csv", ".h" };
	bool may_be = is_driver(path);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		may_be |= ends_with(path, ends[i]);
	return may_be;
}

/* The first bytes; "" if the file cannot be read. */
static int sniff(char head[SNIFF], struct walk *w, const char *path)
{
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(head, 1, SNIFF - 1, file) : 0;

	if (!file)
		error_read(&w->unread, path);
	else
		fclose(file);
	head[n] = '\0';
	memmove(head, head + table_mark(head), strlen(head + table_mark(head))
		+ 1);
	return file || !may_be_table(path) ? 0 : leave_out(w, path);
}

/* The pattern of an Arm file's "cpuid": "0x41d0b" is MIDR 0x410fd0b0. */
static const char *arm_pattern(struct event_tables *t, const char *head)
{
	const char *id = strstr(head, "\"cpuid\"");
	char text[24];
	unsigned value;

	if (!id || sscanf(id + 7, " : \"0x%x\"", &value) != 1)
		return "";
	snprintf(text, sizeof(text), "0x%016llx",
		 (unsigned long long)(value >> 12) << 24 | 0xf << 16 |
		 (value & 0xfff) << 4);
	return table_text(t, text, strlen(text));
}

/* The first row of a mapfile.csv with this file. */
static const struct table_row *row_of(const struct event_tables *t,
				      size_t root, const char *below)
{
	for (size_t i = 0; i < t->rows; i++)
		if (t->row[i].root == root && !strcmp(t->row[i].prefix, below))
			return &t->row[i];
	return NULL;
}

/* ---- whose a file is --------------------------------------------------- */

static const char *folder_above(struct event_tables *t, const char *path)
{
	const char *end = last_part(path), *start;

	if (end == path)
		return "";
	end--;
	for (start = end; start > path && start[-1] != '/'; start--)
		;
	return table_text(t, start, (size_t)(end - start));
}

/* "skylake" of "perfmon_skylake_events.txt" and "perfmon_skylake_counters.h".
 */
static const char *likwid_name(struct event_tables *t, const char *path)
{
	const char *name = last_part(path) + strlen("perfmon_");
	const char *end = strrchr(name, '_');

	return table_text(t, name, end ? (size_t)(end - name) : 0);
}

/* perfmon's files stand in FOLDER/events, Linux's in [VENDOR/]FOLDER. */
static const char *mapped_name(struct event_tables *t, const char *below)
{
	const bool linux_root = t->root[t->roots - 1].first_wins;
	const char *end = linux_root ? last_part(below) : strchr(below, '/');

	if (!end || end == below)
		return "";
	return table_text(t, below, (size_t)(end - below) - linux_root);
}

/* "SKL" of "SKL/events/skylake_core.json" and "zen4" of "zen4/cache.json". */
static const char *unmapped_name(struct event_tables *t, const char *path)
{
	char folder[PATH_BYTES];
	const char *name = folder_above(t, path);

	if (strcmp(name, "events") && strcmp(name, "metrics"))
		return name;
	text_copy(folder, sizeof(folder), path);
	folder[last_part(path) - path - 1] = '\0';
	return folder_above(t, folder);
}

static const char *name_of(struct event_tables *t, const struct table_file *f)
{
	const char *name = last_part(f->path);

	if (f->form == FORM_LIKWID_EVENTS || f->form == FORM_LIKWID_COUNTERS)
		return likwid_name(t, f->path);
	if (f->form == FORM_PAPI || f->form == FORM_KERNEL)
		return "";
	if (f->form == FORM_ARM)
		return table_text(t, name, strlen(name) - strlen(".json"));
	if (f->form != FORM_LIKWID_GROUP && t->root[f->root].mapped)
		return mapped_name(t, f->below);
	return unmapped_name(t, f->path);
}

/* ---- files ------------------------------------------------------------- */

static const char *folder_of(const char *path, char room[SNIFF])
{
	const size_t n = (size_t)(last_part(path) - path);

	snprintf(room, SNIFF, "%.*s", (int)n, path);
	return n ? room : ".";
}

static int keep_std(void *ctx, const struct entry *e)
{
	struct event_tables *t = ctx;

	return e->kind == ENTRY_BAD ? keep_bad(t, e) :
	       kept_add(t->root[t->roots - 1].std, e);
}

static int add_std(struct walk *w, const char *path)
{
	struct table_root *root = &w->t->root[w->t->roots - 1];
	const struct reading r = { .file = path, .table = "", .core = "",
				   .fn = keep_std, .ctx = w->t, .err = w->err };
	char *text;
	size_t bytes;
	int rc = text_load(&text, &bytes, path, TABLE_BYTES, &w->unread);

	if (rc)
		return leave_out(w, path);
	if (!root->std)
		root->std = kept_new();
	rc = root->std ? read_json_table(&r, text, bytes) : -ASSAY_ENOMEM;
	if (rc == -ASSAY_ENOMEM)
		error_memory(w->err);
	free(text);
	return rc;
}

/* Says in w->unread why the first file of JSON that is no table is none. */
static void note_broken(struct walk *w, const char *path)
{
	struct piece_fault fault;

	if (!w->t->files && !w->unread.code && ends_with(path, ".json") &&
	    table_is_broken(path, &fault))
		error_at(&w->unread, path, NULL, fault.line, fault.col, "%s",
			 fault.why);
}

static int add_file(struct walk *w, const char *path, bool regular)
{
	struct event_tables *t = w->t;
	const char *root = t->root[t->roots - 1].path;
	const size_t cut = strncmp(path, root, strlen(root)) ? 0 :
			   strlen(root);
	struct table_file f = { .root = t->roots - 1, .core = "",
				.path = path,
				.below = path + cut + (path[cut] == '/') };
	const struct table_row *row = row_of(t, f.root, f.below);
	char head[SNIFF] = "";
	struct stat st;
	int rc = regular ? sniff(head, w, path) : 0;

	f.named = row != NULL;
	f.form = regular ? form_of(path, head) : FORM_NONE;
	if (f.form == FORM_NONE)
		f.form = table_form_of_place(t, &f, regular);
	if (rc || f.form == FORM_NONE) {
		if (!rc && regular)
			note_broken(w, path);
		return rc;
	}
	if (t->files == TABLE_FILES)
		return error_set(w->err, -ASSAY_ERANGE, "'%.300s' has more "
				 "than %d event tables", root, TABLE_FILES);
	if (!array_more(&t->file, t->files, sizeof(f)))
		return error_memory(w->err);
	f.path = table_text(t, path, strlen(path));
	f.below = f.path + cut + (f.path[cut] == '/');
	f.pattern = arm_pattern(t, head);
	if (row)
		f.core = row->core;
	f.table = name_of(t, &f);
	if (!stat(folder_of(path, head), &st)) {
		f.device = st.st_dev;
		f.inode = st.st_ino;
	}
	if (regular && t->root[f.root].first_wins && !strchr(f.below, '/'))
		return add_std(w, path);
	t->file[t->files++] = f;
	return 0;
}

static int add_root(struct walk *w, const char *path, bool mapped)
{
	struct event_tables *t = w->t;

	if (!array_more(&t->root, t->roots, sizeof(*t->root)))
		return error_memory(w->err);
	t->root[t->roots++] = (struct table_root){
		.path = table_text(t, path, strlen(path)), .mapped = mapped,
	};
	return 0;
}

/* ---- folders ----------------------------------------------------------- */

static bool join(char out[PATH_BYTES], const char *folder, const char *name)
{
	const int n = snprintf(out, PATH_BYTES, "%s/%s", folder, name);

	return n > 0 && n < PATH_BYTES;
}

static bool exists(char out[PATH_BYTES], const char *folder, const char *name)
{
	struct stat st;

	/* A pipe would wait for ever. */
	return join(out, folder, name) && !lstat(out, &st) &&
	       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ||
		S_ISLNK(st.st_mode));
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* A file beside tables that is no JSON in spite of its name. */
static int walk_broken(struct walk *w, const char *path)
{
	struct piece_fault fault;

	return table_is_broken(path, &fault) ? leave(w, path, &fault) : 0;
}

static int walk(struct walk *w, const char *path);

static int walk_names(struct walk *w, const char *folder)
{
	size_t from = w->t->files;	/* the folder's first table */
	struct dirent **name;
	char path[PATH_BYTES];
	int n = scandir(folder, &name, visible, alphasort), rc = 0;
	bool tables;

	if (n < 0) {
		error_read(&w->unread, folder);
		return w->depth ? leave_out(w, folder) :
				  error_read(w->err, folder);
	}
	for (int i = 0; i < n && !rc; i++)
		if (join(path, folder, name[i]->d_name))
			rc = walk(w, path);
	tables = table_is_found(w->t, &from, folder, NULL);
	for (int i = 0; i < n; i++) {
		if (!rc && tables && ends_with(name[i]->d_name, ".json") &&
		    exists(path, folder, name[i]->d_name) &&
		    !table_is_found(w->t, &from, folder, path))
			rc = walk_broken(w, path);
		free(name[i]);
	}
	free(name);
	return rc;
}

/* "x86" of Linux's tables. */
static bool is_architecture(const char *folder)
{
	char above[PATH_BYTES];

	text_copy(above, sizeof(above), folder);
	above[last_part(folder) - folder] = '\0';
	return ends_with(above, "/pmu-events/arch/");
}

static int open_root(struct walk *w, const char *folder)
{
	char path[PATH_BYTES];
	int rc = add_root(w, folder, true);

	if (rc)
		return rc;
	w->t->root[w->t->roots - 1].first_wins = is_architecture(folder);
	if (exists(path, folder, "mapfile.csv") &&
	    table_rows_read(w->t, path, &w->unread))
		rc = leave_out(w, path);
	return rc;
}

/* Linux's sources: the tables of perf, and the drivers' generic events. */
static int walk_linux(struct walk *w, const char *folder, const char *tables)
{
	char path[PATH_BYTES];
	int rc = walk_names(w, tables);

	for (size_t i = 0; i < DRIVERS && !rc; i++)
		if (exists(path, folder, drivers[i]) &&
		    !(rc = add_root(w, folder, false)))
			rc = add_file(w, path, true);
	return rc;
}

static int walk_folder(struct walk *w, const char *folder)
{
	static const char linux_tables[] = "tools/perf/pmu-events/arch";
	const size_t roots = w->t->roots;
	char path[PATH_BYTES];
	int rc = 0;

	if (exists(path, folder, linux_tables))
		return walk_linux(w, folder, path);
	/* No CPU's: metrics that perf tests its reader with. */
	if (is_architecture(folder) && !strcmp(last_part(folder), "test"))
		return 0;
	if (exists(path, folder, "mapfile.csv") || is_architecture(folder))
		rc = open_root(w, folder);
	if (!rc)
		rc = walk_names(w, folder);
	/* The files after this folder belong to the root before. */
	if (!rc && w->t->roots != roots && w->depth)
		rc = add_root(w, w->t->root[roots - 1].path, false);
	return rc;
}

static int walk(struct walk *w, const char *path)
{
	struct stat st, end;
	int rc = 0;

	if (lstat(path, &st) || w->depth == DEPTH)
		return 0;
	if (S_ISLNK(st.st_mode) && stat(path, &end)) {
		error_read(&w->unread, path);
		return leave_out(w, path);
	}
	w->depth++;
	if (S_ISDIR(st.st_mode))
		rc = walk_folder(w, path);
	else if (!S_ISLNK(st.st_mode))
		rc = add_file(w, path, S_ISREG(st.st_mode));
	w->depth--;
	return rc;
}

/* The folder with a mapfile.csv that holds the place; false: there is none. */
static bool find_above(char out[PATH_MAX], const char *place)
{
	char path[PATH_BYTES], *slash;
	bool found = false;

	if (!realpath(place, out))
		return false;
	for (int up = 0; up < ABOVE && !found; up++) {
		slash = strrchr(out, '/');
		if (!slash || slash == out)
			return false;
		*slash = '\0';
		found = exists(path, out, "mapfile.csv");
	}
	return found;
}

/* A part of a checkout: whose tables they are, the checkout's root says. */
static int open_part(struct walk *w, const char *root, const char *place)
{
	const unsigned depth = w->depth;
	char part[PATH_MAX];
	int rc = open_root(w, root);

	w->depth = DEPTH - 1;	/* the files of the folder alone */
	if (!rc && w->t->root[w->t->roots - 1].first_wins)
		rc = walk_names(w, root);
	w->depth = depth;
	if (!rc && !realpath(place, part))
		rc = error_read(w->err, place);
	return rc ? rc : walk(w, part);
}

static int no_table(struct walk *w, const char *place)
{
	char path[PATH_BYTES];

	error_set(w->err, -ASSAY_ENOENT, "there is no event table in '%.300s'",
		  place);
	if (w->unread.code)
		error_add(w->err, "%s", w->unread.text);
	if (exists(path, place, "include/perfmon/pfmlib.h"))
		error_add(w->err, "of libpfm4 the library is read, not its "
			  "sources: assay audit libpfm4");
	return -ASSAY_ENOENT;
}

static int open_place(struct walk *w, const char *place)
{
	const size_t before = w->t->files;
	char root[PATH_MAX];
	struct stat st;
	int rc;

	if (stat(place, &st))
		return error_read(w->err, place);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return error_set(w->err, -ASSAY_EINVAL, "'%.300s' is neither a "
				 "file nor a folder: tables are read more than "
				 "once, which a pipe is not", place);
	if (find_above(root, place))
		rc = open_part(w, root, place);
	else if (!(rc = add_root(w, place, false)))
		rc = S_ISDIR(st.st_mode) ? walk_folder(w, place) :
					   add_file(w, place, true);
	if (!rc && w->t->files == before)
		rc = no_table(w, place);
	return rc;
}

int event_tables_open(struct event_tables **out, const char *places,
		      struct assay_error *err)
{
	struct event_tables *t = calloc(1, sizeof(*t));
	struct walk w = { .t = t, .err = err };
	int rc = t && (t->pool = pool_new()) ? 0 : error_memory(err);
	char *list = rc ? NULL : strdup(places), *rest;

	for (char *place = list ? strtok_r(list, ":", &rest) : NULL;
	     place && !rc; place = strtok_r(NULL, ":", &rest))
		rc = open_place(&w, place);
	if (!rc && !list)
		rc = error_memory(err);
	free(list);
	if (rc)
		event_tables_free(t);
	else
		*out = t;
	return rc;
}
