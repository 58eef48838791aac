/* SPDX-License-Identifier: MIT */
/*
 * assay_formulas_import_from() turns the metrics of another tool (perf,
 * perfmon, likwid) into the text of a formula file. Facts about the machine
 * that expressions ask for are those that the caller gives; else, without a CPU
 * or for "host", those of this machine; else guesses.
 */
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/import/import.h"
#include "base/text.h"
#include "env/machine/topology.h"
#include "events/events.h"
#include "run/handle.h"
#include "run/host.h"
#include "store/metrics/metrics.h"

enum { GIVEN = 32, UNITS = 24, LITERALS = GIVEN + UNITS + 12 };

struct literals {
	struct import_literal of[LITERALS];
	size_t n;
	char unit[UNITS][48];	/* names of literals */
	size_t units;
};

static void add(struct literals *all, const char *name, double value,
		bool assumed)
{
	all->of[all->n++] = (struct import_literal){ name, value, assumed };
}

/* A fact about the machine; 0: not known. */
static void add_known(struct literals *all, const char *name, unsigned value,
		      bool assumed)
{
	if (value)
		add(all, name, value, assumed);
}

static void add_machine(struct literals *all, const char *sysroot,
			bool assumed)
{
	struct topology t = { .known = false };

	topology_read(&t, sysroot);
	if (t.cores && t.cpus)
		add(all, "smt_on", t.cpus > t.cores, assumed);
	add_known(all, "num_cpus", t.cpus, assumed);
	add_known(all, "num_cores", t.cores, assumed);
	add_known(all, "num_packages", t.packages, assumed);
	if (t.packages)
		add_known(all, "cores_per_package", t.cores / t.packages,
			  assumed);
}

/* uncore_cha_0, uncore_cha_1 ...: the kernel's PMUs of the units. */
static const char *unit_of(const char *pmu, char *out, size_t room)
{
	size_t n;

	if (strncmp(pmu, "uncore_", 7) != 0)
		return NULL;
	pmu += 7;
	n = strcspn(pmu, "_0123456789");
	if (!n || n >= room)
		return NULL;
	memcpy(out, pmu, n);
	out[n] = '\0';
	return out;
}

static void count_unit(struct literals *all, const char *unit)
{
	char name[sizeof(*all->unit)];

	snprintf(name, sizeof(name), "source_count_%s", unit);
	for (size_t i = 0; i < all->n; i++)
		if (!strcmp(all->of[i].name, name)) {
			all->of[i].value++;
			return;
		}
	if (all->units == UNITS)
		return;
	text_copy(all->unit[all->units], sizeof(name), name);
	add(all, all->unit[all->units++], 1, false);
}

static void add_units(struct literals *all, const char *sysroot)
{
	char path[4096], unit[24];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices",
		 sysroot);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (unit_of(d->d_name, unit, sizeof(unit)))
			count_unit(all, unit);
	if (dir)
		closedir(dir);
}

/* assay counts the program's own threads, not all that a core does. */
static void add_guesses(struct literals *all)
{
	add(all, "core_wide", 0, false);
	add(all, "smt_on", 0, true);
	add(all, "num_packages", 1, true);
	add(all, "num_dies", 1, true);
	add(all, "has_pmem", 0, true);
}

static int add_given(struct literals *all,
		     const struct assay_formulas_source *source,
		     struct assay_error *err)
{
	if (source->sets > GIVEN)
		return error_set(err, -ASSAY_EINVAL, "at most %d facts can be "
				 "given", GIVEN);
	for (size_t i = 0; i < source->sets; i++) {
		const struct assay_setting *set = &source->set[i];
		char *end;
		const double value = strtod(set->text ? set->text : "", &end);

		if (!set->text || end == set->text || *end || !isfinite(value))
			return error_set(err, -ASSAY_EINVAL, "'%.60s=%.60s': "
					 "a fact about the machine is a number",
					 set->name, set->text ? set->text : "");
		add(all, set->name + (*set->name == '#'), value, false);
	}
	return 0;
}

/* The name of the formula file: "DIR/SKL-metrics.json" -> "skl-metrics". */
static void formula_file_name(char out[ASSAY_NAME], const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *from = slash ? slash + 1 : path;
	size_t n = 0;

	for (; *from && *from != '.' && n < ASSAY_NAME - 1; from++)
		out[n++] = isalnum((unsigned char)*from) ?
			   (char)tolower((unsigned char)*from) : '-';
	out[n] = '\0';
	if (strspn(out, "-") == n)
		text_copy(out, ASSAY_NAME, "imported");
}

