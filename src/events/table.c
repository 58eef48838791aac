/* SPDX-License-Identifier: MIT */
/* Events of the event tables at hand and of libpfm4's tables; see table.h. */
#include "events/table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- the CPU as tables know it ----------------------------------------- */

enum { NAMES = 16 };

struct own_cpu {
	const char *name[NAMES + 1];
	struct table_cpu cpu;
};

/* False: the CPU is not known. The texts belong to the target. */
static bool own_cpu(struct own_cpu *out, const struct events_target *target)
{
	const struct cpu *cpu = events_cpu(target);
	unsigned n = 0;

	memset(out, 0, sizeof(*out));
	if (target->asked)
		out->name[n++] = target->asked;
	else if (cpu)
		out->name[n++] = cpu->name;
	for (const char *const *a = cpu ? cpu->alias : NULL;
	     a && *a && n < NAMES; a++)
		out->name[n++] = *a;
	out->cpu.names = out->name;
	out->cpu.match = cpu ? &cpu->match : target->match;
	return n || out->cpu.match;
}

int table_knowledge(const struct events_target *target, struct assay_error *err)
{
	struct event_tables *tables;
	struct own_cpu own;
	int rc = tables_at_hand(&tables, target->tables, err);

	if (rc || !own_cpu(&own, target))
		return rc < 0 ? rc : TABLE_NONE;
	if (tables && event_tables_complete(tables, &own.cpu))
		return TABLE_COMPLETE;
	return events_libpfm4_has(&own.cpu) ? TABLE_PARTIAL : TABLE_NONE;
}

/* ---- an entry in the target's terms ------------------------------------ */

static bool of_core(const struct event_code *c)
{
	return !*c->unit || !strncmp(c->unit, "cpu_", 4);
}

static uint64_t raw_config(enum code_layout layout, const struct event_code *c)
{
	if (c->given & CODE_CONFIG)
		return c->config;
	if (layout == CODE_PMUV3)
		return c->select[0];
	return code_encode(layout, (unsigned)c->select[0],
			   (unsigned)c->umask[0] & 0xff) |
	       (uint64_t)c->edge << 18 | (uint64_t)c->any << 21 |
	       (uint64_t)c->inv << 23 | (uint64_t)(c->cmask & 0xff) << 24;
}

/* perf's name of the field in config1 for a model-specific register. */
static const char *msr_term(const struct event_code *c)
{
	switch (c->msrs ? c->msr[0] : 0) {
	case 0x1a6:
	case 0x1a7:
		return "offcore_rsp";
	case 0x3f6:
		return "ldlat";
	case 0x3f7:
		return "frontend";
	default:
		return "config1";
	}
}

struct term { const char *name; uint64_t value; };

static void write_terms(char *out, size_t room, const char *pmu,
			const struct event_code *c)
{
	const struct term terms[] = {
		{ "event", c->select[0] }, { "umask", c->umask[0] },
		{ "umask_ext", c->extension }, { "edge", c->edge },
		{ "any", c->any }, { "inv", c->inv }, { "cmask", c->cmask },
		{ "ch_mask", c->ports }, { "fc_mask", c->classes },
		{ "filter", c->filter }, { msr_term(c), c->msr_value },
	};

	snprintf(out, room, "%s/", pmu);
	if (c->given & CODE_CONFIG && !(c->given & CODE_SELECT))
		text_add(out, room, "", "config=0x%llx",
			 (unsigned long long)c->config);
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++)
		if (terms[i].value ||
		    (!i && c->given & CODE_SELECT))
			text_add(out, room,
				 out[strlen(out) - 1] == '/' ? "" : ",",
				 "%s=0x%llx", terms[i].name,
				 (unsigned long long)terms[i].value);
	text_add(out, room, "", "/");
	text_harmless(out, false);
}

static void set_event(struct table_event *out, const struct entry *e,
		      enum code_layout layout)
{
	const bool core = of_core(&e->code);

