/* SPDX-License-Identifier: MIT */
/* All that a command reads and writes, by its settings: no output of a command
 * is one of its inputs. */
#include "cli/inputs.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/text.h"
#include "cli/import-files.h"

/*
 * Settings that name what is read: files, folders with all that is below, or
 * several of them with something before and after, as in "replay:FILE",
 * "FILE:SET,FILE" or "DIR:DIR". Words of other kinds name no file.
 */
static const size_t inputs[] = {
	FIELD(against), FIELD(board), FIELD(cert_dir), FIELD(cpu_name),
	FIELD(data_dir), FIELD(event_tables), FIELD(experiment),
	FIELD(formulas), FIELD(from), FIELD(image), FIELD(like), FIELD(model),
	FIELD(on), FIELD(page_map), FIELD(sysroot), FIELD(trace), FIELD(truth),
};

static const size_t outputs[] = {
	FIELD(dump_trace), FIELD(file), FIELD(model_file), FIELD(output),
};

static const char *setting(const struct settings *s, size_t field)
{
	const char *text;

	memcpy(&text, (const char *)s + field, sizeof(text));
	return text;
}

/* The output that is looked for. */
struct output {
	struct stat st;
	char path[PATH_MAX];	/* without links */
};

static bool are_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int is_output(void *ctx, const char *path)
{
	const struct output *const output = ctx;
	struct stat st;

	return !stat(path, &st) && are_same(&output->st, &st);
}

/* Is this the output, or a folder that has the output in it, also by a link? */
static bool has(struct output *output, const char *path)
{
	char folder[PATH_MAX];
	struct stat st;
	size_t n;

	if (stat(path, &st))
		return false;
	if (!S_ISDIR(st.st_mode))
		return are_same(&output->st, &st);
	n = realpath(path, folder) ? strlen(folder) : 0;
	return n > 1 && ((!strncmp(folder, output->path, n) &&
			  output->path[n] == '/') ||
			 folder_each(folder, is_output, output));
}

/* Is one of the parts between separators, or several in a row, the output? */
static bool names(struct output *output, const char *text)
{
	static const char separators[] = ":,\n";
	char part[PATH_MAX];

	for (const char *from = text; from; from += from != NULL) {
		size_t n = strcspn(from, separators);

		for (; n < sizeof(part); n += 1 + strcspn(from + n + 1,
							  separators)) {
			memcpy(part, from, n);
			part[n] = '\0';
			if (has(output, part))
				return true;
			if (!from[n])
				break;
		}
		from = strpbrk(from, separators);
	}
	return false;
}

/* Is argument number i a word of the command, a kernel, an event ...? */
static bool is_word(const struct command *command, size_t i, const char *word)
{
	const char *const all = command->arguments;

	return (i == 0 && (islower((unsigned char)*all) ||
			   !strncmp(all, "KERNEL", 6) ||
			   !strncmp(all, "EVENT", 5) ||
			   !strncmp(all, "QUANTITY", 8))) ||
	       (strstr(all, "[NAME") && !strpbrk(word, "./"));
}

/* Is this the database, or a file beside it with its name and a '-'? */
static bool is_database(const struct output *output, const struct settings *s)
{
	const char *const named = s->db ? s->db : getenv("ASSAY_DB");
	char path[PATH_MAX], real[PATH_MAX];
	size_t n;

	if ((!named && user_file(path, sizeof(path), "assay.db", "", "",
				 NULL)) ||
	    !realpath(named ? named : path, real))
		return false;
	n = strlen(real);
	return !strncmp(real, output->path, n) &&
	       (!output->path[n] || output->path[n] == '-');
}

/* Files that no setting names: standard input, the database, the user's
 * certificates, and the files of `ci`. */
