/* SPDX-License-Identifier: MIT */
/* Ranks CPU files by how near their CPUs are to a table's; see nearest.h. */
#include "cpufile/nearest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "cpufile/match.h"
#include "cpus/names/products.h"

/* Shares are in parts of a thousand. Two shares are almost equal if the smaller
 * one is nine tenths of the larger. */
enum { SCALE = 1000, ALMOST = 9, ALMOST_OF = 10 };

/* ---- a file beside a list ------------------------------------------------ */

static bool has_event(const struct cpu *cpu, const struct listed_event *e)
{
	const struct cpu_event *event = cpu_event_coded(cpu, e->code);

	return event && event->implemented &&
	       cpu_event_find(cpu, e->name) == event;
}

static int share(size_t equal, size_t mine, size_t others)
{
	return mine + others ? (int)(SCALE * equal / (mine + others - equal)) :
			       0;
}

static size_t equal_events(const struct listed *list, const struct cpu *cpu)
{
	size_t equal = 0;

	for (size_t i = 0; i < list->events; i++)
		equal += list->event[i].form == LISTED_PLAIN &&
			 has_event(cpu, &list->event[i]);
	return equal;
}

/* A CPU file has events of some topics: of the list only these are asked. They
 * agree more often than whole tables do, and such a share counts half. */
static int share_of_file(const struct listed *list, const struct cpu *cpu)
{
	const size_t equal = equal_events(list, cpu);
	size_t mine = 0, others = 0;

	for (size_t i = 0; i < list->events; i++) {
		const struct listed_event *e = &list->event[i];

		mine += e->form == LISTED_PLAIN &&
			(e->topic || has_event(cpu, e));
	}
	for (size_t i = 0; i < cpu->events; i++)
		others += cpu->event[i].implemented;
	return share(equal, mine, others > equal ? others : equal) / 2;
}

/* A CPU file for several chips has the tables of all of them in its list: only
 * the first of equal events counts. */
static bool is_first(const struct listed *list, const struct listed_event *e)
{
	return e->form == LISTED_PLAIN &&
	       listed_find(list, e->code, e->name) == e;
}

static size_t plain_events(const struct listed *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->events; i++)
		n += is_first(list, &list->event[i]);
	return n;
}

static int share_of_list(const struct listed *list, const struct listed *other)
{
	size_t equal = 0;

	for (size_t i = 0; i < list->events; i++) {
		const struct listed_event *e = &list->event[i];

		equal += is_first(list, e) &&
			 listed_find(other, e->code, e->name);
	}
	return share(equal, plain_events(list), plain_events(other));
}

/* ---- the list of a file -------------------------------------------------- */

/* The list of one kind of core. False: there is none, or an error in *rc. */
static bool read_core(struct listed *out, const struct event_tables *tables,
		      const struct table_cpu *cpu, const char *core,
		      struct assay_error *err, int *rc)
{
	*rc = listed_read(out, tables, cpu, core, err);
	return !*rc;
}

/* The kind of core whose list fits the file best. */
static int read_cores(struct listed *out, const struct event_tables *tables,
		      const struct cpu *cpu, const struct table_cpu *table,
		      struct assay_error *err)
{
	struct listed list;
	size_t best = 0;
	int rc = 0;

	for (int core = 0; core < CPU_CORES && !rc; core++) {
		if (cpu->core && strcmp(cpu->core, cpu_core_pmus[core]))
			continue;
		if (!read_core(&list, tables, table, cpu_cores[core], err,
			       &rc)) {
			rc = rc == -ASSAY_EINVAL ? 0 : rc;
			continue;
		}
		if (equal_events(&list, cpu) <= best) {
			listed_free(&list);
			continue;
		}
		best = equal_events(&list, cpu);
		listed_free(out);
		*out = list;
	}
	return rc;
}

enum { NAMES = 18 };

/* The name and the aliases. */
static void names_of(const char *out[NAMES], const struct cpu *cpu)
{
	int n = 0;

	out[n++] = cpu->name;
	for (const char *const *a = cpu->alias; *a && n < NAMES - 1; a++)
		out[n++] = *a;
	out[n] = NULL;
}