	*out = (struct table_event){
		.coded = core, .fixed = e->code.fixed,
		.deprecated = e->deprecated,
		.config = core ? raw_config(layout, &e->code) : 0,
		.config1 = core ? e->code.msr_value : 0,
	};
	entry_text(out->name, sizeof(out->name), e->name);
	entry_text(out->text, sizeof(out->text), e->text);
	entry_text(out->cpu, sizeof(out->cpu), e->table);
	if (e->line)
		snprintf(out->source, sizeof(out->source), "%s %.300s:%u",
			 entry_source_names[e->source], e->file, e->line);
	else
		snprintf(out->source, sizeof(out->source), "%s %.60s",
			 entry_source_names[e->source], e->table);
	text_harmless(out->source, false);
	if (!core || out->config1 || *e->code.unit)
		write_terms(out->terms, sizeof(out->terms),
			    *e->code.unit ? e->code.unit : "cpu", &e->code);
}

/* The layout of the codes of an entry of any CPU. */
static enum code_layout layout_of(const struct entry *e)
{
	const char *const names[] = { e->table, NULL };
	const struct table_cpu cpu = { names, NULL };
	const char *pattern = table_known_pattern(&cpu);

	if (e->source == ENTRY_ARM || strstr(e->file, "/arch/arm64/"))
		return CODE_PMUV3;
	if (!strncmp(e->table, "amd", 3) ||
	    (pattern && !strncmp(pattern, "AuthenticAMD", 12)))
		return CODE_AMD;
	return pattern && !strncmp(pattern, "0x", 2) ? CODE_PMUV3 : CODE_INTEL;
}

/* ---- the search -------------------------------------------------------- */

struct search {
	enum code_layout layout;
	const char *name;	/* or NULL: by code */
	char normal[ENTRY_NAME];
	uint64_t config;
	unsigned best;		/* rank of *out; 0: nothing is found */
	struct table_event *out;
	table_event_fn *fn;	/* or NULL: *out gets the best */
	void *ctx;
};

enum { RANK_SPELT_OTHERWISE = 1, RANK_ALIAS, RANK_NAME, RANK_BEST };

static unsigned rank_name(const struct search *s, const struct entry *e)
{
	char normal[ENTRY_NAME];

	if (text_equal(e->name, s->name))
		return RANK_NAME;
	if (text_equal(e->alias, s->name))
		return RANK_ALIAS;
	entry_normal_name(normal, e->name, e->code.unit);
	return strcmp(normal, s->normal) ? 0 : RANK_SPELT_OTHERWISE;
}

/* Events whose code is one of several of a register say so in their text. */
static unsigned rank_code(const struct search *s, const struct entry *e)
{
	if (!of_core(&e->code) || e->code.fixed ||
	    raw_config(s->layout, &e->code) != s->config)
		return 0;
	return e->code.msr_value ? RANK_SPELT_OTHERWISE :
	       e->deprecated ? RANK_ALIAS : RANK_NAME;
}

/* Two kinds of core, or two tables, may have two codes for a name. */
static void add_other(struct table_event *out, const struct table_event *t)
{
	if (t->coded == out->coded && t->config == out->config &&
	    t->config1 == out->config1 &&
	    (t->coded || !strcmp(t->terms, out->terms)))
		return;
	if (t->coded)
		text_add(out->others, sizeof(out->others), "; ", "r%llx of %s",
			 (unsigned long long)t->config, t->source);
	else
		text_add(out->others, sizeof(out->others), "; ", "%s of %s",
			 t->terms, t->source);
}

static int consider(void *ctx, const struct entry *e)
{
	struct search *s = ctx;
	struct table_event event;
	unsigned rank;

	if (e->kind != ENTRY_EVENT)
		return 0;
	rank = s->name ? rank_name(s, e) : rank_code(s, e);
	if (s->fn && rank) {
		set_event(&event, e, layout_of(e));
		return s->fn(s->ctx, &event);
	}
	if (s->name && rank && rank == s->best) {
		set_event(&event, e, s->layout);
		add_other(s->out, &event);
	}
	if (rank <= s->best)
		return 0;
	s->best = rank;
	set_event(s->out, e, s->layout);
	return 0;
}

/* The longest run of letters and digits: every spelling of the name has it. */
static void find_needle(char needle[ENTRY_NAME], const char *name)
{
	size_t most = 0, n;

	*needle = '\0';
	for (; *name; name += n ? n : 1) {
		for (n = 0; isalnum((unsigned char)name[n]); n++)
			;
		if (n > most && n < ENTRY_NAME) {
			most = n;
			text_copy(needle, n + 1, name);
		}
	}
}

