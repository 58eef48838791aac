/* SPDX-License-Identifier: MIT */
/*
 * assay_bare_run(): runs an image on QEMU's machine "virt". What the UART shows
 * goes line by line into the caller's log. With a model, QEMU also loads the
 * plugin, and the model's records are handed out when the image has ended.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "image/image.h"
#include "base/installed.h"
#include "base/process/process.h"
#include "base/text.h"
#include "store/uart.h"

static const char qemu[] = "qemu-system-aarch64";
static const char packages[] = "qemu-system-arm qemu-system-data";

struct listener {
	FILE *log;
	FILE *copy;		/* of the log, for the model; or NULL */
	assay_progress_fn *fn;
	void *ctx;
	bool lost;		/* the log could not be written */
	const struct assay_bare *bare;
};

static int log_line(void *ctx, const char *text, size_t bytes)
{
	struct listener *l = ctx;
	unsigned run, runs;

	if (fwrite(text, 1, bytes, l->log) != bytes ||
	    (l->copy && fwrite(text, 1, bytes, l->copy) != bytes)) {
		l->lost = true;
		return 1;
	}
	if (l->fn && uart_progress(text, bytes, &run, &runs))
		return l->fn(l->ctx, run, runs);
	return 0;
}

/* QEMU's option -M for a machine that starts at exception level `from`, and has
 * `level`. */
static const char *machine_option(unsigned level, unsigned from)
{
	if (from == 3)
		return level == 2 ? "virt,secure=on,virtualization=on" :
				    "virt,secure=on";
	return from == 2 ? "virt,virtualization=on" : "virt";
}

/* Finds QEMU and the board, and the image's exception levels. */
static int find_board(const struct assay_bare *bare, struct board *board,
		      unsigned *level, unsigned *from, struct assay_error *err)
{
	const char *name = bare->board ? bare->board : "qemu-virt";
	char sources[BARE_PATH];
	int rc = process_find(qemu, packages, err);

	if (rc == 0 && strcmp(name, "qemu-virt") != 0)
		rc = error_set(err, -ASSAY_EINVAL, "only board qemu-virt can "
			       "be run here, not '%.60s'; run its image on the "
			       "board, and 'assay import' what the UART shows",
			       name);
	if (rc == 0 && bare->shift > 10)
		rc = error_set(err, -ASSAY_ERANGE,
			       "the shift must be from 0 to 10");
	if (rc == 0)
		rc = installed_find(sources, sizeof(sources),
				    INSTALLED_BARE, err);
	if (rc == 0)
		rc = board_load(board, sources, name, err);
	return rc ? rc : bare_levels(bare, board, level, from, err);
}

/* QEMU's options for the image. */
struct qemu_options {
	const char *cpu, *machine, *icount, *image;
	struct bare_model *model;	/* or NULL */
};

/* Runs QEMU until it ends. *status: its exit code. */
static int run_qemu(const struct qemu_options *o, struct listener *listener,
		    int *status, struct assay_error *err)
{
	const struct assay_bare *bare = listener->bare;
	const char *const argv[] = {
		qemu, "-M", o->machine, "-cpu", o->cpu, "-icount", o->icount,
		"-net", "none", "-display", "none", "-serial", "stdio",
		"-monitor", "none", "-semihosting", "-kernel", o->image,
		o->model ? "-plugin" : NULL,
		o->model ? o->model->plugin : NULL, NULL
	};
	int rc = process_run(&(struct process_run){
				.argv = argv, .line = log_line,
				.line_ctx = listener,
				.keep = o->model ? o->model->tallies.fd : -1,
				.stopped = bare->stopped,
				.stopped_ctx = bare->stopped_ctx,
			}, status, err);

	return listener->lost ? error_set(err, -ASSAY_EIO, "the log could "
					  "not be written") : rc;
}

/* Runs the image with the model, and then hands out the model's records. The
 * log is copied into a temporary file, which has the image's records. */
static int run_with_model(struct qemu_options *o, struct listener *listener,
			  const struct assay_bare *bare, int *status,
			  struct assay_error *err)
{
	char path[64];
	int rc;

	listener->copy = tmpfile();
	if (!listener->copy)
		return error_set(err, -ASSAY_EIO, "cannot make a temporary "
				 "file: %s", strerror(errno));
	rc = run_qemu(o, listener, status, err);
	if (rc == 0 && fflush(listener->copy))
		rc = error_set(err, -ASSAY_EIO, "cannot write a temporary "
			       "file: %s", strerror(errno));
	snprintf(path, sizeof(path), "/proc/self/fd/%d",
		 fileno(listener->copy));
	if (rc == 0 && *status == 0)
		rc = bare_model_records(o->model, path, bare, err);
	fclose(listener->copy);
	return rc;
}

/* Refuses a file that is no AArch64 executable: QEMU would run it, and never
 * end. */
static int check_image(const char *path, struct assay_error *err)
{
	Elf64_Ehdr h = { .e_type = ET_NONE };
	FILE *in = fopen(path, "re");
	int rc = 0;

	if (!in || (fread(&h, sizeof(h), 1, in) != 1 && ferror(in)))
		rc = error_read(err, path);
	else if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
		 h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_type != ET_EXEC ||
		 h.e_machine != EM_AARCH64)
		rc = error_set(err, -ASSAY_EINVAL, "'%.300s' is no image for "
			       "AArch64: 'assay bare build' makes one", path);
	if (in)
		fclose(in);
	return rc;
}

static int run_image(struct assay *assay, const struct assay_bare *bare,
		     struct qemu_options *o, const struct board *board,
		     struct listener *listener, int *status,
		     struct assay_error *err)
{
	struct bare_model model;
	int rc;

	if (!bare->model)
		return run_qemu(o, listener, status, err);
	rc = bare_model_init(&model, assay, bare->model, o->image, board, err);
	o->model = &model;
	if (rc == 0)
		rc = run_with_model(o, listener, bare, status, err);
	bare_model_fini(&model);
	return rc;
}

int assay_bare_run(struct assay *assay, const struct assay_bare *bare,
		   const char *image, FILE *log, assay_progress_fn *fn,
		   void *ctx, int *status, struct assay_error *err)
{
	struct listener listener = { log, NULL, fn, ctx, false, bare };
	const char *cpu = bare->cpu ? bare->cpu : "cortex-a72";
	unsigned level, from;
	struct board board;
	char icount[32];
	int rc = find_board(bare, &board, &level, &from, err);

	if (rc == 0)
		rc = check_image(image, err);
	if (rc < 0)
		return rc;
	if (strspn(cpu, "abcdefghijklmnopqrstuvwxyz0123456789-") !=
	    strlen(cpu))
		return error_set(err, -ASSAY_EINVAL, "'%.60s' is no CPU of "
				 "QEMU's", cpu);
	snprintf(icount, sizeof(icount), "shift=%u", bare->shift);
	return run_image(assay, bare, &(struct qemu_options){
				.cpu = cpu,
				.machine = machine_option(level, from),
				.icount = icount, .image = image,
			}, &board, &listener, status, err);
}
