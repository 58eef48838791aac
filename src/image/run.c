/* SPDX-License-Identifier: MIT */
/* Running the image under QEMU. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "image/image.h"
#include "base/process.h"
#include "base/text.h"
#include "store/uart.h"

static const char qemu[] = "qemu-system-aarch64";
static const char packages[] = "qemu-system-arm qemu-system-data";

struct listener {
	FILE *log;
	FILE *copy;		/* for the model; or NULL */
	assay_progress_fn *fn;
	void *ctx;
	bool lost;		/* the log could not be written */
};

static int take_line(void *ctx, const char *text, size_t bytes)
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

/* What QEMU calls a machine that starts at this level and has the other. */
static const char *machine(unsigned level, unsigned from)
{
	if (from == 3)
		return level == 2 ? "virt,secure=on,virtualization=on" :
				    "virt,secure=on";
	return from == 2 ? "virt,virtualization=on" : "virt";
}

static int find(const struct assay_bare *bare, struct board *board,
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
		rc = bare_sources(sources, sizeof(sources), err);
	if (rc == 0)
		rc = board_load(board, sources, name, err);
	return rc ? rc : bare_levels(bare, board, level, from, err);
}

/* What is asked of QEMU. */
struct asked {
	const char *cpu, *machine, *icount, *image;
	struct bare_model *model;	/* or NULL */
};

static int run_qemu(const struct asked *a, struct listener *listener,
		    int *status, struct assay_error *err)
{
	const char *const argv[] = {
		qemu, "-M", a->machine, "-cpu", a->cpu, "-icount", a->icount,
		"-net", "none", "-display", "none", "-serial", "stdio",
		"-monitor", "none", "-semihosting", "-kernel", a->image,
		a->model ? "-plugin" : NULL,
		a->model ? a->model->plugin : NULL, NULL
	};
	int rc = process_run(argv, a->model ? a->model->tallies.fd : -1, take_line,
			  listener, status, err);

	return listener->lost ? error_set(err, -ASSAY_EIO, "the log could "
					  "not be written") : rc;
}

/* The image with the model beside it; its records after the image's end. */
static int run_watched(struct asked *a, struct listener *listener,
		       const struct assay_bare *bare, int *status,
		       struct assay_error *err)
{
	char path[64];
	int rc;

	listener->copy = tmpfile();
	if (!listener->copy)
		return error_set(err, -ASSAY_EIO, "cannot make a temporary "
				 "file: %s", strerror(errno));
	rc = run_qemu(a, listener, status, err);
	if (rc == 0 && fflush(listener->copy))
		rc = error_set(err, -ASSAY_EIO, "cannot write a temporary "
			       "file: %s", strerror(errno));
	snprintf(path, sizeof(path), "/proc/self/fd/%d",
		 fileno(listener->copy));
	if (rc == 0 && *status == 0)
		rc = bare_model_records(a->model, path, bare, err);
	fclose(listener->copy);
	return rc;
}

/* QEMU would run anything, and never end. */
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

static int run_with(struct assay *assay, const struct assay_bare *bare,
		    struct asked *a, const struct board *board,
		    struct listener *listener, int *status,
		    struct assay_error *err)
{
	struct bare_model model;
	int rc;

	if (!bare->model)
		return run_qemu(a, listener, status, err);
	rc = bare_model_init(&model, assay, bare->model, a->image, board, err);
	a->model = &model;
	if (rc == 0)
		rc = run_watched(a, listener, bare, status, err);
	bare_model_fini(&model);
	return rc;
}

int assay_bare_run(struct assay *assay, const struct assay_bare *bare,
		   const char *image, FILE *log, assay_progress_fn *fn,
		   void *ctx, int *status, struct assay_error *err)
{
	struct listener listener = { log, NULL, fn, ctx, false };
	const char *cpu = bare->cpu ? bare->cpu : "cortex-a72";
	unsigned level, from;
	struct board board;
	char icount[32];
	int rc = find(bare, &board, &level, &from, err);

	if (rc == 0)
		rc = check_image(image, err);
	if (rc < 0)
		return rc;
	if (strspn(cpu, "abcdefghijklmnopqrstuvwxyz0123456789-") !=
	    strlen(cpu))
		return error_set(err, -ASSAY_EINVAL, "'%.60s' is no CPU of "
				 "QEMU's", cpu);
	snprintf(icount, sizeof(icount), "shift=%u", bare->shift);
	return run_with(assay, bare, &(struct asked){
				.cpu = cpu, .machine = machine(level, from),
				.icount = icount, .image = image,
			}, &board, &listener, status, err);
}