static int import(struct import_machine *machine,
		  const struct assay_formulas_source *source, char **text,
		  assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct metric_list list;
	char name[ASSAY_NAME];
	int rc = metrics_read(&list, source->path, err);

	if (rc)
		return rc;
	formula_file_name(name, source->path);
	rc = formulas_import(text, &list, name, source->pattern, machine, fn,
			     ctx, err);
	metrics_fini(&list);
	return rc;
}

static bool table_code(void *ctx, const char *event, const char *pmu,
		       struct encoding *out)
{
	return events_table_code(out, ctx, event, pmu, NULL) == 1;
}

/* The kind of core that a metric file of perfmon is for: the mapfile.csv above
 * the file says so. */
static int import_for_core(struct import_machine *machine,
			   const struct assay_formulas_source *source,
			   char **text, assay_row_fn *fn, void *ctx,
			   struct assay_error *err)
{
	struct event_tables *tables = NULL;
	int rc;

	if (!event_tables_open(&tables, source->path, NULL))
		machine->pmu = event_tables_core(tables);
	if (machine->cpu && machine->cpu->core && *machine->pmu &&
	    strcmp(machine->pmu, machine->cpu->core))
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' has metrics of "
			       "the PMU %s; that of %.60s is %s", source->path,
			       machine->pmu, machine->cpu->name,
			       machine->cpu->core);
	else
		rc = import(machine, source, text, fn, ctx, err);
	event_tables_free(tables);
	return rc;
}

/* With the codes of the tables at hand, if the CPU is known: by its file, or by
 * the name that the tables have for the CPU. */
static int import_for(struct assay *assay, struct import_machine *machine,
		      const struct assay_formulas_source *source, char **text,
		      assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	const bool asked = source->cpu && !machine->cpu;
	struct events_target target = {
		.target = EVENTS_PERF, .cpu = machine->cpu,
		.asked = asked ? source->cpu : NULL,
		.sysroot = assay->sysroot, .data_dir = assay->data_dir,
		.tables = assay->tables,
		.core = machine->cpu ? machine->cpu->core : NULL,
	};
	struct encoding none = { 0 };
	int rc = 0;

	if (asked)
		events_table_cpu(&target.layout, source->cpu, assay->tables);
	if (machine->cpu)
		target.layout = events_layout(machine->cpu);
	if (machine->cpu || asked) {
		rc = events_table_code(&none, &target, "", "", err);
		if (!rc && *events_left_out(&target))
			rc = error_set(err, -ASSAY_EPARSE, "%s",
				       events_left_out(&target));
		machine->code = table_code;
		machine->ctx = &target;
	}
	return rc ? rc :
	       import_for_core(machine, source, text, fn, ctx, err);
}

int assay_formulas_import_from(struct assay *assay,
			       const struct assay_formulas_source *source,
			       char **text, assay_row_fn *fn, void *ctx,
			       struct assay_error *err)
{
	const bool host = source->cpu && !strcmp(source->cpu, "host");
	struct literals facts = { .n = 0 };
	struct import_machine machine = { .literal = facts.of, .pmu = "" };
	enum code_layout layout;
	struct cpu *cpu = NULL;
	int rc = add_given(&facts, source, err);

	if (!rc && host)
		cpu = host_cpu(assay);
	else if (!rc && source->cpu)
		rc = cpu_load_sold(&cpu, source->cpu, assay->data_dir, err);
	if (rc == -ASSAY_ENOENT && !host &&
	    events_table_cpu(&layout, source->cpu, assay->tables))
		rc = 0;
	if (!rc && host && !cpu)
		rc = error_set(err, -ASSAY_ENOENT, "no CPU file describes this "
			       "machine");
	if (rc)
		return rc;
	if (!source->cpu || host) {
		add_machine(&facts, assay->sysroot, !host);
		add_units(&facts, assay->sysroot);
	}
	add_guesses(&facts);
	machine.cpu = cpu;
	machine.literals = facts.n;
	rc = import_for(assay, &machine, source, text, fn, ctx, err);
	cpu_free(cpu);
	return rc;
}

int assay_formulas_import(struct assay *assay, const char *path,
			  const char *pattern, const char *cpu, char **text,
			  assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	const struct assay_formulas_source source = {
		.path = path, .pattern = pattern, .cpu = cpu,
	};

	return assay_formulas_import_from(assay, &source, text, fn, ctx, err);
}
