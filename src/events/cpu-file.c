/* SPDX-License-Identifier: MIT */
/*
 * The resolver of a CPU file's events: the only one for the software PMU; for
 * perf it adds the names that libpfm4 lacks or spells differently.
 */
#include <stdio.h>

#include <string.h>

#include "base/text.h"
#include "events/resolvers.h"
#include "events/table.h"

/* An event that counts in pages of a size that the page map does not have. */
static void check_pages(struct encoding *out, const struct cpu_event *event,
			const struct events_target *target)
{
	const struct geometry *g = target->geometry ? target->geometry :
				   &events_cpu(target)->geometry;

	if (event->pages && !(event->pages >> g->page_map.size & 1))
		snprintf(out->absent, sizeof(out->absent), "the event "
			 "counts in pages of another size than this page map's "
			 "pages of %s",
			 page_names[g->page_map.size]);
}

static int set_simulated(struct encoding *out, const struct cpu_event *event,
			 const struct events_target *target)
{
	out->family = ENCODING_NAME;
	if (event->present) {
		out->counts = &event->counts;
		check_pages(out, event, target);
	}
	if (out->scope && !(out->scope & ENCODING_USER))
		text_copy(out->absent, sizeof(out->absent), "the software PMU "
			  "runs user code only: there is nothing to count");
	return FOUND;
}

/* The event that Linux programs for one of perf's generic names. NULL if Linux
 * has none or the file lacks the event; out->absent then has the reason. */
static const struct cpu_event *linux_event(struct encoding *out,
					   const struct cpu *cpu,
					   const struct cpu_generic *g)
{
	const struct cpu_event *event = cpu_event_programmed(cpu, g->code);

	out->config = g->code;
	if (!g->present)
		snprintf(out->absent, sizeof(out->absent), "Linux has no event "
			 "for this name on %s%s%s", cpu->name,
			 *g->note ? ": " : "", g->note);
	else if (!event)
		snprintf(out->absent, sizeof(out->absent), "Linux programs "
			 "0x%llx for this name; the CPU file does not say "
			 "what this code counts", (unsigned long long)g->code);
	return g->present ? event : NULL;
}

/* ---- machines with several kinds of core ------------------------------- */

/* The search for an event in the files of the CPU's other kinds of core. */
struct kinds {
	const struct events_target *target;
	const char *own;	/* PMU of the kind that is not searched */
	const char *wanted;	/* that kind alone; NULL: any */
	const char *name;
	uint64_t code;		/* the own kind's */
	struct encoding *out;	/* or NULL: only the code is compared */
};

static int set_event(struct encoding *out, const struct cpu_event *event,
		     const struct events_target *target);

static int try_kind(void *ctx, const struct cpu *cpu)
{
	const struct kinds *k = ctx;
	const struct cpu_event *event;

	if (!cpu->core || !strcmp(cpu->core, k->own) ||
	    (k->wanted && strcmp(cpu->core, k->wanted)) ||
	    !table_same_chip(k->target, cpu, cpu->core))
		return 0;
	event = cpu_event_find(cpu, k->name);
	if (!event || !k->out)
		return event && event->code == k->code;
	set_event(k->out, event, k->target);
	return pmu_bind(k->out, k->target->sysroot, cpu->core);
}

/* The code is this kind's alone, unless another kind's file has it, too. */
static void bind_own(struct encoding *out, const struct cpu_event *event,
		     const struct events_target *target)
{
	const struct cpu *cpu = events_cpu(target);
	struct kinds k = { .target = target, .name = event->name,
			   .code = event->code };

	if (!cpu || !cpu->core || !pmu_kinds(target->sysroot))
		return;
	k.own = cpu->core;
	if (cpu_each(target->data_dir, try_kind, &k, NULL) != 1)
		pmu_bind(out, target->sysroot, cpu->core);
}

/* "cpu_atom/NAME/" of a name that Linux does not have, as perf takes it. */
static int named_core(struct encoding *out, const char *name, int core,
		      struct kinds *k, struct assay_error *err)
{
	const char *pmu = cpu_core_pmus[core];
	const struct cpu *cpu = events_cpu(k->target);
	const struct cpu_event *event;
	struct events_target t = *k->target;
	char inside[ASSAY_NAME];
	int rc = NOT_MINE;

