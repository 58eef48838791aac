/* SPDX-License-Identifier: MIT */
/* Lists a CPU's core events from the event tables at hand; see listed.h. */
#include "cpufile/listed.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "cpufile/topics.h"

enum { COUNTERS = 64, TEXT_ROOM = 600 };

/* The best tables first. */
static const enum entry_source ranks[] = {
	ENTRY_PERFMON, ENTRY_ARM, ENTRY_LINUX,
};
enum { RANKS = sizeof(ranks) / sizeof(ranks[0]) };

struct collecting {
	struct listed *list;
	const char *unit;	/* of the core PMU */
	bool arm;
	bool has[RANKS];	/* which tables have events of the CPU */
	bool no_memory;
};

static int core_of(const struct entry *e)
{
	return cpu_core_of(e->code.unit, strlen(e->code.unit));
}

static bool is_event(const struct entry *e)
{
	return e->kind == ENTRY_EVENT && *e->name &&
	       (!*e->code.unit || core_of(e) >= 0);
}

/* Which sources and kinds of core there are. */
static int survey(void *ctx, const struct entry *e)
{
	struct collecting *c = ctx;
	const int core = is_event(e) ? core_of(e) : -1;

	for (int i = 0; i < RANKS && is_event(e); i++)
		c->has[i] |= e->source == ranks[i];
	if (core >= 0)
		c->list->cores[core] = true;
	return 0;
}

/* ---- one entry ----------------------------------------------------------- */

/* More than an event select and a unit mask: a CPU file cannot hold it. */
static bool is_wide(const struct event_code *c, bool arm)
{
	return c->selects != 1 || c->umasks > 1 || c->msrs || c->extension ||
	       c->cmask || c->inv || c->edge || c->any || c->ports ||
	       c->classes || c->filter || c->config || *c->options ||
	       c->umask[0] > 0xff || c->select[0] > (arm ? 0xffff : 0xfff);
}

static enum listed_form form_of(const struct entry *e, bool arm)
{
	return e->code.fixed ? LISTED_FIXED : e->deprecated ? LISTED_OLD :
	       is_wide(&e->code, arm) ? LISTED_WIDE : LISTED_PLAIN;
}

static uint64_t config_of(const struct event_code *c, bool arm)
{
	const uint64_t select = c->select[0];

	return arm ? select : (select & 0xff) | c->umask[0] << 8 |
			      select >> 8 << 32;
}

/* "0,1,2,3" as bits. */
static uint64_t counters_of(const char *text)
{
	uint64_t number[COUNTERS], bits = 0;
	const int n = code_numbers(number, COUNTERS, text);

	for (int i = 0; i < n; i++)
		bits |= number[i] < COUNTERS ? UINT64_C(1) << number[i] : 0;
	return bits;
}

static const char *keep(struct collecting *c, const char *text)
{
	char clean[TEXT_ROOM];
	const char *copy;

	entry_text(clean, sizeof(clean), text);
	copy = pool_text(c->list->pool, clean, strlen(clean));
	c->no_memory |= !copy;
	return copy ? copy : "";
}

/* The last two parts of a path. */
static const char *tail(const char *path)
{
	const char *slash = strrchr(path, '/'), *at = slash;

	while (at && at > path && at[-1] != '/')
		at--;
	return at ? at : path;
}

static bool add(struct collecting *c, const struct entry *e)
{
	struct listed *list = c->list;
	const size_t more = list->room ? 2 * list->room : 256;

	if (list->events == list->room) {
		if (!array_resize(&list->event, more, sizeof(*list->event)))
			return false;
		list->room = more;
	}
	if (!list->events) {
		list->table = keep(c, e->table);
		list->file = keep(c, tail(e->file));
	}
	list->event[list->events++] = (struct listed_event){
		.form = form_of(e, c->arm),
		.name = keep(c, e->name), .alias = keep(c, e->alias),
		.text = keep(c, e->text), .topic = topic_of(e->name),
		.code = config_of(&e->code, c->arm),
		.counters = counters_of(e->code.counters),
	};
	return !c->no_memory;
}

static int collect(void *ctx, const struct entry *e)
{
	struct collecting *c = ctx;
	const struct listed *list = c->list;

	if (!is_event(e) || e->source != list->source ||
	    strcasecmp(e->code.unit, c->unit))
		return 0;
	return add(c, e) ? 0 : -ASSAY_ENOMEM;
}

/* ---- all of them --------------------------------------------------------- */

static int choose_source(struct listed *list, const struct collecting *c,
			 const char *name, struct assay_error *err)
{
	for (int i = 0; i < RANKS; i++) {
		list->source = ranks[i];
		if (c->has[i])
			return 0;
	}
	error_set(err, -ASSAY_ENOENT, "no event table at hand has the CPU "
		  "'%.60s'", name);
	error_add(err, "tables of intel/perfmon, Linux and ARM-software/data "
		  "name it: SKL, amdzen5, cortex-a78 ...");
	return -ASSAY_ENOENT;
}

static int choose_core(struct collecting *c, const char *core,
		       struct assay_error *err)
{
	char known[32] = "";

	for (int i = 0; i < CPU_CORES; i++) {
		if (!c->list->cores[i])
			continue;
		text_add(known, sizeof(known), ", ", "%s", cpu_cores[i]);
		if (core && !strcasecmp(core, cpu_cores[i]))
			c->unit = cpu_core_pmus[i];
	}
	if (*c->unit || (!*known && !core))
		return 0;
	if (!*known)
		return error_set(err, -ASSAY_EINVAL, "this CPU has one kind of "
				 "core: leave out --core");
	return error_set(err, -ASSAY_EINVAL, "this CPU has several kinds of "
			 "core: --core is one of %s", known);
}

int listed_read(struct listed *out, const struct event_tables *tables,
		const struct table_cpu *cpu, const char *core,
		struct assay_error *err)
{
	struct listed list = { .pool = pool_new(), .table = "", .file = "" };
	struct collecting c = { .list = &list, .unit = "" };
	int rc = list.pool ? event_tables_each(tables, cpu, survey, &c, err) :
			      error_memory(err);

	if (!rc)
		rc = choose_source(&list, &c, cpu->names[0], err);
	if (!rc)
		rc = choose_core(&c, core, err);
	c.arm = cpu->match && cpu->match->implementer;
	if (!rc)
		rc = event_tables_each(tables, cpu, collect, &c, err);
	if (rc == -ASSAY_ENOMEM)
		error_memory(err);
	if (rc)
		listed_free(&list);
	else
		*out = list;
	return rc;
}

void listed_free(struct listed *list)
{
	free(list->event);
	pool_free(list->pool);
	*list = (struct listed){ .table = "", .file = "" };
}

const struct listed_event *listed_find(const struct listed *list,
				       uint64_t code, const char *name)
{
	for (size_t i = 0; i < list->events; i++)
		if (list->event[i].code == code &&
		    list->event[i].form == LISTED_PLAIN &&
		    (!name || !strcasecmp(list->event[i].name, name)))
			return &list->event[i];
	return NULL;
}
