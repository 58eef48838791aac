/* SPDX-License-Identifier: MIT */
/* Running the image under QEMU. */
#include <stdio.h>
#include <string.h>

#include "api/bare.h"
#include "base/text.h"
#include "store/uart.h"

static const char qemu[] = "qemu-system-aarch64";
static const char packages[] = "qemu-system-arm qemu-system-data";

struct listener {
	FILE *log;
	assay_progress_fn *fn;
	void *ctx;
	bool lost;		/* the log could not be written */
};

static int take_line(void *ctx, const char *text, size_t bytes)
{
	struct listener *l = ctx;
	unsigned run, runs;

	if (fwrite(text, 1, bytes, l->log) != bytes) {
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

static int find(const struct assay_bare *bare, unsigned *level,
		unsigned *from, struct assay_error *err)
{
	const char *name = bare->board ? bare->board : "qemu-virt";
	char sources[BARE_PATH];
	struct board board;
	int rc = tool_find(qemu, packages, err);

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
		rc = board_load(&board, sources, name, err);
	return rc ? rc : bare_levels(bare, &board, level, from, err);
}

int assay_bare_run(struct assay *assay, const struct assay_bare *bare,
		   const char *image, FILE *log, assay_progress_fn *fn,
		   void *ctx, int *status, struct assay_error *err)
{
	struct listener listener = { log, fn, ctx, false };
	const char *cpu = bare->cpu ? bare->cpu : "cortex-a72";
	unsigned level, from;
	char icount[32];
	int rc = find(bare, &level, &from, err);

	(void)assay;
	if (rc < 0)
		return rc;
	if (strspn(cpu, "abcdefghijklmnopqrstuvwxyz0123456789-") !=
	    strlen(cpu))
		return error_set(err, -ASSAY_EINVAL, "'%.60s' is no CPU of "
				 "QEMU's", cpu);
	snprintf(icount, sizeof(icount), "shift=%u", bare->shift);
	const char *const argv[] = {
		qemu, "-M", machine(level, from), "-cpu", cpu, "-icount",
		icount, "-net", "none", "-display", "none", "-serial", "stdio",
		"-monitor", "none", "-semihosting", "-kernel", image, NULL
	};

	rc = tool_run(argv, take_line, &listener, status, err);
	if (listener.lost)
		rc = error_set(err, -ASSAY_EIO, "the log could not be "
			       "written");
	return rc;
}
