/* SPDX-License-Identifier: MIT */
/* Events of the event tables at hand and of libpfm4's tables; see table.h. */
#include "events/table.h"

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
	if (tables && event_tables_complete(tables, &own.cpu, target->core))
		return *tables_kept(target->tables, TABLES_OF_CPU)->bad ?
		       TABLE_DAMAGED : TABLE_COMPLETE;
	return events_libpfm4_has(&own.cpu) ? TABLE_PARTIAL : TABLE_NONE;
}

bool table_same_chip(const struct events_target *target, const struct cpu *cpu,
		     const char *core)
{
	struct own_cpu own;

	return cpu->core && !strcmp(cpu->core, core) &&
	       own_cpu(&own, target) && table_named(cpu->name, &own.cpu);
}

/* ---- an entry in the target's terms ------------------------------------ */

static bool of_core(const struct event_code *c)
{
	return !*c->unit || !strncmp(c->unit, "cpu_", 4);
}

/* perfmon gives the upper bits apart; likwid's extension is another. */
static unsigned umask_of(const struct entry *e)
{
	const bool apart = e->source == ENTRY_PERFMON;

	return (unsigned)(e->code.umask[0] |
			  (apart ? e->code.extension << 8 : 0));
}

/* Offcore responses, and load latencies. */
static bool has_register(uint64_t select)
{
	return select == 0xb7 || select == 0xbb || select == 0xcd ||
	       select == 0x2a || select == 0x2b;
}

/* likwid's second and third number are bits 16 to 31 of the register; of these
 * perf passes on edge, any, inv and cmask. */
static uint64_t likwid_bits(const struct entry *e)
{
	const struct event_code *c = &e->code;

	if (e->source != ENTRY_LIKWID || !c->extension ||
	    has_register(c->select[0]))
		return 0;
	return (c->extension & 0xa4) << 16 | (c->filter & 0xff) << 24;
}

/* The value of a register beside the code. likwid's third number is one for
 * FRONTEND_RETIRED; for an offcore response its numbers name two bits. */
static uint64_t value_beside(const struct entry *e)
{
	const struct event_code *c = &e->code;

	if (e->source != ENTRY_LIKWID)
		return c->msr_value;
	if (c->select[0] == 0xc6 && !c->extension)
		return c->filter;
	return has_register(c->select[0]) && c->filter && c->filter < 64 &&
	       c->extension < 64 ? UINT64_C(1) << c->filter |
				   UINT64_C(1) << c->extension : 0;
}