static bool is_unnamed(struct output *output, const struct command *command,
		       const struct settings *s)
{
	static const char *const files[] = { "assay-ci.yaml",
					     "assay-ci.baseline.json" };
	char path[PATH_MAX];
	struct stat st;

	for (int i = 0; i < 2 && !strcmp(command->name, "ci"); i++) {
		snprintf(path, sizeof(path), "%s/%s",
			 s->folder ? s->folder : ".", files[i]);
		if (has(output, path))
			return true;
	}
	return (!fstat(STDIN_FILENO, &st) && are_same(&output->st, &st)) ||
	       is_database(output, s) ||
	       (!user_file(path, sizeof(path), "certificates", "", "", NULL) &&
		has(output, path));
}

static bool is_read(struct output *output, const struct command *command,
		    const struct settings *s)
{
	for (size_t i = 0; i < sizeof(inputs) / sizeof(*inputs); i++)
		if (setting(s, inputs[i]) &&
		    names(output, setting(s, inputs[i])))
			return true;
	for (size_t i = 0; i < s->args; i++)
		if (!is_word(command, i, s->arg[i]) &&
		    names(output, s->arg[i]))
			return true;
	return (s->program && *s->program && has(output, *s->program)) ||
	       is_unnamed(output, command, s);
}

/* The name in a folder, whose status is put into *folder. */
static const char *name_in(struct stat *folder, const char *path)
{
	const char *const slash = strrchr(path, '/');
	char text[PATH_MAX];

	snprintf(text, sizeof(text), "%.*s", slash ? (int)(slash - path) + 1 :
		 1, slash ? path : ".");
	if (stat(text, folder))
		memset(folder, 0, sizeof(*folder));
	return slash ? slash + 1 : path;
}

/* Do two outputs name one file, which may not be there yet? */
static bool is_one_file(const char *a, const char *b)
{
	struct stat one, other;

	if (!stat(a, &one))
		return S_ISREG(one.st_mode) && !stat(b, &other) &&
		       are_same(&one, &other);
	return !strcmp(name_in(&one, a), name_in(&other, b)) &&
	       are_same(&one, &other);
}

/* Would one of the first n outputs also be written to this path? */
static bool is_written_twice(const struct settings *s, size_t n,
			     const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (setting(s, outputs[i]) &&
		    is_one_file(path, setting(s, outputs[i])))
			return true;
	return false;
}

static const char is_input[] = "read by this command, and not written over";

static int refuse(struct assay_error *err, const char *path, const char *why)
{
	error_set(err, -ASSAY_EINVAL, "'%.300s' is %s", path, why);
	error_add(err, "try: another name after -o");
	return -ASSAY_EINVAL;
}

int inputs_check(const struct command *command, const struct settings *s,
		 struct assay_error *err)
{
	for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
		const char *const path = setting(s, outputs[i]);
		struct output output;

		if (path && is_written_twice(s, i, path))
			return refuse(err, path, "the name of two outputs");
		if (path && !stat(path, &output.st) &&
		    S_ISREG(output.st.st_mode) &&
		    realpath(path, output.path) &&
		    is_read(&output, command, s))
			return refuse(err, path, is_input);
	}
	return 0;
}

/* The output that is this file; NULL: none. */
static const char *output_at(const struct settings *s, const char *path)
{
	struct stat file, st;

	if (stat(path, &file))
		return NULL;
	for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
		const char *const output = setting(s, outputs[i]);

		if (output && !stat(output, &st) && are_same(&file, &st))
			return output;
	}
	return NULL;
}

int inputs_check_sources(const struct settings *s, const struct kept_rows *rows,
			 struct assay_error *err)
{
	const char *const root = s->source_root ? s->source_root : ".";
	const char *output = NULL;

	for (size_t i = 0; i < rows->rows && !output; i++) {
		const char *const file = row_text(&rows->row[i], "line");
		const char *const colon = strrchr(file, ':');
		const size_t n = colon ? (size_t)(colon - file) : 0;
		const bool absolute = *file == '/';
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s%s%.*s", absolute ? "" : root,
			 absolute ? "" : "/", (int)n, file);
		output = n ? output_at(s, path) : NULL;
	}
	return output ? refuse(err, output, is_input) : 0;
}