static int search_tables(struct search *s, const struct events_target *target,
			 const struct table_cpu *cpu, struct assay_error *err)
{
	char needle[ENTRY_NAME];
	const struct table_query query = { cpu, s->name ? needle : NULL };
	struct event_tables *tables;
	int rc = tables_at_hand(&tables, target->tables, err);

	if (rc || !tables)
		return rc;
	if (s->name) {
		find_needle(needle, s->name);
		entry_normal_name(s->normal, s->name, "");
	}
	return event_tables_each(tables, &query, consider, s, err);
}

int table_find(struct table_event *out, const struct events_target *target,
	       enum code_layout layout, const char *name, uint64_t config,
	       struct assay_error *err)
{
	struct search s = { .layout = layout, .name = name, .config = config,
			    .out = out };
	struct own_cpu own;
	int rc = 0;

	if (!own_cpu(&own, target))
		return NOT_MINE;
	rc = search_tables(&s, target, &own.cpu, err);
	if (rc < 0)
		return rc;
	if (name)
		entry_normal_name(s.normal, name, "");
	if (!s.best)
		events_libpfm4(&own.cpu, consider, &s);
	return s.best ? FOUND : NOT_MINE;
}

int table_each(const struct events_target *target, const char *name,
	       table_event_fn *fn, void *ctx, struct assay_error *err)
{
	struct search s = { .name = name, .fn = fn, .ctx = ctx };

	return search_tables(&s, target, NULL, err);
}

static int pass_on(void *ctx, const struct entry *e)
{
	const struct search *s = ctx;
	struct table_event event;

	if (e->kind != ENTRY_EVENT)
		return 0;
	set_event(&event, e, s->layout);
	return s->fn(s->ctx, &event);
}

int table_all(const struct events_target *target, enum code_layout layout,
	      table_event_fn *fn, void *ctx, struct assay_error *err)
{
	struct search s = { .layout = layout, .fn = fn, .ctx = ctx };
	struct event_tables *tables;
	struct own_cpu own;
	const struct table_query query = { &own.cpu, NULL };
	int rc = tables_at_hand(&tables, target->tables, err);

	if (rc || !own_cpu(&own, target))
		return rc;
	if (tables)
		rc = event_tables_each(tables, &query, pass_on, &s, err);
	return rc ? rc : events_libpfm4(&own.cpu, pass_on, &s);
}

struct listing {
	event_name_fn *fn;
	void *ctx;
};

static int list_name(void *ctx, const struct entry *e)
{
	const struct listing *l = ctx;
	char name[ENTRY_NAME], text[400];

	if (e->kind != ENTRY_EVENT || !of_core(&e->code))
		return 0;
	entry_text(name, sizeof(name), e->name);
	entry_text(text, sizeof(text), e->text);
	return l->fn(l->ctx, &(struct event_name){ name, "event table", "",
						   text, NULL });
}

int table_names(const struct events_target *target, event_name_fn *fn,
		void *ctx)
{
	struct listing listing = { fn, ctx };
	struct event_tables *tables;
	struct own_cpu own;
	const struct table_query query = { &own.cpu, NULL };

	if (tables_at_hand(&tables, target->tables, NULL) || !tables ||
	    !own_cpu(&own, target))
		return 0;
	return event_tables_each(tables, &query, list_name, &listing, NULL);
}

/* ---- for -e ------------------------------------------------------------ */

int table_resolve(struct encoding *out, const char *name,
		  const struct events_target *target, struct assay_error *err)
{
	struct event_tables *tables;
	struct table_event event;
	int rc = tables_at_hand(&tables, target->tables, err);

	if (rc || !tables || strchr(name, '/'))
		return rc < 0 ? rc : NOT_MINE;
	rc = table_find(&event, target, target->layout, name, 0, err);
	if (rc != FOUND)
		return rc;
	out->family = ENCODING_RAW;
	out->config = event.config;
	out->config1 = event.config1;
	snprintf(out->code, sizeof(out->code), "0x%llx",
		 (unsigned long long)event.config);
	if (!event.coded)
		snprintf(out->absent, sizeof(out->absent), "an event of "
			 "another unit than the core: %.60s; write the PMU's "
			 "name in /sys before the slash", event.terms);
	return FOUND;
}
