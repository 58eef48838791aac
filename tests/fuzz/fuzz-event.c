/* SPDX-License-Identifier: MIT */
/*
 * An event of any bytes is refused with a sentence, or explained on any CPU and
 * resolved for any target. The first byte chooses the CPU.
 */
#include "fuzz.h"

#include "events/events.h"

static int look(void *ctx, const struct assay_row *row)
{
	unsigned *rows = ctx;

	need(row->fields && *row->type);
	for (size_t i = 0; i < row->fields; i++)
		need(row->field[i].name &&
		     (row->field[i].text ||
		      row->field[i].kind == ASSAY_FIELD_ABSENT));
	++*rows;
	return 0;
}

static void explain(const struct events_target *target,
		    enum code_layout layout, const char *text)
{
	struct assay_error err = { 0 };
	unsigned rows = 0;
	const int rc = events_explain(target, layout, text, look, &rows, &err);

	need(rc <= 0 && rc != -ASSAY_ESTOP);
	need(rc < 0 ? *err.text && !rows : rows);
}

static void resolve(const struct events_target *target, const char *text)
{
	static struct group group;
	struct assay_error err = { 0 };
	int rc;

	group.events = 0;
	rc = events_parse(&group, text, target, &err);
	need(rc <= 0 && (rc < 0 ? *err.text && !group.events :
				  group.events > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const char *const names[] = { "amd-k10", "cortex-a76",
					     "i7-6700hq" };
	static const enum code_layout layouts[] = { CODE_AMD, CODE_PMUV3,
						    CODE_INTEL };
	static struct cpu *cpu[3];
	struct events_target target = { .target = EVENTS_SIM,
					.sysroot = "/nowhere" };
	static unsigned calls;
	const unsigned which = bytes ? data[0] % 3 : 0;
	char text[512];
	size_t n = bytes > 1 ? bytes - 1 : 0;

	if (!cpu[which])
		need(cpu_load(&cpu[which], names[which], NULL, NULL) == 0);
	if (n >= sizeof(text))
		n = sizeof(text) - 1;
	if (n)
		memcpy(text, data + 1, n);
	text[n] = '\0';
	target.cpu = cpu[which];
	resolve(&target, text);
	target.target = EVENTS_NAMES;
	resolve(&target, text);
	/* The rest looks through every file for names that nobody knows. */
	if (++calls > 16 && calls % 64)
		return 0;
	target.target = EVENTS_PERF;
	explain(&target, layouts[which], text);
	resolve(&target, text);
	return 0;
}
