/* SPDX-License-Identifier: MIT */
/*
 * Finds out what the text of `assay explain` names: a code, an event of the
 * CPU, a name of the kernel's, or an event of another CPU. The resolvers are
 * asked in a fixed order; the first that has the name fills the subject.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/text.h"
#include "events/cache-maps.h"
#include "events/explain/explain.h"
#include "events/table.h"

typedef int resolve_fn(struct subject *s, struct assay_error *err);

/* The subject is a code, or an event with this code. */
static int set_code(struct subject *s, uint64_t config)
{
	const struct cpu *cpu = s->target->cpu;
	char stem[ASSAY_NAME];

	s->kind = s->kind ? s->kind : "a code";
	s->coded = true;
	s->config = config;
	s->event_here = !cpu ? NULL :
		cpu_event_coded(cpu, code_plain(s->layout, config));
	explain_stem(stem, s);
	if (s->event_here)
		text_copy(s->event, sizeof(s->event), s->event_here->name);
	else if (*stem)
		text_copy(s->event, sizeof(s->event), stem);
	return FOUND;
}

static bool hexadecimal(const char *digits, uint64_t *out)
{
	char *end;

	if (!isxdigit((unsigned char)*digits) || strlen(digits) > 16)
		return false;
	*out = strtoull(digits, &end, 16);
	return !*end;
}

static int try_code(struct subject *s, struct assay_error *err)
{
	uint64_t config;

	(void)err;
	return cpu_code_parse(&config, s->name) ? set_code(s, config) :
						  NOT_MINE;
}

/* The digits of rNNN without the r. Asked last: names come first. */
static int try_digits(struct subject *s, struct assay_error *err)
{
	const char *digits = s->name + (*s->name == 'r' || *s->name == 'R');
	uint64_t config;

	digits += !strncmp(digits, "0x", 2) ? 2 : 0;
	if (strlen(digits) > 16 &&
	    digits[strspn(digits, "0123456789abcdefABCDEF")] == '\0')
		return error_set(err, -ASSAY_EINVAL, "%s is too large: a code "
				 "has 64 bits, which are 16 digits", s->name);
	return hexadecimal(s->name, &config) ? set_code(s, config) : NOT_MINE;
}

static int try_cpu(struct subject *s, struct assay_error *err)
{
	const struct cpu *cpu = s->target->cpu;

	(void)err;
	s->event_here = cpu ? cpu_event_find(cpu, s->name) : NULL;
	if (!s->event_here)
		return NOT_MINE;
	s->kind = "an event of the CPU";
	text_copy(s->event, sizeof(s->event), s->event_here->name);
	s->coded = true;
	s->config = s->event_here->code;
	return FOUND;
}

/* ---- PMU/event=0x42,umask=0x1e/ of a core PMU -------------------------- */

static int try_terms(struct subject *s, struct assay_error *err)
{
	const char *slash = strchr(s->name, '/');
	int rc;

	/* pmu_resolve reads an event's name between the slashes. */
	if (!explain_core_pmu(s->name) || !slash || !strpbrk(slash, "=,") ||
	    s->name[strlen(s->name) - 1] != '/')
		return NOT_MINE;
	rc = explain_terms(s, err);
	s->kind = "fields of a code";
	return rc ? rc : set_code(s, s->config);
}

/* ---- the kernel's names ------------------------------------------------ */

/* The search for the subject's name among perf's generic names. */
struct wanted {
	struct subject *subject;
	bool found;
};

static int match_generic(void *ctx, const struct event_name *name)
{
	struct wanted *w = ctx;
	struct subject *s = w->subject;

	if (!text_equal(name->name, s->name))
		return 0;
	w->found = true;
	s->kind = !strcmp(name->kind, "software") ? "a software event" :
		  !strcmp(name->kind, "cache") ?
		  "perf's name for a cache event" :
		  "perf's name for a hardware event";
	text_copy(s->meaning, sizeof(s->meaning), name->meaning);
	return 1;
}

/* The CPU file does not say what Linux programs for the name. An event of
 * several of one code (offcore responses) is not one of the file's events. */
