/* SPDX-License-Identifier: MIT */
/* assay bare: kernels without an operating system, as an image. */
#include <string.h>

#include "base/output/new-file.h"
#include "base/process/scratch.h"
#include "base/text.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/results.h"

#define FAULT_STATUS 99
#define FILE_PATH (SCRATCH_PATH + 16)

/* Temporary files, deleted at the end. */
struct files {
	struct scratch scratch;
	char image[FILE_PATH], log[FILE_PATH], model[FILE_PATH];
};

static void describe(const struct settings *s, struct assay_bare *out)
{
	*out = (struct assay_bare){
		.board = s->board, .cpu = s->cpu_name,
		.level = s->level > 0 ? (unsigned)s->level : 0,
		.from = s->from_level > 0 ? (unsigned)s->from_level : 0,
		.kernel = s->kernel_name, .setting = s->kernel,
		.settings = s->kernels, .events = s->events,
		.repeats = s->repeats > 0 ? (unsigned)s->repeats : 0,
		.warmup = s->warmup > 0 ? (unsigned)s->warmup : 0,
		.warmup_given = s->warmup >= 0, .plant = s->plant,
		.shift = s->shift > 0 ? (unsigned)s->shift : 0,
		.model = s->model, .stopped = interrupt_stops,
	};
}

static int build(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_error err = { 0 };
	struct assay_bare bare;

	if (!s->file)
		return complain_text("bare", EXIT_USAGE,
				     "where is the image to go? -o IMAGE.elf");
	describe(s, &bare);
	interrupt_catch();
	if (assay_bare_build(context->assay, &bare, s->file, &err))
		return complain(context, &err);
	return EXIT_OK;
}

/* ---- running-------------------------------------------------------------- */

static int make_files(struct files *out, struct assay_error *err)
{
	int rc = scratch_make(&out->scratch, NULL, "run", err);

	snprintf(out->image, FILE_PATH, "%s/image.elf",
		 out->scratch.folder);
	snprintf(out->log, FILE_PATH, "%s/uart.log", out->scratch.folder);
	snprintf(out->model, FILE_PATH, "%s/model.jsonl",
		 out->scratch.folder);
	return rc;
}

static int step(void *ctx, unsigned run, unsigned runs)
{
	struct progress *progress = ctx;

	progress->total = runs;
	progress_step(progress, run - 1);
	return interrupt_seen();
}

static int ignore_record(void *ctx, const struct assay_record *record)
{
	(void)ctx;
	(void)record;
	return 0;
}

/* Complaints of the image. */
static int on_mark(void *ctx, const struct assay_row *row)
{
	const char *what = row_text(row, "what");

	(void)ctx;
	if (!strcmp(what, "fault"))
		complain_text("bare", 0, "%s: %s", row_text(row, "why"),
			      row_text(row, "text"));
	else if (strcmp(what, "noise"))
		complain_text("bare", 0, "%s: %s", what, row_text(row, "why"));
	return 0;
}

static int image_failed(struct context *context, const char *log, int status)
{
	struct assay_import import;
	struct assay_error err;

	assay_import(context->assay, log, ignore_record, on_mark, NULL,
		     &import, &err);
	complain_text("bare", 0, status == FAULT_STATUS ?
		      "the image stopped at an exception" :
		      "the image ended with status %d", status);
	return status == 2 ? EXIT_USAGE : EXIT_FAILED;
}

/* ---- image and model compared -------------------------------------------- */

struct beside {
	struct context *context;
	struct progress *progress;
	FILE *records;
	bool failed;
};

static struct assay_field value_of(const char *name,
				   const struct assay_record *r, unsigned e)
{
	return value_field(name, assay_record_value(r, e));
}

/* One row per event: the image's and the model's count, never combined. */
static int show_beside(void *ctx, const struct assay_record *image,
		       const struct assay_record *model)
{
	struct beside *b = ctx;
	struct report *report = b->context->report;
	struct assay_error err;
	char shape[256];
	int rc = 0;

	progress_end(b->progress);
	shape_text(shape, sizeof(shape), &image->shape);
	b->failed = assay_record_write(b->records, model, &err) < 0;
	for (unsigned e = 0; e < image->events && !rc && !b->failed; e++) {
		const struct assay_field field[] = {
			field_text("kernel", image->shape.kernel),
			field_text("shape", shape),
			field_text("event", image->event[e].name),
			value_of("image", image, e),
			value_of("model", model, e),
		};

		rc = report_row(report, &(struct assay_row){ "beside", field,
							     5 });
	}
	return rc || b->failed;
}

