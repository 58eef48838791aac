/* SPDX-License-Identifier: MIT */
/*
 * From names to encodings: which sources are asked, and in which order. A
 * CPU's own file comes before libpfm4, whose tables rename or lack events; the
 * kernel's tracepoints come last, because their syntax is the loosest.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "events/events.h"
#include "events/item.h"
#include "events/names.h"

typedef int resolve_fn(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err);

static resolve_fn *const perf_sources[] = {
	breakpoint_resolve, generic_resolve, raw_resolve, model_resolve,
	pmu_resolve, vendor_resolve, tracepoint_resolve, other_resolve,
};

static int any_name(struct encoding *out, const char *name,
		    struct assay_error *err)
{
	if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			 "0123456789_.:/=,@-+") != strlen(name))
		return error_set(err, -ASSAY_EINVAL, "'%s' is no name of an "
				 "event", name);
	out->family = ENCODING_NAME;
	return FOUND;
}

static int resolve(struct encoding *out, const char *name,
		   const struct events_target *target, struct assay_error *err)
{
	const struct encoding empty = *out;
	int rc = NOT_MINE;

	if (target->target == EVENTS_NAMES)
		return any_name(out, name, err);
	if (target->target == EVENTS_SIM)
		return model_resolve(out, name, target, err);
	for (size_t i = 0; i < sizeof(perf_sources) / sizeof(perf_sources[0]) &&
			   rc == NOT_MINE; i++) {
		*out = empty;
		rc = perf_sources[i](out, name, target, err);
	}
	return rc;
}

/* A CPU that has the event of that name. */
struct owner {
	const char *name;
	char cpu[64];
};

static int owner_of(void *ctx, const struct cpu *cpu)
{
	struct owner *o = ctx;

	if (!cpu_event_find(cpu, o->name))
		return 0;
	text_copy(o->cpu, sizeof(o->cpu), cpu->name);
	return 1;
}

static int unknown(const char *name, const struct events_target *target,
		   struct assay_error *err)
{
	const bool sim = target->target == EVENTS_SIM && target->cpu;
	struct owner owner = { .name = name };
	struct encoding linux_own = { .code = "" };
	char meant[ASSAY_NAME];

	if (sim)
		error_set(err, -ASSAY_ENOENT, "unknown event '%s' on %s", name,
			  target->cpu->name);
	else
		error_set(err, -ASSAY_ENOENT, "unknown event '%s'", name);
	if (sim && cpu_each(target->data_dir, owner_of, &owner, NULL) == 1)
		error_add(err, "  it is an event of %s", owner.cpu);
	else if (sim && generic_resolve(&linux_own, name, target, NULL) ==
			FOUND)
		error_add(err, "  it is Linux's, and the CPU file does not say "
			  "what it would be there");
	else if (names_nearest(meant, name, target))
		error_add(err, "  did you mean '%s'?", meant);
	else if (sim)
		error_add(err, "  try: assay list events --on sim:CPU");
	else
		error_add(err, "  try: assay list events");
	return -ASSAY_ENOENT;
}

/* A name from a table, not a code that the user insists on. */
static void check_implemented(struct encoding *out, const char *name,
			      const struct events_target *target)
{
	const unsigned long long code = out->config;
	struct encoding raw = { 0 };

	if (target->target != EVENTS_PERF || out->family != ENCODING_RAW ||
	    out->absent[0] || strchr(name, '/') ||
	    raw_resolve(&raw, name, target, NULL) == FOUND ||
	    pmu_implements(target->sysroot, out->config))
		return;
	snprintf(out->absent, sizeof(out->absent), "this CPU's PMU does not "
		 "have event 0x%llx (PMCEID); r%llx would read 0", code, code);
}

/*
 * Modifier letters may also be the end of a vendor's name ("X:K"); then the
 * whole is tried before it is called unknown.
 */
static int resolve_item(struct encoding *out, const struct item *item,
			const struct events_target *target,
			struct assay_error *err)
{
	int rc;

	memset(out, 0, sizeof(*out));
	out->scope = item->scope;
	rc = resolve(out, item->name, target, err);
	if (rc == NOT_MINE && (item->scope || item->precise)) {
		memset(out, 0, sizeof(*out));
		rc = resolve(out, item->complete, target, err);
	}
	if (rc == NOT_MINE)
		return unknown(item->name, target, err);
	if (rc < 0)
		return rc;
	check_implemented(out, item->name, target);
	text_copy(out->name, sizeof(out->name), item->complete);
	return 0;
}

int events_parse(struct group *group, const char *list,
		 const struct events_target *target, struct assay_error *err)
{
	const unsigned before = group->events;
	struct item item;
	int rc;

	if (!*list)
		return error_set(err, -ASSAY_EINVAL, "no events are named");
	while ((rc = item_next(&item, &list, err)) > 0) {
		if (group->events == ASSAY_EVENTS) {
			rc = error_set(err, -ASSAY_ENOSPC, "too many events: "
				       "at most %d in one run", ASSAY_EVENTS);
			break;
		}
		rc = resolve_item(&group->event[group->events], &item, target,
				  err);
		if (rc)
			break;
		group->events++;
	}
	if (rc)
		group->events = before;
	return rc;
}

struct listing {
	const char *pattern;
	assay_row_fn *fn;
	void *ctx;
};

static bool contains(const char *text, const char *pattern)
{
	const size_t length = strlen(pattern);

	for (; *text; text++)
		if (!strncasecmp(text, pattern, length))
			return true;
	return length == 0;
}

static int list_one(void *ctx, const struct event_name *name)
{
	const struct listing *l = ctx;
	const struct assay_field field[] = {
		{ .name = "event", .text = name->name },
		{ .name = "kind", .text = name->kind },
		{ .name = "code", .text = name->code },
		{ .name = "counts here",
		  .kind = name->absent ? ASSAY_FIELD_ABSENT : ASSAY_FIELD_TEXT,
		  .text = name->absent ? name->absent : "yes" },
		{ .name = "meaning", .text = name->meaning },
	};
	const struct assay_row row = {
		.type = "event", .field = field,
		.fields = sizeof(field) / sizeof(field[0]),
	};

	if (l->pattern && !contains(name->name, l->pattern))
		return 0;
	return l->fn(l->ctx, &row);
}

int events_list(const struct events_target *target, const char *pattern,
		assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct listing listing = { pattern, fn, ctx };

	if (names_walk(target, list_one, &listing))
		return error_set(err, -ASSAY_ESTOP, "stopped by the caller");
	return 0;
}