static int use_cache_map(struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_match *match = cpu ? &cpu->match : s->target->match;
	struct cache_code code;

	switch (match && strcmp(s->kind, "a software event") ?
		cache_map_find(&code, generic_canonical(s->name), match,
			       s->target->core) : CACHE_UNKNOWN) {
	case CACHE_CODE:
		if (cpu)	/* which says what the code counts */
			s->meaning[0] = '\0';
		if (!code.config1)
			return set_code(s, code.config);
		s->coded = true;
		s->config = code.config;
		s->config1 = code.config1;
		return FOUND;
	case CACHE_HAS_NONE:
	case CACHE_EMPTY:
		s->meaning[0] = '\0';
		snprintf(s->absent, sizeof(s->absent), "Linux has no event "
			 "for this name on %s", explain_cpu_name(s));
		return FOUND;
	default:
		return FOUND;
	}
}

static int try_generic(struct subject *s, struct assay_error *err)
{
	const struct cpu *cpu = s->target->cpu;
	struct wanted w = { s, false };
	const struct cpu_generic *g;

	(void)err;
	generic_names(s->target, match_generic, &w);
	if (!w.found)
		return NOT_MINE;
	text_copy(s->event, sizeof(s->event), s->name);
	g = cpu ? cpu_generic_find(cpu, generic_canonical(s->name)) : NULL;
	if (!g)
		return use_cache_map(s);
	s->meaning[0] = '\0';
	if (g->present)
		return set_code(s, g->code);
	snprintf(s->absent, sizeof(s->absent), "Linux has no event for this "
		 "name on %s%s%s", cpu->name, *g->note ? ": " : "", g->note);
	return FOUND;
}

/* why: this machine has no such PMU; "": err says that, or what the PMU that
 * is there lacks. */
static int no_such_pmu(const struct subject *s, const char *why,
		       struct assay_error *err)
{
	if (s->target->named)
		error_set(err, -ASSAY_ENOENT, "'%s': no table at hand of "
			  "%.60s has the event, and this machine has no such "
			  "PMU", s->name, explain_cpu_name(s));
	else if (*why)
		error_set(err, -ASSAY_ENOENT, "'%s': %s", s->name, why);
	if (!strchr(s->name, '='))
		error_add(err, "  tables lack the names that a PMU has in "
			  "/sys: write its fields, as in PMU/event=0x4,"
			  "umask=0x3/");
	return -ASSAY_ENOENT;
}

static int try_kernel(struct subject *s, struct assay_error *err)
{
	struct encoding e = { .scope = s->scope };
	int rc = breakpoint_resolve(&e, s->name, s->target, err);

	if (rc == FOUND) {
		s->kind = "a breakpoint";
		snprintf(s->meaning, sizeof(s->meaning), "%s%s%s%s of %u bytes "
			 "at %s", e.bp_type & 1 ? "reads" : "",
			 e.bp_type == 3 ? " and " : "",
			 e.bp_type & 2 ? "writes" : "",
			 e.bp_type & 4 ? "executions" : "",
			 (unsigned)e.bp_len, *e.bp_symbol ? e.bp_symbol :
			 "that address");
	}
	if (rc == NOT_MINE && !strstr(s->name, "::")) {
		memset(&e, 0, sizeof(e));
		e.scope = s->scope;
		rc = tracepoint_resolve(&e, s->name, s->target, err);
		if (rc == FOUND) {
			s->kind = "a tracepoint";
			text_copy(s->meaning, sizeof(s->meaning),
				  "times that the kernel passed this point");
		}
	}
	if (rc == NOT_MINE && strchr(s->name, '/')) {
		memset(&e, 0, sizeof(e));
		rc = pmu_resolve(&e, s->name, s->target, err);
		if (rc == FOUND && !*e.absent)
			s->kind = "an event of a PMU of this machine";
		else if (rc == FOUND || rc == -ASSAY_ENOENT)
			rc = no_such_pmu(s, e.absent, err);
	}
	if (rc == FOUND) {
		text_copy(s->event, sizeof(s->event), s->name);
		text_copy(s->absent, sizeof(s->absent), e.absent);
	}
	return rc;
}

/* ---- names of other CPUs ----------------------------------------------- */

static int use_vendor(void *ctx, const struct vendor_event *v)
{
	struct subject *s = ctx;

	text_copy(s->event, sizeof(s->event), v->name);
	snprintf(s->meaning, sizeof(s->meaning), "%s (%s)", v->meaning,
		 v->cpu);
	s->layout = v->layout;
	s->coded = true;
	s->config = v->config;
	s->kind = "an event of libpfm4's table";
	return 1;
}

