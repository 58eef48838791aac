/* SPDX-License-Identifier: MIT */
/*
 * A metric file of any bytes is refused, or each of its metrics becomes a
 * formula or has a reason, and what is written is a formula file.
 */
#include "fuzz.h"

#include "analysis/formulas/formula.h"
#include "analysis/import/import.h"
#include "store/metrics/metrics.h"

static int look(void *ctx, const struct assay_row *row)
{
	unsigned *rows = ctx;

	/* a metric's own name and its claim may be empty */
	for (size_t i = 0; strcmp(row->type, "assumed") && i < row->fields; i++)
		need(row->field[i].text && (i < 2 || i == 3 ||
					    *row->field[i].text));
	++*rows;
	return 0;
}

static void import(const struct metric_list *list, const struct cpu *cpu)
{
	struct formula_file *file;
	struct assay_error err = { 0 };
	unsigned rows = 0;
	char *text = NULL;
	const struct import_literal literal = { "smt_on", 1, true };
	const struct import_machine machine = {
		.cpu = cpu, .literal = &literal, .literals = 1,
	};
	int rc = formulas_import(&text, list, "it", NULL, &machine, look, &rows,
				 &err);

	need(rows >= list->items);
	if (rc < 0) {
		need(!text && rc == -ASSAY_EINVAL && *err.text);
		return;
	}
	need(formula_parse(&file, "it", text, strlen(text), NULL, &err) == 0);
	need(file->formulas && file->formulas <= 2 * list->items);
	formula_free(file);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static struct cpu *cpu;
	struct metric_list list;
	struct assay_error err = { 0 };
	int rc;

	if (!cpu)
		need(cpu_load(&cpu, "i7-6700hq", NULL, &err) == 0);
	rc = metrics_parse(&list, "f", (const char *)data, bytes, &err);
	need(rc <= 0);
	if (rc < 0) {
		need(*err.text && !list.item && !list.owned);
		return 0;
	}
	need(list.items);
	import(&list, cpu);
	metrics_fini(&list);
	return 0;
}