/* Verifies the records, with all their events: -e and -r chose what the image
 * counts. */
static int judge(struct context *context, const char *file)
{
	struct settings *s = &context->settings;
	char *events = s->events, on[4200];
	int repeats = s->repeats, exit_code;

	snprintf(on, sizeof(on), "replay:%s", file);
	s->events = NULL;
	s->repeats = -1;
	exit_code = verdicts_show(context, on);
	s->events = events;
	s->repeats = repeats;
	return exit_code;
}

static int judge_model(struct context *context, const char *file)
{
	if (!report_has(context->report, REPORT_PROSE))
		return EXIT_OK;
	report_title(context->report, "The software PMU's counts of the same "
		     "code, judged by themselves");
	return judge(context, file);
}

static int run_image(struct context *context, struct assay_bare *bare,
		     const char *image, const char *log, FILE *records,
		     struct assay_error *err)
{
	struct new_file out;
	struct progress progress;
	struct beside beside = { context, &progress, records, false };
	int status = 0, rc;

	if (new_file_open(&out, log, err))
		return complain(context, err);
	bare->beside = show_beside;
	bare->beside_ctx = &beside;
	progress_start(&progress, "bare", 0, context->settings.quiet);
	rc = assay_bare_run(context->assay, bare, image, out.file, step, &progress,
			    &status, err);
	progress_end(&progress);
	report_flush(context->report);
	if (beside.failed)
		rc = error_set(err, -ASSAY_EIO, "the model's records could "
			       "not be written");
	if (rc)		/* what an interrupted image has said is kept */
		new_file_close(&out, interrupt_seen(), NULL);
	else
		rc = new_file_close(&out, true, err);
	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	if (rc)
		return complain(context, err);
	return status ? image_failed(context, log, status) : EXIT_OK;
}

static int run_with_model(struct context *context, struct assay_bare *bare,
			  const char *image, const char *log, const char *model)
{
	struct new_file records = { .file = NULL };
	struct assay_error err = { 0 };
	int exit_code;

	if (bare->model && new_file_open(&records, model, &err))
		return complain(context, &err);
	exit_code = run_image(context, bare, image, log, records.file, &err);
	if (records.file &&
	    new_file_close(&records, exit_code == EXIT_OK, &err) &&
	    exit_code == EXIT_OK)
		return complain(context, &err);
	return exit_code;
}

static int run_and_judge(struct context *context, const struct files *files)
{
	const struct settings *s = &context->settings;
	const char *image = s->image ? s->image : files->image;
	const char *log = s->file ? s->file : files->log;
	const char *model = s->model_file ? s->model_file : files->model;
	struct assay_error err = { 0 };
	struct assay_bare bare;
	int exit_code, model_code = EXIT_OK;

	describe(s, &bare);
	if (!s->image &&
	    assay_bare_build(context->assay, &bare, image, &err))
		return complain(context, &err);
	exit_code = run_with_model(context, &bare, image, log, model);
	if (exit_code != EXIT_OK)
		return exit_code;
	exit_code = judge(context, log);
	if (s->model)
		model_code = judge_model(context, model);
	return exit_code ? exit_code : model_code;
}

static int build_and_run(struct context *context)
{
	struct assay_error err = { 0 };
	struct files files;
	int exit_code;

	if (context->settings.board &&
	    strcmp(context->settings.board, "qemu-virt"))
		return complain_text("bare", EXIT_USAGE, "only the board "
				     "qemu-virt can be run here; build an "
				     "image for yours, and import what its "
				     "UART shows");
	if (context->settings.model_file && !context->settings.model)
		return complain_text("bare", EXIT_USAGE, "--model-output "
				     "needs --model CPU");
	if (context->settings.model &&
	    !report_has(context->report, REPORT_MIXED_ROWS))
		return complain_text("bare", EXIT_USAGE, "CSV has room for one "
				     "table: with --model, use -j");
	if (make_files(&files, &err))
		return complain(context, &err);
	interrupt_catch();
	exit_code = run_and_judge(context, &files);
	scratch_remove(&files.scratch);
	return exit_code;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const char *what = s->args ? s->arg[0] : "";
	static const char *const words[] = { "build", "run", NULL };
	struct assay_error err;

	if (!strcmp(what, "build"))
		return build(context);
	if (!strcmp(what, "run"))
		return build_and_run(context);
	error_set(&err, -ASSAY_EINVAL, "what is to be done? build or run");
	error_meant(&err, what, words);
	return complain(context, &err);
}

