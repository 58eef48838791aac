/* SPDX-License-Identifier: MIT */
/*
 * Whose event names can be used here: of the CPU file, of libpfm4's tables, of
 * the kernel. Cores of another kind are another CPU: each is asked for itself.
 */
#include <stdio.h>
#include <string.h>

#include "api/doctor-names.h"
#include "run/host.h"
#include "base/row.h"
#include "env/machine/kinds.h"
#include "env/machine/machine.h"
#include "events/events.h"

static void say(char *out, size_t room, const char *format, const char *a,
		unsigned long n)
{
	const size_t used = strlen(out);

	if (used < room)
		snprintf(out + used, room - used, format, a, n);
}

static int emit(struct doctor_names *names, const char *what, const char *state,
		const char *evidence, const char *effect, const char *cure)
{
	const struct assay_field field[] = {
		field_text("part", "counters"), field_text("what", what),
		field_text("state", state), field_text("evidence", evidence),
		field_text("effect", effect), field_text("cure", cure),
	};

	return row_emit(names->fn, names->ctx, "finding", field,
			sizeof(field) / sizeof(field[0]));
}

static const char unknown[] = "vendor's names are not known here: Linux's own "
	"(cycles, LLC-load-misses ...), the kernel's and raw codes can be "
	"counted; no model predicts their counts";

static const char others[] = "names are looked up for the kind of CPU 0; "
	"those of this kind only with their PMU and code";

/* A finding: which names are known, and from which table. */
static void describe(char *out, size_t room, const struct cpu *cpu,
		     const char *tables, unsigned events)
{
	if (cpu)
		say(out, room, "CPU file %s: %lu events; ", cpu->name,
		    (unsigned long)cpu->events);
	else
		say(out, room, "no CPU file%s; ", "", 0);
	if (*tables)
		say(out, room, "libpfm4: %s; ", tables, 0);
	say(out, room, "the kernel names %s%lu", "", events);
}

/* kind: NULL where all cores are alike. */
static int say_kind(struct doctor_names *names, const struct core_kind *kind,
		    const char *tables, bool several)
{
	struct cpu *cpu = kind && kind->midr ?
				host_cpu_by_midr(names->assay, kind->midr) :
			  kind ? host_cpu_by_pmu(names->assay, kind->pmu) :
				 host_cpu(names->assay);
	const unsigned events = kind ? kind->events :
				core_events(names->assay->sysroot);
	/* each kind of Arm core has its own CPU file, or none */
	const bool other = several && kind->midr && kind->first > 0;
	const bool known = (cpu && !other) || *tables;
	const char *effect = known ? "" : cpu ? others : unknown;
	char what[64], text[400] = "", cure[200];

	snprintf(what, sizeof(what), several ? "names, %.50s" : "event names",
		 kind ? kind->pmu : "");
	if (kind && several && kind->midr)
		say(text, sizeof(text), "%s; ", machine_midr_name(kind->midr) ?
		    machine_midr_name(kind->midr) : "a core not known by "
		    "name", 0);
	describe(text, sizeof(text), cpu, tables, events);
	snprintf(cure, sizeof(cure), "write raw codes%s%s%s; %s",
		 several ? ", as " : " as rNNN", several ? kind->pmu : "",
		 several ? "/event=0xNN/" : "", cpu ?
		 "assay explain NAME --cpu FILE has them" :
		 "a CPU file makes names known (docs/cpu-file.md)");
	cpu_free(cpu);
	return emit(names, what, known ? "ok" : "info", text,
		    effect, known ? "" : cure);
}

static int say_names(struct doctor_names *names)
{
	struct core_kind kind[KINDS];
	const size_t kinds = core_kinds(kind, names->assay->sysroot);
	char tables[120];
	int rc = 0;

	events_tables(tables, sizeof(tables),
		      strcmp(names->assay->sysroot, "/") != 0);
	if (kinds < 2)
		return say_kind(names, kinds ? kind : NULL, tables, false);
	for (size_t i = 0; i < kinds && !rc; i++)
		rc = say_kind(names, &kind[i], tables, true);
	return rc;
}

/* After the findings about counters. */
int doctor_names_row(void *ctx, const struct assay_row *row)
{
	struct doctor_names *names = ctx;
	int rc = 0;

	if (!names->said && row->fields && row->field[0].text &&
	    !strcmp(row->type, "finding") &&
	    strcmp(row->field[0].text, "counters")) {
		names->said = true;
		rc = say_names(names);
	}
	return rc ? rc : names->fn(names->ctx, row);
}