static uint64_t raw_config(enum code_layout layout, const struct entry *e)
{
	const struct event_code *c = &e->code;

	if (c->given & CODE_CONFIG)
		return c->config;
	if (layout == CODE_PMUV3)
		return c->select[0];
	return code_encode(layout, (unsigned)c->select[0], umask_of(e)) |
	       (uint64_t)c->edge << 18 | (uint64_t)c->any << 21 |
	       (uint64_t)c->inv << 23 | (uint64_t)(c->cmask & 0xff) << 24 |
	       (layout == CODE_INTEL ? likwid_bits(e) : 0);
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

static void write_terms(char *out, size_t room, const struct entry *e)
{
	const struct event_code *c = &e->code;
	const bool core = of_core(c);
	const struct term terms[] = {
		{ "event", c->select[0] },
		{ "umask", core ? umask_of(e) : c->umask[0] },
		{ "umask_ext", core ? 0 : c->extension }, { "edge", c->edge },
		{ "any", c->any }, { "inv", c->inv }, { "cmask", c->cmask },
		{ "ch_mask", c->ports }, { "fc_mask", c->classes },
		{ "filter", core ? 0 : c->filter },
		{ msr_term(c), value_beside(e) },
	};

	snprintf(out, room, "%s/", *c->unit ? c->unit : "cpu");
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
	const char *kind = entry_core(e);

	*out = (struct table_event){
		.cores = *kind ? 1u << cpu_core_of(kind, strlen(kind)) : 0,
		.coded = core, .fixed = e->code.fixed,
		.deprecated = e->deprecated,
		.config = core ? raw_config(layout, e) : 0,
		.config1 = core ? value_beside(e) : 0,
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
		write_terms(out->terms, sizeof(out->terms), e);
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
	const char *core;	/* only for this kind of core; NULL: any */
	const char *name;	/* or NULL: by code */
	char normal[ENTRY_NAME];
	uint64_t config;
	uint64_t config1;	/* or 0: of any value beside the code */
	unsigned best;		/* rank of *out; 0: nothing is found */
	bool listed;		/* *out is from a table at hand */
	struct table_event *out;
	bool any;		/* name and code */
	bool all;		/* CPUs: an entry tells the layout */
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
	    raw_config(s->layout, e) != s->config)
		return 0;
	if (s->config1 && value_beside(e) != s->config1)
		return 0;
	return value_beside(e) && !s->config1 ? RANK_SPELT_OTHERWISE :
	       e->deprecated ? RANK_ALIAS : RANK_NAME;
}

static bool same_code(const struct table_event *a, const struct table_event *b)
{
	return a->coded == b->coded && a->config == b->config &&
	       a->config1 == b->config1 &&
	       (a->coded || !strcmp(a->terms, b->terms));
}

/* Two kinds of core, or two tables, may have two codes for a name. */
static void add_code(struct table_event *out, const struct table_event *t)
{
	if (!t->coded)
		text_add(out->others, sizeof(out->others), "; ", "%s of %s",
			 t->terms, t->source);
	else if (t->config1)
		text_add(out->others, sizeof(out->others), "; ",
			 "r%llx with config1=0x%llx of %s",
			 (unsigned long long)t->config,
			 (unsigned long long)t->config1, t->source);
	else
		text_add(out->others, sizeof(out->others), "; ",
			 "r%llx%s of %s", (unsigned long long)t->config,
			 t->fixed ? " on a fixed counter" : "", t->source);
}

/* Another entry of the best rank. */
static void add_other(const struct search *s, const struct entry *e)
{
	struct table_event *out = s->out, other;
	unsigned more;

	set_event(&other, e, s->layout);
	more = other.cores & ~out->cores;
	if (same_code(out, &other) && (s->name ||
				       text_equal(out->name, other.name)))
		out->cores |= other.cores;
	else if (!s->name && more)
		text_add(out->others, sizeof(out->others), "; ", "%s of %s",
			 other.name, other.source);
	if (!s->name || same_code(out, &other))
		return;
	add_code(out, &other);
	out->differs |= more != 0;
}

/* Of units outside the cores all kinds of core know. */
static bool of_kind(const struct entry *e, const char *core)
{
	const char *kind = entry_core(e);

	return !core || !*kind || !strcmp(kind, core);
}

static int consider(void *ctx, const struct entry *e)
{
	struct search *s = ctx;
	struct table_event event;
	unsigned rank;

	if (e->kind != ENTRY_EVENT || !of_kind(e, s->core) ||
	    (s->listed && e->source == ENTRY_LIBPFM4))
		return 0;
	rank = s->any ? RANK_BEST : s->name ? rank_name(s, e) :
	       rank_code(s, e);
	if (s->fn && rank) {
		set_event(&event, e, s->all ? layout_of(e) : s->layout);
		return s->fn(s->ctx, &event);
	}
	if (rank && rank == s->best)
		add_other(s, e);
	if (rank <= s->best)
		return 0;
	s->best = rank;
	s->listed = e->source != ENTRY_LIBPFM4;
	set_event(s->out, e, s->layout);
	return 0;
}

/* ---- entries read once ------------------------------------------------- */

static int keep_event(void *kept, const struct entry *e)
{
	return e->kind == ENTRY_EVENT ? kept_add(kept, e) : 0;
}

/* Names alone may be those of another machine's CPU. */
static void label(char *out, size_t room, const struct own_cpu *own)
{
	const struct cpu_match *m = own->cpu.match;

	*out = '\0';
	for (const char *const *name = own->name; *name; name++)
		text_add(out, room, " ", "%s", *name);
	if (m)
		text_add(out, room, " ", "%s-%llu-%llx %llx-%llx", m->vendor,
			 (unsigned long long)m->family,
			 (unsigned long long)(m->models ? m->model[0] : 0),
			 (unsigned long long)m->implementer,
			 (unsigned long long)m->part);
}

/* What cannot be read takes nothing else away. */
static int spare_bad(struct tables_kept *kept, int rc,
		     const struct event_tables *tables,
		     const struct assay_error *err)
{
	const char *why = rc == -ASSAY_EPARSE ? err->text :
			  tables ? event_tables_unread(tables) : "";

	snprintf(kept->bad, sizeof(kept->bad), "%.*s",
		 (int)strcspn(why, "\n"), why);
	text_harmless(kept->bad, true);
	return rc == -ASSAY_EPARSE ? 0 : rc;
}

/* Reads the entries of a CPU, or of all, if they are not there yet. */
static int keep(struct tables_kept *kept, const struct events_target *target,
		const struct table_cpu *cpu, const char *of,
		struct assay_error *err)
{
	struct event_tables *tables;
	struct assay_error bad = { .text = "" };
	int rc = tables_at_hand(&tables, target->tables, err);

	if (rc || (kept->entries && !strcmp(kept->of, of)))
		return rc;
	kept_free(kept->entries);
	kept->entries = kept_new();
	text_copy(kept->of, sizeof(kept->of), of);
	if (!kept->entries)
		return error_memory(err);
	if (tables)
		rc = event_tables_each(tables, cpu, keep_event, kept->entries,
				       &bad);
	rc = spare_bad(kept, rc, tables, &bad);
	if (!rc && cpu)
		rc = events_libpfm4(cpu, keep_event, kept->entries);
	if (rc) {
		kept_free(kept->entries);
		kept->entries = NULL;
	}
	if (rc && err)
		*err = bad;
	return rc == -ASSAY_ENOMEM ? error_memory(err) : rc;
}

/* Calls fn for the entries of the target's CPU, and for some more. */
static int each_own(const struct events_target *target,
		    const struct kept_query *query, entry_fn *fn, void *ctx,
		    struct assay_error *err)
{
	struct tables_kept *kept;
	struct own_cpu own;
	char of[sizeof(kept->of)];
	int rc;

	if (!own_cpu(&own, target))
		return 0;
	if (!target->tables)
		return events_libpfm4(&own.cpu, fn, ctx);
	kept = tables_kept(target->tables, TABLES_OF_CPU);
	label(of, sizeof(of), &own);
	rc = keep(kept, target, &own.cpu, of, err);
	return rc ? rc : kept_each(kept->entries, query, fn, ctx);
}

/* ---- the searches ------------------------------------------------------ */

static int find(struct search *s, const struct events_target *target,
		struct assay_error *err)
{
	int rc;

	if (s->name)
		entry_normal_name(s->normal, s->name, "");
	rc = each_own(target, &(struct kept_query){ s->name, &s->config },
		      consider, s, err);
	return rc ? rc : s->best ? FOUND : NOT_MINE;
}

int table_find(struct table_event *out, const struct events_target *target,
	       enum code_layout layout, const char *name, uint64_t config,
	       struct assay_error *err)
{
	struct search s = { .layout = layout, .core = target->core,
			    .name = name, .config = config, .out = out };

	return find(&s, target, err);
}

int table_find_value(struct table_event *out,
		     const struct events_target *target,
		     enum code_layout layout, uint64_t config, uint64_t config1,
		     struct assay_error *err)
{
	struct search s = { .layout = layout, .core = target->core,
			    .config = config, .config1 = config1, .out = out };

	return find(&s, target, err);
}

int table_others(struct table_event *mine, const struct events_target *target,
		 enum code_layout layout, const char *name,
		 struct assay_error *err)
{
	struct search s = { .layout = layout, .core = target->core,
			    .name = name, .listed = true, .best = RANK_NAME,
			    .out = mine };

	entry_normal_name(s.normal, name, "");
	return each_own(target, &(struct kept_query){ name, NULL }, consider,
			&s, err);
}

int table_own(const struct events_target *target, const char *name,
	      table_event_fn *fn, void *ctx, struct assay_error *err)
{
	struct search s = { .layout = target->layout, .core = target->core,
			    .name = name, .any = !name, .fn = fn, .ctx = ctx };

	if (name)
		entry_normal_name(s.normal, name, "");
	return each_own(target, &(struct kept_query){ name, NULL }, consider,
			&s, err);
}

int table_each(const struct events_target *target, const char *name,
	       table_event_fn *fn, void *ctx, struct assay_error *err)
{
	struct search s = { .name = name, .all = true, .fn = fn, .ctx = ctx };
	struct event_tables *tables;
	struct tables_kept *kept;
	int rc = tables_at_hand(&tables, target->tables, err);

	if (rc || !tables)
		return rc;
	entry_normal_name(s.normal, name, "");
	kept = tables_kept(target->tables, TABLES_OF_ALL);
	rc = keep(kept, target, NULL, "", err);
	return rc ? rc : kept_each(kept->entries,
				   &(struct kept_query){ name, NULL },
				   consider, &s);
}

const char *events_left_out(const struct events_target *target)
{
	const char *bad = target->tables ?
			  tables_kept(target->tables, TABLES_OF_CPU)->bad : "";

	return *bad || !target->tables ? bad :
	       tables_kept(target->tables, TABLES_OF_ALL)->bad;
}

struct listing {
	const struct events_target *target;
	const char *absent;
	event_name_fn *fn;
	void *ctx;
};

static int list_name(void *ctx, const struct entry *e)
{
	const struct listing *l = ctx;
	const struct cpu *cpu = events_cpu(l->target);
	struct table_event event;
	char code[24];

	if (e->kind != ENTRY_EVENT || e->source == ENTRY_LIBPFM4 ||
	    !of_core(&e->code) || !of_kind(e, l->target->core) ||
	    (cpu && cpu_event_find(cpu, e->name)))
		return 0;
	set_event(&event, e, l->target->layout);
	snprintf(code, sizeof(code), "0x%llx",
		 (unsigned long long)event.config);
	return l->fn(l->ctx, &(struct event_name){ event.name, "event table",
						   code, event.text,
						   l->absent });
}

int table_names(const struct events_target *target, event_name_fn *fn,
		void *ctx)
{
	struct listing listing = { target, NULL, fn, ctx };
	struct event_tables *tables;

	if (tables_at_hand(&tables, target->tables, NULL) || !tables)
		return 0;
	if (target->target == EVENTS_SIM)
		listing.absent = target->cpu ? "the software PMU does not "
			"count it: the CPU file lacks it" : "only a table has "
			"it: no CPU file describes this CPU";
	else if (!pmu_core(target->sysroot))
		listing.absent = pmu_core_absent;
	return each_own(target, &(struct kept_query){ NULL, NULL }, list_name,
			&listing, NULL);
}

/* ---- for -e ------------------------------------------------------------ */

/* Where each kind of core has a PMU, the code is bound to the PMU of the kind
 * that the table has the event for. */
static void bind_kind(struct encoding *out, const struct table_event *event,
		      const char *sysroot)
{
	for (int i = 0; i < CPU_CORES; i++)
		if (event->cores == 1u << i)
			pmu_bind(out, sysroot, cpu_core_pmus[i]);
	if (event->differs && pmu_kinds(sysroot))
		snprintf(out->absent, sizeof(out->absent), "each kind of core "
			 "has another code for it: name the PMU, as in "
			 "cpu_core/%.60s/", event->name);
}

int table_resolve(struct encoding *out, const char *name,
		  const struct events_target *target, struct assay_error *err)
{
	const struct cpu *cpu = events_cpu(target);
	struct events_target own = *target;
	struct event_tables *tables;
	struct table_event event;
	int rc = tables_at_hand(&tables, target->tables, err);

	if (rc || !tables || strchr(name, '/'))
		return rc < 0 ? rc : NOT_MINE;
	if (!own.core && cpu && !pmu_kinds(target->sysroot))
		own.core = cpu->core;
	rc = table_find(&event, &own, target->layout, name, 0, err);
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
	bind_kind(out, &event, target->sysroot);
	return FOUND;
}
