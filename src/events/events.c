/* SPDX-License-Identifier: MIT */
/*
 * From names to encodings: asks the resolvers in a fixed order. The CPU's own
 * file comes before libpfm4, whose tables rename or lack events; the kernel's
 * tracepoints come late, because their syntax is the loosest. Also lists all
 * names of a target, and finds the nearest name to a mistyped one.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/loading/library.h"
#include "base/row.h"
#include "base/text.h"
#include "events/events.h"
#include "events/resolvers.h"
#include "events/table.h"

typedef int resolve_fn(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err);

static resolve_fn *const resolvers[] = {
	breakpoint_resolve, generic_resolve, raw_resolve, cpu_file_resolve,
	other_core_resolve, pmu_resolve, vendor_resolve, table_resolve, tracepoint_resolve,
	other_cpus_resolve,
};

/* Accepts any name of the characters that names are made of. */
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
	if (target->target == EVENTS_SIM) {
		rc = cpu_file_resolve(out, name, target, err);
		return rc == NOT_MINE ?
		       quantity_resolve(out, name, target, err) : rc;
	}
	for (size_t i = 0; i < sizeof(resolvers) / sizeof(resolvers[0]) &&
			   rc == NOT_MINE; i++) {
		*out = empty;
		rc = resolvers[i](out, name, target, err);
	}
	return rc;
}

/* ---- all names --------------------------------------------------------- */

typedef int lister_fn(const struct events_target *target,
		      event_name_fn *fn, void *ctx);

static lister_fn *const listers[] = {
	generic_names, cpu_file_names, raw_names, pmu_names, vendor_names,
	tracepoint_names,
};

static int each_name(const struct events_target *target, event_name_fn *fn,
		     void *ctx)
{
	int rc = 0;

	if (target->target == EVENTS_SIM)
		return cpu_file_names(target, fn, ctx);
	if (target->target == EVENTS_NAMES)
		return 0;
	for (size_t i = 0; i < sizeof(listers) / sizeof(listers[0]);
	     i++) {
		rc = listers[i](target, fn, ctx);
		if (rc)
			break;
	}
	return rc;
}

/* The search for the nearest name; names are compared in plain form. */
struct nearest {
	char wanted[ASSAY_NAME];
	char best[ASSAY_NAME];
	unsigned distance;
};

static void plain(char out[ASSAY_NAME], const char *name)
{
	size_t i;

	for (i = 0; name[i] && i < ASSAY_NAME - 1; i++)
		out[i] = name[i] == '.' ? ':' :
			 (char)tolower((unsigned char)name[i]);
	out[i] = '\0';
}

static void consider(struct nearest *n, const char *name)
{
	const size_t a = strlen(n->wanted), b = strlen(name);
	char candidate[ASSAY_NAME];
	unsigned distance;

	/* The difference in length is a lower bound of the distance. */
	if (b >= ASSAY_NAME || (a > b ? a - b : b - a) >= n->distance)
		return;
	plain(candidate, name);
	distance = text_distance(n->wanted, candidate);
	if (distance < n->distance) {
		n->distance = distance;
		text_copy(n->best, sizeof(n->best), name);
	}
}

/* A name "PMU/EVENT/" may also have been meant by "EVENT". */
static int compare(void *ctx, const struct event_name *name)
{
	const char *slash = strchr(name->name, '/');
	struct nearest *n = ctx;
	char bare[ASSAY_NAME];

	consider(n, name->name);
	if (slash && !strchr(n->wanted, '/')) {
		text_copy(bare, sizeof(bare), slash + 1);
		bare[strcspn(bare, "/")] = '\0';
		consider(n, bare);
	}
	return 0;
}

