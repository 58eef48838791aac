/* SPDX-License-Identifier: MIT */
/*
 * assay_bare_build(): compiles the image with the cross compiler. The plan and
 * the list of kernels are written into a temporary folder, which is removed
 * afterwards. The list of sources comes with the sources (the file `sources`).
 */
#define _GNU_SOURCE	/* asprintf */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/image.h"
#include "base/array.h"
#include "base/installed.h"
#include "base/process/process.h"
#include "base/process/scratch.h"
#include "base/output/new-file.h"
#include "base/text.h"

static const char compiler[] = "aarch64-linux-gnu-gcc";
static const char packages[] = "gcc-aarch64-linux-gnu";

#define PLAN_ROOM 2048
#define IMAGE "image.elf"

static const char *const flags[] = {
	"-std=gnu11", "-Os", "-g0", "-Wall", "-Wextra", "-ffreestanding",
	"-nostdinc", "-fno-stack-protector", "-fno-pie", "-no-pie",
	"-mstrict-align", "-march=armv8-a", "-ffunction-sections",
	"-fdata-sections", "-fno-asynchronous-unwind-tables", "-nostdlib",
	"-static", "-DASSAY_IMAGE", "-Wl,-x", "-Wl,-z,max-page-size=4096",
	"-Wl,--build-id=none", "-Wl,--gc-sections",
	"-Wl,--no-warn-rwx-segments", "-Wl,--fatal-warnings",
};

/* ---- a list of arguments that owns its strings --------------------------- */

struct arguments {
	char **word;
	size_t words;
	bool failed;		/* no memory */
};

static void add_argument(struct arguments *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_argument(struct arguments *a, const char *format, ...)
{
	va_list args;

	if (!array_resize(&a->word, a->words + 2, sizeof(*a->word))) {
		a->failed = true;
		return;
	}
	va_start(args, format);
	if (vasprintf(&a->word[a->words], format, args) < 0) {
		a->failed = true;
		a->word[a->words] = NULL;
	} else {
		a->word[++a->words] = NULL;
	}
	va_end(args);
}

static void free_arguments(struct arguments *a)
{
	for (size_t i = 0; i < a->words; i++)
		free(a->word[i]);
	free(a->word);
}

/* ---- generated files ----------------------------------------------------- */

static void folder_path(char *out, size_t room, const struct scratch *made,
			const char *name)
{
	snprintf(out, room, "%s/%s", made->folder, name);
}

static FILE *create_file(const struct scratch *made, const char *name,
		       struct assay_error *err)
{
	char path[BARE_PATH + 64];
	FILE *out;

	folder_path(path, sizeof(path), made, name);
	out = fopen(path, "w");
	if (!out)
		error_write(err, path);
	return out;
}

static int create_folder(struct scratch *made, struct assay_error *err)
{
	char path[BARE_PATH + 64];
	int rc = scratch_make(made, NULL, "bare", err);

	if (rc < 0)
		return rc;
	folder_path(path, sizeof(path), made, "kernels");
	if (mkdir(path, 0700) == 0)
		return 0;
	rc = error_write(err, path);
	scratch_remove(made);
	return rc;
}

/*
 * Writes the plan as a string literal, filled up to PLAN_ROOM bytes with empty
 * lines: a longer plan can be written into the image later.
 */
static void quote(FILE *out, const char *text)
{
	size_t bytes = strlen(text);

	for (; *text; text += strcspn(text, "\n") + 1)
		fprintf(out, "\"%.*s\\n\"\n", (int)strcspn(text, "\n"), text);
	for (; bytes < PLAN_ROOM; bytes++)
		fputs("\"\\n\"\n", out);
}

static int write_files(const struct scratch *made,
		       const struct assay *assay,
		       const struct assay_bare *bare, struct assay_error *err)
{
	FILE *kernels = create_file(made, "kernels/kernels.def", err);
	FILE *inc = kernels ? create_file(made, "plan.inc", err) : NULL;
	char *text = NULL;
	size_t bytes = 0;
	FILE *plan = inc ? open_memstream(&text, &bytes) : NULL;
	int rc = -ASSAY_EIO;

	if (plan) {
		rc = bare_plan_write(plan, kernels, assay, bare, err);
		if (fclose(plan) != 0)
			rc = error_memory(err);
	}
	if (rc == 0)
		quote(inc, text);
	if (kernels && fclose(kernels) != 0 && rc == 0)
		rc = error_set(err, -ASSAY_EIO, "cannot write kernels.def");
	if (inc && fclose(inc) != 0 && rc == 0)
		rc = error_set(err, -ASSAY_EIO, "cannot write plan.inc");
	free(text);
	return rc;
}

/* ---- the compiler -------------------------------------------------------- */

/* Keeps the first line of the compiler's answer. */
static int keep_line(void *ctx, const char *text, size_t bytes)
{
	char *out = ctx;

	snprintf(out, BARE_PATH, "%.*s", (int)strcspn(text, "\r\n"), text);
	(void)bytes;
	return 0;
}

/* The folder of the compiler's own headers (stdint.h ...): the image has no C
 * library. */
static int find_headers(char *out, struct assay_error *err)
{
	const char *const argv[] = {
		compiler, "-print-file-name=include", NULL
	};
	int status, rc = process_find(compiler, packages, err);

	*out = '\0';
	if (rc == 0)
		rc = process_run(&(struct process_run){
				.argv = argv, .line = keep_line,
				.line_ctx = out, .keep = -1 }, &status, err);
	if (rc == 0 && (status || !*out))
		rc = error_set(err, -ASSAY_EIO, "%s does not say where its "
			       "headers are", compiler);
	return rc;
}

static void add_board(struct arguments *a, const struct board *b,
		      unsigned level)
{
	add_argument(a, "-DBOARD_NAME=\"%s\"", b->name);
	add_argument(a, "-DBOARD_UART=0x%" PRIx64, b->uart);
	add_argument(a, "-DBOARD_UART_CLOCK=%" PRIu64, b->uart_clock);
	add_argument(a, "-DBOARD_RAM=0x%" PRIx64, b->ram);
	add_argument(a, "-DBOARD_RAM_BYTES=0x%" PRIx64, b->ram_bytes);
	add_argument(a, "-DBOARD_CPU_CLOCK=%" PRIu64, b->cpu_clock);
	add_argument(a, "-DBOARD_SEMIHOSTING=%d", b->semihosting);
	add_argument(a, "-Wl,--defsym=ASSAY_LOAD=0x%" PRIx64, b->load);
	add_argument(a, "-Wl,--defsym=ASSAY_LEVEL=%u", level);
}

static int add_sources(struct arguments *a, const char *sources,
		       struct assay_error *err)
{
	char path[BARE_PATH + 16], line[256];
	FILE *in;

	snprintf(path, sizeof(path), "%s/sources", sources);
	in = fopen(path, "r");
	if (!in)
		return error_read(err, path);
	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0])
			add_argument(a, "%s/%s", sources, line);
	}
	fclose(in);
	return 0;
}