/* "snb::L2_LINES_IN", which libpfm4 takes with a unit mask only. */
static int needs_mask(void *ctx, const struct event_name *name)
{
	struct subject *s = ctx;

	if (!text_equal(name->name, s->name))
		return 0;
	text_copy(s->event, sizeof(s->event), name->name);
	text_copy(s->meaning, sizeof(s->meaning), name->meaning);
	text_copy(s->absent, sizeof(s->absent), "an event needs one of its "
		  "unit masks, below");
	s->kind = "an event of libpfm4's table, by its unit masks alone";
	return 1;
}

static int try_table(struct subject *s, struct assay_error *err)
{
	(void)err;
	if (!strstr(s->name, "::"))
		return NOT_MINE;
	if (vendor_find(s->name, use_vendor, s) == 1)
		return FOUND;
	return vendor_table_names(s->name, needs_mask, s) == 1 ? FOUND :
								 NOT_MINE;
}

static int has_event(void *ctx, const struct cpu *cpu)
{
	return cpu_event_find(cpu, (const char *)ctx) != NULL;
}

static int any_vendor(void *ctx, const struct vendor_event *v)
{
	(void)ctx;
	(void)v;
	return 1;
}

static int any_table(void *ctx, const struct table_event *event)
{
	(void)ctx;
	(void)event;
	return 1;
}

static int try_others(struct subject *s, struct assay_error *err)
{
	int rc = explain_each_cpu(s, has_event, s->name, err);

	if (!rc)
		rc = vendor_find(s->name, any_vendor, NULL);
	if (!rc)
		rc = table_each(s->target, s->name, any_table, NULL, err);
	if (rc <= 0)
		return rc ? rc : NOT_MINE;
	s->kind = "an event of other CPUs";
	s->of_others = true;
	text_copy(s->event, sizeof(s->event), s->name);
	rc = s->target->cpu || s->target->asked ? explain_not_found(s, err) :
						  0;
	return rc ? rc : FOUND;
}

/* The search for a near name over all CPU files. */
struct near {
	const char *name;
	char meant[ASSAY_NAME], cpu[ASSAY_NAME];
};

static int near_name(void *ctx, const struct cpu *cpu)
{
	const struct events_target t = { .target = EVENTS_SIM, .cpu = cpu,
					 .sysroot = "/" };
	struct near *n = ctx;

	if (!names_nearest(n->meant, n->name, &t))
		return 0;
	text_copy(n->cpu, sizeof(n->cpu), cpu->name);
	return 1;
}

static int unknown(struct subject *s, struct assay_error *err)
{
	struct near near = { .name = s->name };
	struct events_target t = *s->target;
	const bool named = t.cpu || t.asked;
	int rc = named ? explain_not_found(s, err) : 0;

	if (rc)
		return rc;
	if (t.cpu && !strstr(s->name, "::"))
		t.target = EVENTS_SIM;
	if (named && !s->unknown)
		error_set(err, -ASSAY_ENOENT, "'%s': %s", s->name, s->absent);
	else
		error_set(err, -ASSAY_ENOENT, "unknown event '%s'", s->name);
	if (names_nearest(near.meant, s->name, &t) &&
	    strcmp(near.meant, s->name))
		error_add(err, "  did you mean '%s'?", near.meant);
	else if (explain_each_cpu(s, near_name, &near, NULL) == 1)
		error_add(err, "  did you mean '%s' of %s?", near.meant,
			  near.cpu);
	else if (!named)
		error_add(err, "  try: assay list events");
	if (s->unknown && !*near.meant)
		error_add(err, "  %s", s->absent);
	if (*events_left_out(s->target))
		error_add(err, "  not read: %s", events_left_out(s->target));
	library_hint(LIBRARY_PFM, err);
	return -ASSAY_ENOENT;
}

/* ---- libpfm4's modifiers ----------------------------------------------- */

static int resolve(struct subject *s, struct assay_error *err);

