/* SPDX-License-Identifier: MIT */
/*
 * Writes the plan of an image (docs/bare.md): a row "event NAME CODE" for each
 * event, and a row "run KERNEL OPTION=VALUE ..." for each shape. Codes come
 * from the CPU file, from the common events of PMUv3, or are given in
 * hexadecimal. bare/plan.c reads the plan.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "run/sweep.h"
#include "base/text.h"
#include "cpus/cpu.h"

/* Run and counted if the caller names no kernel or no events. */
static const char default_events[] =
	"INST_RETIRED,CPU_CYCLES,L1D_CACHE,L1D_CACHE_REFILL,L2D_CACHE_REFILL,"
	"L1I_CACHE_REFILL";
static const struct {
	const char *kernel;
	struct assay_setting setting[3];
	size_t settings;
} default_plan[] = {
	{ "chase", { { "elements", "1,2,10,100,1000,10000" },
		     { "passes", "10" }, { "order", "shuffled" } }, 3 },
	{ "flush", { { "lines", "1,3,16" }, { "iterations", "20" } }, 2 },
	{ "iflush", { { "lines", "1,3,16" }, { "iterations", "20" } }, 2 },
	{ "random", { { "bytes", "4K,64K,1M" }, { "accesses", "10000" } }, 2 },
};

enum { RUNS = 1000 };	/* of a kernel in one plan at most */

static const struct { uint64_t code; const char *name; } common[] = {
#define X(code, name) { code, #name },
#include "counters/pmuv3-events.def"
#undef X
};
enum { COMMON = sizeof(common) / sizeof(*common) };

/* ---- events -------------------------------------------------------------- */

static bool common_code(const char *name, uint64_t *out)
{
	for (int i = 0; i < COMMON; i++) {
		if (!text_equal(common[i].name, name))
			continue;
		*out = common[i].code;
		return true;
	}
	return false;
}

/* An event code as "r11" or "0x11": at most 4 digits. */
static bool raw_code(const char *name, uint64_t *out)
{
	const char *digits = name[0] == 'r' ? name + 1 :
			     strncmp(name, "0x", 2) == 0 ? name + 2 : "";
	size_t n = strlen(digits);

	if (!n || n > 4 || strspn(digits, "0123456789abcdefABCDEF") != n)
		return false;
	*out = strtoull(digits, NULL, 16);
	return true;
}

static int unknown_event(const char *name, struct assay_error *err)
{
	const char *names[COMMON + 1] = { NULL };

	for (int i = 0; i < COMMON; i++)
		names[i] = common[i].name;
	return error_unknown(err, "event", name, names,
			     "a code in hexadecimal works, too: r11");
}

/* Can the word stand in a plan, whose words are separated by blanks? */
static bool plain_word(const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i < n; i++)
		if (word[i] <= ' ' || word[i] > '~' ||
		    strchr("\"\\", word[i]))
			return false;
	return n > 0 && n < ASSAY_NAME;
}

static int write_event(FILE *out, const struct cpu *cpu, const char *name,
		       struct assay_error *err)
{
	const struct cpu_event *event = cpu ? cpu_event_find(cpu, name) : NULL;
	uint64_t code;

	if (!plain_word(name))
		return unknown_event(name, err);
	if (event)
		code = event->code;
	else if (!common_code(name, &code) && !raw_code(name, &code))
		return unknown_event(name, err);
	fprintf(out, "event %s 0x%02" PRIx64 "\n", name, code);
	return 0;
}

static int write_events(FILE *out, const struct assay *assay,
			const struct assay_bare *bare, struct assay_error *err)
{
	char *list = strdup(bare->events ? bare->events : default_events);
	char *next = list, *name;
	struct cpu *cpu = NULL;
	unsigned n = 0;
	int rc = list ? 0 : error_memory(err);

	/* without a CPU file the common names remain */
	if (bare->cpu)
		cpu_load(&cpu, bare->cpu, assay->data_dir, NULL);
	while (rc == 0 && (name = strsep(&next, ","))) {
		rc = write_event(out, cpu, name, err);
		if (rc == 0 && ++n > ASSAY_EVENTS)
			rc = error_set(err, -ASSAY_ERANGE,
				       "more than %d events", ASSAY_EVENTS);
	}
	cpu_free(cpu);
	free(list);
	return rc;
}

/* ---- runs ---------------------------------------------------------------- */

static void write_shape(FILE *out, const struct assay_shape *shape)
{
	fprintf(out, "run %s", shape->kernel);
	for (unsigned i = 0; i < shape->options; i++) {
		const struct assay_shape_value *o = &shape->option[i];

		if (o->kind == ASSAY_OPTION_CHOICE)
			fprintf(out, " %s=%s", o->name, o->word);
		else
			fprintf(out, " %s=%" PRId64, o->name, o->value);
	}
	putc('\n', out);
}

static int write_kernel(FILE *out, const char *name,
			const struct assay_setting *setting, size_t settings,
			struct assay_error *err)
{
	const struct kernel *kernel = kernel_find(name);
	struct assay_shape shape;
	struct sweep sweep;
	int rc;

	if (!kernel)
		return kernel_unknown(name, err);
	if (kernel->hosted)
		return error_set(err, -ASSAY_EINVAL, "kernel '%s' makes system "
				 "calls: it cannot run without an operating "
				 "system", name);
	rc = sweep_init(&sweep, kernel, setting, settings, err);
	if (rc < 0)
		return rc;
	if (sweep.shapes > RUNS)
		rc = error_set(err, -ASSAY_ERANGE,
			       "more than %d runs in one image", RUNS);
	for (unsigned i = 0; i < sweep.shapes && rc == 0; i++) {
		rc = sweep_shape(&sweep, i, &shape, err);
		if (rc == 0)
			write_shape(out, &shape);
	}
	sweep_fini(&sweep);
	return rc;
}

int bare_plan_write(FILE *out, FILE *kernels, const struct assay *assay,
		    const struct assay_bare *bare, struct assay_error *err)
{
	int rc;

	fputs("assay-plan 1\n", out);
	fprintf(out, "repeats %u\n", bare->repeats ? bare->repeats : 1);
	if (bare->warmup_given)
		fprintf(out, "warmup %u\n", bare->warmup);
	if (bare->plant)
		fprintf(out, "plant %s\n", bare->plant);
	rc = write_events(out, assay, bare, err);
	if (rc == 0 && bare->kernel) {
		fprintf(kernels, "X(%s)\n", bare->kernel);
		return write_kernel(out, bare->kernel, bare->setting,
				    bare->settings, err);
	}
	for (unsigned i = 0; kernel_table[i]; i++)
		if (!kernel_table[i]->hosted)
			fprintf(kernels, "X(%s)\n", kernel_table[i]->name);
	for (size_t i = 0; rc == 0 &&
	     i < sizeof(default_plan) / sizeof(*default_plan); i++)
		rc = write_kernel(out, default_plan[i].kernel,
				  default_plan[i].setting,
				  default_plan[i].settings, err);
	return rc;
}