int listed_of(struct listed *out, const struct event_tables *tables,
	      const struct cpu *cpu, struct assay_error *err)
{
	const char *names[NAMES];
	const struct table_cpu table = { names, &cpu->match };
	struct listed list;
	int rc = 0;

	names_of(names, cpu);
	*out = (struct listed){ .table = "", .file = "" };
	if (tables && read_core(&list, tables, &table, NULL, err, &rc))
		*out = list;
	if (rc == -ASSAY_EINVAL)
		rc = read_cores(out, tables, cpu, &table, err);
	return rc == -ASSAY_ENOENT ? 0 : rc;
}

/* ---- candidates ---------------------------------------------------------- */

struct candidate {
	char name[ASSAY_NAME];
	int share;
	unsigned year;
	bool itself, kind;	/* describes the CPU; its kind of core */
	struct cpu_match match;
};

struct search {
	const struct nearest_to *to;
	const struct product *product;	/* of the CPU; or NULL */
	struct candidate *candidate;
	size_t candidates, room;
	struct assay_error *err;
};

/* A file without `match` is found by its name in the list of known CPUs. */
static bool same_vendor(const struct search *s, const struct cpu *cpu)
{
	const char *const names[] = { cpu->name, NULL };
	const struct table_cpu by_name = { names, NULL };
	const struct cpu_match *to = s->to->cpu->match;
	struct cpu_match m = cpu->match;

	if (!m.implementer && !*m.vendor &&
	    !match_find(&m, NULL, &by_name))
		return false;
	return m.implementer == to->implementer && !strcmp(m.vendor,
							    to->vendor);
}

/* Arm's small cores, in order or nearly so: a table's events do not tell them
 * from large ones. Part numbers of Linux, arch/arm64/include/asm/cputype.h. */
