/* SPDX-License-Identifier: MIT */
/* Finding, reading and listing the files of data/; see data-file.h. */
#include "cpus/data-file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/data.h"
#include "base/text.h"
#include "cpus/yaml.h"

#define SUFFIX ".yaml"
enum { PATH_ROOM = 1024, NAME_ROOM = 64, NAMES = 512 };

static bool has_suffix(const char *text, const char *suffix)
{
	const size_t n = strlen(text), m = strlen(suffix);

	return n > m && strcmp(text + n - m, suffix) == 0;
}

/* "... w/ Radeon 860M" ends the name of a CPU of AMD. */
int data_file_is_path(const char *name)
{
	return (strchr(name, '/') && !strstr(name, " w/ ")) || has_suffix(name, SUFFIX) ||
	       has_suffix(name, ".yml");
}

void data_file_fini(struct data_text *text)
{
	free(text->file);
	free(text->text);
	*text = (struct data_text){ 0 };
}

/* Fills *out; text (bytes + 1, or NULL: out of memory) belongs to *out now. */
static int set_text(struct data_text *out, const char *file, char *text,
		    size_t bytes, struct assay_error *err)
{
	char *name = strdup(file);

	if (!text || !name) {
		free(text);
		free(name);
		return error_memory(err);
	}
	text[bytes] = '\0';
	*out = (struct data_text){ name, text, bytes };
	return 0;
}

static int read_stream(struct data_text *out, FILE *in, const char *path,
		       struct assay_error *err)
{
	char *text = malloc((size_t)YAML_BYTES + 2);
	size_t bytes;
	int error;

	if (!text)
		return error_memory(err);
	errno = 0;
	bytes = fread(text, 1, (size_t)YAML_BYTES + 1, in);
	if (ferror(in)) {
		error = error_read(err, path);
		free(text);
		return error;
	}
	if (bytes > YAML_BYTES) {
		free(text);
		return error_set(err, -ASSAY_ERANGE,
				 "'%.300s' is larger than %u MiB", path,
				 YAML_BYTES >> 20);
	}
	return set_text(out, path, text, bytes, err);
}

static int read_path(struct data_text *out, const char *path,
		     struct assay_error *err)
{
	FILE *in = fopen(path, "re");
	int error;

	if (!in)
		return error_read(err, path);
	error = read_stream(out, in, path, err);
	fclose(in);
	return error;
}

/* The name in lower case; false if the name could lead out of the folder. */
static bool clean_name(char *out, size_t room, const char *name)
{
	const size_t n = strlen(name);

	if (!n || n >= room || name[0] == '.')
		return false;
	for (size_t i = 0; i <= n; i++) {
		const unsigned char c = (unsigned char)name[i];

		if (c && !isalnum(c) && !strchr("-_.", c))
			return false;
		out[i] = (char)tolower(c);
	}
	return true;
}

static int unknown_name(const char *folder, const char *name,
			const char *data_dir, struct assay_error *err)
{
	const char **names, *nearest;
	int error = data_file_names(&names, folder, data_dir, err);

	if (error)
		return error;
	nearest = text_nearest(name, names);
	error = error_set(err, -ASSAY_ENOENT,
			  "no file '%.60s' in data/%s%s%s%s", name, folder,
			  nearest ? "; did you mean '" : "",
			  nearest ? nearest : "", nearest ? "'?" : "");
	if (!nearest)
		error_add(err, "try: assay list %s", folder);
	free(names);
	return error;
}

static int copy_builtin(struct data_text *out, const struct data_file *file,
			struct assay_error *err)
{
	char path[PATH_ROOM];
	char *text = malloc(file->bytes + 1);

	if (text)
		memcpy(text, file->text, file->bytes);
	snprintf(path, sizeof(path), "data/%s", file->path);
	return set_text(out, path, text, file->bytes, err);
}

int data_file_open(struct data_text *out, const char *folder,
		   const char *name_or_path, const char *data_dir,
		   struct assay_error *err)
{
	char name[NAME_ROOM], path[PATH_ROOM];
	const struct data_file *file;
	struct stat st;

	if (data_file_is_path(name_or_path))
		return read_path(out, name_or_path, err);
	if (!clean_name(name, sizeof(name), name_or_path))
		return unknown_name(folder, name_or_path, data_dir, err);
	if (data_dir) {
		snprintf(path, sizeof(path), "%s/%s/%s" SUFFIX, data_dir,
			 folder, name);
		if (stat(path, &st) == 0)
			return read_path(out, path, err);
	}
	snprintf(path, sizeof(path), "%s/%s" SUFFIX, folder, name);
	file = data_find(path);
	return file ? copy_builtin(out, file, err)
		    : unknown_name(folder, name_or_path, data_dir, err);
}

/* The names of a folder: the pointers and, behind them, the texts. */
struct name_list {
	const char *name[NAMES + 1];
	char text[NAMES][NAME_ROOM];
	size_t names;
};

/* Adds a file by its name without the suffix, if this is a name that
 * data_file_open finds and is not in the list yet. */
static void add_name(struct name_list *list, const char *base)
{
	char *text = list->text[list->names % NAMES];
	const size_t n = strlen(base);
	char name[NAME_ROOM];

	if (list->names == NAMES || !has_suffix(base, SUFFIX) ||
	    n - strlen(SUFFIX) >= NAME_ROOM)
		return;
	text_copy(name, n - strlen(SUFFIX) + 1, base);
	if (!clean_name(text, NAME_ROOM, name) || strcmp(text, name))
		return;
	for (size_t i = 0; i < list->names; i++)
		if (strcmp(list->name[i], text) == 0)
			return;
	list->name[list->names++] = text;
}

static void add_directory(struct name_list *list, const char *data_dir,
			  const char *folder)
{
	char path[PATH_ROOM];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", data_dir, folder);
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		add_name(list, entry->d_name);
	closedir(dir);
}

static void add_builtin(struct name_list *list, const char *folder)
{
	const size_t n = strlen(folder);

	for (const struct data_file *f = data_files; f->path; f++)
		if (!strncmp(f->path, folder, n) && f->path[n] == '/' &&
		    !strchr(f->path + n + 1, '/'))
			add_name(list, f->path + n + 1);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int data_file_names(const char ***out, const char *folder, const char *data_dir,
		    struct assay_error *err)
{
	struct name_list *list = calloc(1, sizeof(*list));

	if (!list)
		return error_memory(err);
	if (data_dir)
		add_directory(list, data_dir, folder);
	add_builtin(list, folder);
	qsort(list->name, list->names, sizeof(list->name[0]), by_name);
	list->name[list->names] = NULL;
	*out = list->name;
	return 0;
}