/* ---- the command --------------------------------------------------------- */

static const struct option bare_options[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "the core: QEMU's model, and whose event names are meant (default "
	  "cortex-a72)"),
	NUMBER(0, "el", "N", level, 1,
	  "the exception level that the kernels run at: 1, 2 or 3"),
	NUMBER(0, "from-el", "N", from_level, 1,
	  "the level that the image starts at and goes down from"),
	TEXT(0, "board", "NAME", board,
	  "qemu-virt, rpi4, pl011, or a board file with a slash in its name"),
	TEXT(0, "kernel", "NAME", kernel_name,
	  "the kernel to run; its options follow (default: a plan of several)"),
	LIST('e', "event", "EVENTS", events,
	  "events to count, separated by commas: names, or codes as r11"),
	NUMBER('r', "repeat", "N", repeats, 1, "count each run N times"),
	NUMBER(0, "warmup", "N", warmup, 0,
	  "uncounted runs before the first (default 1)"),
	TEXT(0, "image", "FILE", image,
	  "run: this image, which 'bare build' made"),
	NUMBER(0, "shift", "N", shift, 0,
	  "run: in QEMU an instruction takes 2^N ns, and so many cycles"),
	TEXT(0, "model", "CPU", model,
	  "run: the software PMU of this CPU counts the same code, beside the "
	  "image's own counts"),
	TEXT(0, "model-output", "FILE", model_file,
	  "run: the model's records, which 'assay verify --on replay:FILE' "
	  "reads"),
	WORD(0, "plant", "MISTAKE", plant,
	  "spme-off|nsh-missing|hpmn-0|overflow|overflow-lost|fault",
	  "make this mistake on purpose: spme-off, nsh-missing, hpmn-0, "
	  "overflow, overflow-lost or fault"),
	TEXT('o', "output", "FILE", file,
	  "build: the image; run: all that the UART showed"),
	FLAG('j', "json", json, "run: print JSON Lines: one object per line"),
	TEXT('x', "field-separator", "SEP", separator,
	  "run: print CSV with this separator, such as ',' or '\\t'"),
	{ 0 }
};

static const struct option *const options[] = {
	bare_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay bare run --cpu cortex-a72 --el 3 --kernel chase --elements 64 "
	  "--passes 100 -e INST_RETIRED,L1D_CACHE_REFILL -o uart.log",
	  "at EL3 of an emulated core, with the verdicts" },
	{ "assay bare run --el 3 --kernel chase --elements 4096 --passes 8 "
	  "--model cortex-a72 -e L1D_CACHE,L1D_CACHE_REFILL",
	  "what the caches would have counted, where QEMU has none" },
	{ "assay bare build --cpu cortex-a72 --el 3 -o image.elf",
	  "the image alone; 'assay bare run --image image.elf' starts it" },
	{ "assay bare build --board rpi4 --el 2 -o image.elf",
	  "for a Raspberry Pi 4; 'assay import' reads what its UART shows" },
	{ "assay bare run --el 3 --plant spme-off",
	  "a mistake on purpose, and its name" },
	{ 0 }
};

static const struct variable variables[] = {
	{ "TMPDIR", "where the image is built and run, in a folder of its own "
	  "that is removed again; else /tmp" },
	{ 0 }
};

const struct command bare_command = {
	.name = "bare",
	.group = "measure",
	.summary = "kernels without an operating system, at EL1, EL2 or EL3",
	.arguments = "build|run",
	.args = 1,
	.kernel_option = "kernel",
	.options = options,
	.text =
		"Compiles the kernels, the measuring loop and a driver of the "
		"PMU's registers into an image for an AArch64 board, and runs "
		"the image under QEMU. The image writes its counts on the UART "
		"as records, which 'assay verify --on replay:LOG' and 'assay "
		"import' read. An event that the core does not have is absent, "
		"never 0.\n\n"
		"QEMU has no caches. With --model CPU, QEMU's plugin feeds the "
		"software PMU of that CPU with the same code. Its counts are "
		"shown and judged beside the image's counts, and never mixed "
		"with them. Kernels that flush lines are not modelled.\n\n"
		"Needs the package gcc-aarch64-linux-gnu, and for running "
		"qemu-system-arm and qemu-system-data. Exits with 3 if a "
		"verdict is 'disagrees', with 4 if a tool is missing.",
	.example = examples,
	.variable = variables,
	.run = run,
};