	text_copy(inside, sizeof(inside), strchr(name, '/') + 1);
	if (!*inside || inside[strlen(inside) - 1] != '/')
		return NOT_MINE;
	inside[strlen(inside) - 1] = '\0';
	if (strpbrk(inside, "=,/") ||
	    pmu_has_event(t.sysroot, pmu, inside))
		return NOT_MINE;
	k->wanted = t.core = pmu;
	k->name = inside;
	event = strcmp(pmu, k->own) ? NULL : cpu_event_find(cpu, inside);
	if (event)
		rc = set_event(out, event, &t);
	else if (cpu_each(t.data_dir, try_kind, k, NULL) == 1)
		return FOUND;
	if (rc == NOT_MINE)
		rc = table_resolve(out, inside, &t, err);
	if (rc == FOUND && !pmu_bind(out, t.sysroot, pmu))
		return NOT_MINE;
	return rc;
}

int other_core_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err)
{
	const size_t bytes = strcspn(name, "/");
	const struct cpu *cpu = events_cpu(target);
	struct kinds k = { .target = target, .name = name, .out = out };

	if (!cpu || !cpu->core || !pmu_kinds(target->sysroot))
		return NOT_MINE;
	k.own = cpu->core;
	if (!name[bytes])
		return cpu_each(target->data_dir, try_kind, &k, NULL) == 1 ?
		       FOUND : NOT_MINE;
	return cpu_core_of(name, bytes) < 0 ? NOT_MINE :
	       named_core(out, name, cpu_core_of(name, bytes), &k, err);
}

static int set_event(struct encoding *out, const struct cpu_event *event,
		     const struct events_target *target)
{
	out->config = event->code;
	snprintf(out->code, sizeof(out->code), "0x%llx",
		 (unsigned long long)event->code);
	if (!event->present && !(target->target == EVENTS_PERF &&
				 event->implemented))
		text_copy(out->absent, sizeof(out->absent),
			  event->absent && event->absent[0] ? event->absent :
			  "this CPU does not have the event");
	if (target->target == EVENTS_SIM)
		return set_simulated(out, event, target);
	out->family = ENCODING_RAW;
	bind_own(out, event, target);
	return FOUND;
}

int cpu_file_resolve(struct encoding *out, const char *name,
		     const struct events_target *target,
		     struct assay_error *err)
{
	const struct cpu *cpu = events_cpu(target);
	const struct cpu_generic *g;
	const struct cpu_event *event;

	(void)err;
	event = cpu ? cpu_event_find(cpu, name) : NULL;
	if (event)
		return set_event(out, event, target);
	if (!cpu || target->target != EVENTS_SIM)
		return NOT_MINE;
	g = cpu_generic_find(cpu, generic_canonical(name));
	if (!g)
		return NOT_MINE;
	out->family = ENCODING_NAME;
	event = linux_event(out, cpu, g);
	return event ? set_event(out, event, target) : FOUND;
}

static int generic_rows(const struct cpu *cpu, event_name_fn *fn, void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < cpu->generics && !rc; i++) {
		const struct cpu_generic *g = &cpu->generic[i];
		struct encoding e = { .code = "" };
		const struct cpu_event *event = linux_event(&e, cpu, g);

		if (g->present)
			snprintf(e.code, sizeof(e.code), "0x%llx",
				 (unsigned long long)g->code);
		rc = fn(ctx, &(struct event_name){
			g->name, "perf's name", e.code,
			event ? event->name : "",
			event && !event->present ? event->absent :
			*e.absent ? e.absent : NULL });
	}
	return rc;
}

int cpu_file_names(const struct events_target *target, event_name_fn *fn,
		   void *ctx)
{
	const struct cpu *cpu = events_cpu(target);
	const char *no_core = NULL;
	int rc = 0;

	if (target->target == EVENTS_PERF && !pmu_core(target->sysroot))
		no_core = pmu_core_absent;
	for (size_t i = 0; cpu && i < cpu->events && !rc; i++) {
		const struct cpu_event *event = &cpu->event[i];
		const char *why = event->present ? NULL : event->absent;
		char code[24];

		if (target->target == EVENTS_PERF)
			why = event->present || event->implemented ?
			      no_core : event->absent;
		snprintf(code, sizeof(code), "0x%llx",
			 (unsigned long long)event->code);
		rc = fn(ctx, &(struct event_name){
			event->name, "CPU file", code, event->meaning,
			why });
		for (const char *const *a = event->alias; !rc && a && *a; a++)
			rc = fn(ctx, &(struct event_name){
				*a, "alias", code, event->name, why });
	}
	return rc || !cpu || target->target != EVENTS_SIM ? rc :
	       generic_rows(cpu, fn, ctx);
}

enum code_layout events_layout(const struct cpu *cpu)
{
	if (cpu->geometry.isa == ISA_AARCH64)
		return CODE_PMUV3;
	return strcmp(cpu->match.vendor, "AuthenticAMD") ? CODE_INTEL :
							   CODE_AMD;
}
