/* SPDX-License-Identifier: MIT */
/*
 * Run while building: writes the data files as one C table (base/data.h).
 *
 *	embed OUT.c OUT.d DATA FOLDER:SUFFIX...
 *
 * takes DATA/FOLDER/...SUFFIX. OUT.d names every file and every folder that was
 * read, so that changing, adding or removing one writes the table again.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
	char **name;		/* "cpus/cortex-a72.yaml" */
	size_t names;
};

static void die(const char *what, const char *subject)
{
	fprintf(stderr, "embed: %s '%s': %s\n", what, subject,
		strerror(errno));
	exit(1);
}

static char *join(const char *a, const char *b)
{
	size_t room = strlen(a) + strlen(b) + 2;
	char *out = malloc(room);

	if (!out)
		die("cannot keep", b);
	snprintf(out, room, "%s/%s", a, b);
	return out;
}

static int ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && strcmp(text + n - m, end) == 0;
}

/* A path as make reads it. */
static void put_dependency(FILE *out, const char *path)
{
	fputc(' ', out);
	for (; *path; path++) {
		if (strchr(" #\\", *path))
			fputc('\\', out);
		if (*path == '$')
			fputc('$', out);
		fputc(*path, out);
	}
}

static void add(struct list *list, char *name)
{
	char **more = realloc(list->name, (list->names + 1) * sizeof(*more));

	if (!more)
		die("cannot keep", name);
	list->name = more;
	list->name[list->names++] = name;
}

/* A folder that is not there is empty. */
static void scan(struct list *list, const char *data, const char *folder,
		 const char *suffix, FILE *depends)
{
	char *path = join(data, folder);
	DIR *dir = opendir(path);

	if (!dir && errno != ENOENT)
		die("cannot read", path);
	if (dir) {
		put_dependency(depends, path);
		for (struct dirent *d; (d = readdir(dir));)
			if (d->d_name[0] != '.' && ends_with(d->d_name, suffix))
				add(list, join(folder, d->d_name));
		closedir(dir);
	}
	free(path);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_byte(FILE *out, int c)
{
	if (c < ' ' || c > '~' || strchr("\"\\?", c))
		fprintf(out, "\\%03o", (unsigned)c);
	else
		fputc(c, out);
}

/* The file as one literal, a line of it per 64 bytes. */
static void put_text(FILE *out, size_t index, const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t n = 0;

	if (!in)
		die("cannot open", path);
	fprintf(out, "static const char text_%zu[] =\n\t\"", index);
	for (int c; (c = fgetc(in)) != EOF; n++) {
		if (n && n % 64 == 0)
			fputs("\"\n\t\"", out);
		put_byte(out, c);
	}
	if (ferror(in))
		die("cannot read", path);
	fputs("\";\n\n", out);
	fclose(in);
}

static void put_name(FILE *out, const char *name)
{
	for (; *name; name++)
		put_byte(out, (unsigned char)*name);
}

static void put_table(FILE *out, const struct list *list)
{
	fputs("const struct data_file data_files[] = {\n", out);
	for (size_t i = 0; i < list->names; i++) {
		fputs("\t{ \"", out);
		put_name(out, list->name[i]);
		fprintf(out, "\", text_%zu, sizeof(text_%zu) - 1 },\n", i, i);
	}
	fputs("\t{ 0, 0, 0 }\n};\n", out);
}

static FILE *create(const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		die("cannot create", path);
	return out;
}

static void finish(FILE *out, const char *path)
{
	if (ferror(out) | fclose(out))
		die("cannot write", path);
}

static void write_table(const char *path, const char *data,
			const struct list *list, FILE *depends)
{
	FILE *out = create(path);

	fputs("/* Written by tools/embed. */\n#include \"base/data.h\"\n\n",
	      out);
	for (size_t i = 0; i < list->names; i++) {
		char *file = join(data, list->name[i]);

		put_dependency(depends, file);
		put_text(out, i, file);
		free(file);
	}
	put_table(out, list);
	finish(out, path);
}

int main(int argc, char **argv)
{
	struct list list = { 0 };
	FILE *depends;

	if (argc < 4) {
		fputs("usage: embed OUT.c OUT.d DATA FOLDER:SUFFIX...\n",
		      stderr);
		return 2;
	}
	depends = create(argv[2]);
	fprintf(depends, "%s:", argv[1]);
	put_dependency(depends, argv[3]);
	for (int i = 4; i < argc; i++) {
		char *suffix = strchr(argv[i], ':');

		if (!suffix)
			return 2;
		*suffix = '\0';
		scan(&list, argv[3], argv[i], suffix + 1, depends);
	}
	if (list.names)
		qsort(list.name, list.names, sizeof(*list.name), by_name);
	write_table(argv[1], argv[3], &list, depends);
	fputc('\n', depends);
	finish(depends, argv[2]);
	for (size_t i = 0; i < list.names; i++)
		free(list.name[i]);
	free(list.name);
	return 0;
}