/* The bits of "c=2", "i", "e=1" or "t" in the code; 0: no such modifier. */
static uint64_t modifier_bits(const char *text)
{
	const uint64_t value = text[1] == '=' ?
			       strtoull(text + 2, NULL, 0) : 1;

	if (text[1] && (text[1] != '=' || !isdigit((unsigned char)text[2])))
		return 0;
	switch (*text) {
	case 'c':
		return text[1] ? (value & 0xff) << 24 : 0;
	case 'i':
		return (value & 1) << 23;
	case 'e':
		return text[1] ? (value & 1) << 18 : 0;
	case 't':
		return (value & 1) << 21;
	default:
		return 0;
	}
}

/* "L2_RQSTS.MISS:c=1", "NAME:u:k": the event before the last colon. */
static int try_modifiers(struct subject *s, struct assay_error *err)
{
	const struct subject before = *s;
	char *colon = strrchr(s->name, ':');
	const uint64_t bits = colon ? modifier_bits(colon + 1) : 0;
	const unsigned scope = !colon || strlen(colon) != 2 ? 0 :
			       colon[1] == 'u' ? ENCODING_USER :
			       colon[1] == 'k' ? ENCODING_KERNEL : 0;
	char name[ASSAY_NAME];
	int rc;

	if ((!bits && !scope) || s->layout == CODE_PMUV3 || colon == s->name)
		return NOT_MINE;
	*colon = '\0';
	rc = resolve(s, err);
	if (rc != FOUND || s->of_others || !s->coded) {
		*s = before;
		return rc < 0 ? rc : NOT_MINE;
	}
	s->scope |= scope;
	if (!bits)
		return FOUND;
	s->config |= bits;
	s->kind = "an event with libpfm4's modifiers";
	text_copy(name, sizeof(name), before.name);
	for (char *dot = strchr(name, '.'); dot; dot = strchr(dot, '.'))
		*dot = ':';
	snprintf(s->others, sizeof(s->others), "Where events are counted, "
		 "libpfm4 takes the modifier behind its own name alone: %s.",
		 name);
	return FOUND;
}

static resolve_fn *const resolvers[] = {
	try_code, try_terms, try_cpu, try_generic, explain_by_table,
	explain_by_other_core, explain_by_unit, try_table, try_kernel,
	try_modifiers, try_others, try_digits,
};

/* "cpu/NAME/" of a CPU that is named is NAME; without a CPU, the kernel's PMU
 * has to be asked. */
static void strip_pmu(struct subject *s)
{
	char *slash = strchr(s->name, '/');
	const size_t bytes = strlen(s->name);

	if ((!s->target->cpu && !s->target->asked) || !slash ||
	    !explain_core_pmu(s->name) || strpbrk(slash, "=,") ||
	    bytes - (size_t)(slash - s->name) < 3 || s->name[bytes - 1] != '/')
		return;
	s->name[bytes - 1] = '\0';
	memmove(s->name, slash + 1, strlen(slash + 1) + 1);
}

static int resolve(struct subject *s, struct assay_error *err)
{
	int rc = NOT_MINE;

	for (size_t i = 0; i < sizeof(resolvers) / sizeof(resolvers[0]) &&
			   rc == NOT_MINE; i++)
		rc = resolvers[i](s, err);
	return rc;
}

int explain_resolve(struct subject *s, const char *text,
		    struct assay_error *err)
{
	struct event_item item;
	int rc = item_next(&item, &text, err);

	if (rc < 0)
		return rc;
	if (!rc || *text)
		return error_set(err, -ASSAY_EINVAL, rc ? "'%.100s' is one "
				 "event, and '%.100s' is left: put a blank "
				 "between two events" : "name an event or a "
				 "code", item.complete, text);
	text_copy(s->asked, sizeof(s->asked), item.complete);
	s->scope = item.scope;
	s->precise = item.precise;
	if (*item.unsupported) {	/* "X:S" may name a unit mask */
		text_copy(s->name, sizeof(s->name), item.complete);
		rc = resolve(s, err);
		if (rc)
			return rc < 0 ? rc : 0;
	}
	text_copy(s->unsupported, sizeof(s->unsupported), item.unsupported);
	text_copy(s->name, sizeof(s->name), item.name);
	strip_pmu(s);
	rc = resolve(s, err);
	if (rc == NOT_MINE)
		return unknown(s, err);
	return rc < 0 ? rc : explain_code_by_table(s, err);
}