static int compile(const struct scratch *made, const char *sources,
		   const struct board *board, unsigned level,
		   const struct assay_bare *bare, struct assay_error *err)
{
	struct arguments a = { NULL, 0, false };
	char headers[BARE_PATH];
	int status = 0, rc = find_headers(headers, err);

	if (rc < 0)
		return rc;
	/* Its own temporary files go into the folder, too. */
	add_argument(&a, "env");
	add_argument(&a, "TMPDIR=%s", made->folder);
	add_argument(&a, "%s", compiler);
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		add_argument(&a, "%s", flags[i]);
	add_argument(&a, "-isystem%s", headers);
	add_argument(&a, "-I%s", made->folder);
	add_argument(&a, "-I%s/bare/include", sources);
	add_argument(&a, "-I%s/bare", sources);
	add_argument(&a, "-I%s/include", sources);
	add_argument(&a, "-I%s/src", sources);
	add_argument(&a, "-T%s/bare/link.ld", sources);
	add_board(&a, board, level);
	rc = add_sources(&a, sources, err);
	add_argument(&a, "-o%s/%s", made->folder, IMAGE);
	if (a.failed)
		rc = error_memory(err);
	if (rc == 0)
		rc = process_run(&(struct process_run){
				.argv = (const char *const *)a.word, .keep = -1,
				.stopped = bare->stopped,
				.stopped_ctx = bare->stopped_ctx,
			}, &status, err);
	if (rc == 0 && status)
		rc = error_set(err, -ASSAY_EINTERNAL, "%s failed with %d",
			       compiler, status);
	free_arguments(&a);
	return rc;
}

static int copy_bytes(FILE *out, FILE *in)
{
	char part[65536];
	size_t n;

	while ((n = fread(part, 1, sizeof(part), in)) > 0)
		if (fwrite(part, 1, n, out) != n)
			return -1;
	return ferror(in) ? -1 : 0;
}

/* The complete image gets its name; an interrupted build leaves none. */
static int keep_image(const struct scratch *made, const char *path,
		      struct assay_error *err)
{
	char from[BARE_PATH + 64];
	struct new_file new;
	FILE *in;
	int rc, copied;

	folder_path(from, sizeof(from), made, IMAGE);
	in = fopen(from, "r");
	if (!in)
		return error_read(err, from);
	rc = new_file_open(&new, path, err);
	if (rc == 0) {
		copied = copy_bytes(new.file, in);
		if (copied)
			error_write(err, path);
		rc = new_file_close(&new, copied == 0, err);
		rc = copied ? -ASSAY_EIO : rc;
	}
	fclose(in);
	return rc;
}

int assay_bare_build(struct assay *assay, const struct assay_bare *bare,
		     const char *path, struct assay_error *err)
{
	char sources[BARE_PATH];
	unsigned level, from;
	struct board board;
	struct scratch made;
	int rc = process_find(compiler, packages, err);

	if (rc == 0)
		rc = installed_find(sources, sizeof(sources),
				    INSTALLED_BARE, err);
	if (rc == 0)
		rc = board_load(&board, sources,
				bare->board ? bare->board : "qemu-virt", err);
	if (rc == 0)
		rc = bare_levels(bare, &board, &level, &from, err);
	if (rc == 0)
		rc = create_folder(&made, err);
	if (rc < 0)
		return rc;
	rc = write_files(&made, assay, bare, err);
	if (rc == 0)
		rc = compile(&made, sources, &board, level, bare, err);
	if (rc == 0)
		rc = keep_image(&made, path, err);
	scratch_remove(&made);
	return rc;
}