static bool is_small(const struct cpu_match *m)
{
	static const uint64_t parts[] = {
		0xd01, 0xd02, 0xd03, 0xd04, 0xd05, 0xd06, 0xd15, 0xd43, 0xd46,
		0xd4a, 0xd80,
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (m->implementer == 0x41 && m->part == parts[i])
			return true;
	return false;
}

/* Of x86 CPUs with several kinds of core, "P" is as CPUs with one kind. */
static bool same_kind(const struct nearest_to *to, const struct cpu *cpu)
{
	const bool large = !to->core || !strcasecmp(to->core, cpu_cores[0]);
	const bool is_large = !cpu->core || !strcmp(cpu->core,
						    cpu_core_pmus[0]);

	return is_small(&cpu->match) == is_small(to->cpu->match) &&
	       (!to->core || large == is_large);
}

static bool in_list(const uint64_t *list, unsigned count, uint64_t number)
{
	for (unsigned i = 0; i < count; i++)
		if (list[i] == number)
			return true;
	return false;
}

/* Do both name a model or a part? */
static bool same_registers(const struct cpu_match *a, const struct cpu_match *b)
{
	bool stepping = !a->steppings || !b->steppings;

	for (unsigned i = 0; i < a->steppings; i++)
		stepping |= in_list(b->stepping, b->steppings, a->stepping[i]);
	for (unsigned i = 0; i < a->models; i++)
		if (in_list(b->model, b->models, a->model[i]))
			return a->family == b->family && stepping;
	return a->part && a->part == b->part;
}

static bool has_name(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (text_equal(*names, name))
			return true;
	return false;
}

static bool is_itself(const struct search *s, const struct cpu *cpu)
{
	const char *const name = s->to->cpu->names[0];
	const char *names[NAMES], *const own[] = { cpu->name, NULL };
	const struct table_cpu by_name = { own, NULL };

	names_of(names, cpu);
	return has_name(names, name) || table_named(name, &by_name) ||
	       same_registers(s->to->cpu->match, &cpu->match) ||
	       (s->product && has_name(s->product->cpu, cpu->name));
}

static int consider(void *ctx, const struct cpu *cpu)
{
	struct search *s = ctx;
	const struct nearest_to *to = s->to;
	const size_t more = s->room ? 2 * s->room : 32;
	struct listed other;
	int rc;

	if (!same_vendor(s, cpu))
		return 0;
	if (s->candidates == s->room) {
		if (!array_resize(&s->candidate, more, sizeof(*s->candidate)))
			return error_memory(s->err);
		s->room = more;
	}
	rc = listed_of(&other, to->tables, cpu, s->err);
	if (rc)
		return rc;
	s->candidate[s->candidates] = (struct candidate){
		.share = other.events ? share_of_list(to->list, &other) :
			 share_of_file(to->list, cpu),
		.year = cpu->year, .itself = is_itself(s, cpu),
		.kind = same_kind(to, cpu),
		.match = cpu->match,
	};
	s->candidate[s->candidates].match.vendor = "";	/* the file is freed */
	text_copy(s->candidate[s->candidates++].name, ASSAY_NAME, cpu->name);
	listed_free(&other);
	return 0;
}

/* ---- the ranking --------------------------------------------------------- */

/* The largest share of the candidates that are left; 0: nothing is equal. */
static int largest(const struct search *s, bool itself)
{
	int most = 0;

	for (size_t i = 0; i < s->candidates; i++)
		if (s->candidate[i].share > most &&
		    (s->candidate[i].itself || !itself))
			most = s->candidate[i].share;
	return most;
}

/* The years between; all are equal if the CPU's year is not known. */
static unsigned years(const struct candidate *c, unsigned year)
{
	if (!year || !c->year)
		return 0;
	return c->year > year ? c->year - year : year - c->year;
}

static bool is_nearer(const struct candidate *a, const struct candidate *b,
		      unsigned year)
{
	if (!b)
		return true;
	if (years(a, year) != years(b, year))
		return years(a, year) < years(b, year);
	return a->share > b->share;
}

/* The nearest of those whose share is at least the limit. */
static struct candidate *choose(const struct search *s, int limit, bool itself,
				unsigned year)
{
	struct candidate *best = NULL;

	for (size_t i = 0; i < s->candidates; i++) {
		struct candidate *c = &s->candidate[i];

		if (c->share > 0 && c->share >= limit &&
		    (c->itself || !itself) && is_nearer(c, best, year))
			best = c;
	}
	return best;
}

/* A file of another kind of core may have the registers of the CPU: its share
 * is far from the largest. */
static struct candidate *choose_itself(const struct search *s)
{
	const int most = largest(s, true);

	return most && 2 * most >= largest(s, false) ?
	       choose(s, most, true, 0) : NULL;
}

/* Only the CPU's kind of core, if a file has that. */
static void drop_other_kinds(struct search *s)
{
	bool any = false;

	for (size_t i = 0; i < s->candidates; i++)
		any |= s->candidate[i].kind && s->candidate[i].share;
	for (size_t i = 0; i < s->candidates; i++)
		if (any && !s->candidate[i].kind)
			s->candidate[i].share = 0;
}

static void rank(struct nearest *out, struct search *s)
{
	struct candidate *first = choose_itself(s);
	unsigned year = first ? first->year :
			s->product ? s->product->year : 0;

	out->itself = first;
	if (first)
		out->match = first->match;
	for (int i = 0; i < NEAREST; i++) {
		struct candidate *c = i || !first ?
			choose(s, ALMOST * largest(s, false) / ALMOST_OF,
			       false, year) : first;

		if (!c)
			return;
		text_copy(out->name[i], ASSAY_NAME, c->name);
		c->share = 0;
	}
}

int nearest_find(struct nearest *out, const struct nearest_to *to,
		 struct assay_error *err)
{
	struct search s = { .to = to, .err = err };
	struct products products;
	int rc = products_load(&products, to->data_dir, err);

	*out = (struct nearest){ .match = { .vendor = "" } };
	if (rc)
		return rc;
	s.product = products_find(&products, to->cpu->names[0]);
	rc = cpu_each(to->data_dir, consider, &s, err);
	if (!rc) {
		drop_other_kinds(&s);
		rank(out, &s);
	}
	free(s.candidate);
	products_free(&products);
	return rc;
}