bool names_nearest(char out[ASSAY_NAME], const char *name,
		   const struct events_target *target)
{
	const size_t length = strlen(name);
	struct nearest n = { .distance = length < 4 ? 2 :
					 length < 10 ? 3 : 4 };

	plain(n.wanted, name);
	each_name(target, compare, &n);
	if (target->target == EVENTS_PERF)
		vendor_table_names(name, compare, &n);
	table_names(target, compare, &n);
	if (!n.best[0])
		return false;
	text_copy(out, ASSAY_NAME, n.best);
	return true;
}

/* ---- lists of events --------------------------------------------------- */

/* A CPU that has the event of that name. */
struct owner {
	const char *name;
	char cpu[64];
};

static int find_owner(void *ctx, const struct cpu *cpu)
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
	struct encoding generic = { .code = "" };
	char meant[ASSAY_NAME];

	if (sim)
		error_set(err, -ASSAY_ENOENT, "unknown event '%s' on %s", name,
			  target->cpu->name);
	else
		error_set(err, -ASSAY_ENOENT, "unknown event '%s'", name);
	if (sim && cpu_each(target->data_dir, find_owner, &owner, NULL) == 1)
		error_add(err, "  it is an event of %s", owner.cpu);
	else if (sim && generic_resolve(&generic, name, target, NULL) ==
			FOUND)
		error_add(err, "  it is Linux's, and the CPU file does not say "
			  "what it would be there");
	else if (names_nearest(meant, name, target))
		error_add(err, "  did you mean '%s'?", meant);
	else if (sim && !quantity_meant(err, name))
		error_add(err, "  try: assay list events --on sim:CPU");
	else if (!sim)
		error_add(err, "  try: assay list events");
	if (!sim)
		library_hint(LIBRARY_PFM, err);
	if (*events_left_out(target))
		error_add(err, "  not read: %s", events_left_out(target));
	return -ASSAY_ENOENT;
}

/*
 * Marks an event absent that this CPU's PMU says it does not have. Codes that
 * the user wrote (rNNN, PMU/.../) are not checked.
 */
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

/* "L2_LINES_IN:S" may name a unit mask: perf's S is what remains. */
static int resolve_plain(struct encoding *out, const struct event_item *item,
			 const struct events_target *target,
			 struct assay_error *err)
{
	int rc = NOT_MINE;

	if (*item->unsupported)
		rc = resolve(out, item->complete, target, err);
	if (rc != NOT_MINE)
		return rc;
	rc = resolve(out, item->name, target, err);
	if (rc == FOUND && *item->unsupported)
		return error_set(err, -ASSAY_EINVAL, "'%s': perf's modifier %c "
				 "is not supported: it %s", item->complete,
				 *item->unsupported,
				 item_modifier(*item->unsupported));
	return rc;
}

/*
 * Modifier letters may also be the end of a vendor's name ("X:K"): the complete
 * name is tried before the event is called unknown.
 */
static int resolve_item(struct encoding *out, const struct event_item *item,
			const struct events_target *target,
			struct assay_error *err)
{
	int rc;

	memset(out, 0, sizeof(*out));
	out->scope = item->scope;
	rc = resolve_plain(out, item, target, err);
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
	struct event_item item;
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

/* The arguments of events_list. */
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

static int name_row(void *ctx, const struct event_name *name)
{
	const struct listing *l = ctx;
	const struct assay_field field[] = {
		field_text("event", name->name),
		field_text("kind", name->kind),
		field_text("code", name->code),
		{ .name = "counts here",
		  .kind = name->absent ? ASSAY_FIELD_ABSENT : ASSAY_FIELD_TEXT,
		  .text = name->absent ? name->absent : "yes" },
		field_text("meaning", name->meaning),
	};

	if (l->pattern && !contains(name->name, l->pattern))
		return 0;
	return ROW_EMIT(l->fn, l->ctx, "event", field) != 0;
}

int events_list(const struct events_target *target, const char *pattern,
		assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct listing listing = { pattern, fn, ctx };

	if (each_name(target, name_row, &listing) ||
	    table_names(target, name_row, &listing))
		return error_set(err, -ASSAY_ESTOP, "stopped by the caller");
	return 0;
}
