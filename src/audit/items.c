/* SPDX-License-Identifier: MIT */
/* Entries kept for an audit, their order, and which tables belong together. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/array.h"
#include "base/text.h"
#include "tables/events/tables.h"

enum { TABLES = 4096 };

struct audit *audit_new(void)
{
	struct audit *a = calloc(1, sizeof(*a));

	if (a && !(a->pool = pool_new())) {
		free(a);
		return NULL;
	}
	return a;
}

void audit_free(struct audit *a)
{
	if (!a)
		return;
	free(a->item);
	free(a->table);
	free(a->bond);
	free(a->agreement);
	free(a->by_name);
	free(a->by_code);
	free(a->by_spelling);
	free(a->found);
	pool_free(a->pool);
	free(a);
}

/* ---- keeping ------------------------------------------------------------- */

static const char *keep(struct audit *a, const char *text)
{
	const char *copy = *text ? pool_text(a->pool, text, strlen(text)) : "";

	if (!copy)
		a->no_memory = true;
	return copy ? copy : "";
}

/* Files and tables come many times in turn. */
static const char *keep_again(struct audit *a, const char *text,
			      const char *last)
{
	return strcmp(text, last) ? keep(a, text) : last;
}

/* Units of an uncore by the names that other sources have for them. */
static const char *unit_name(const char *unit)
{
	static const char *const known[][2] = {
		{ "CBOX", "CHA" }, { "CBO", "CHA" }, { "MBOX", "IMC" },
		{ "SBOX", "UPI" }, { "UPI LL", "UPI" }, { "QPI LL", "UPI" },
		{ "UPI_LL", "UPI" }, { "PBOX", "R2PCIE" }, { "BBOX", "HA" },
		{ "RBOX", "R3" }, { "M3UPI", "R3" }, { "R3QPI", "R3" },
		{ "WBOX", "PCU" }, { "UBOX", "UBOX" }, { "IBOX", "IRP" },
		{ "TCBOX", "IIO" }, { "MDEV", "M2M" }, { "QPI", "UPI" },
		{ "R3UPI", "R3" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcasecmp(unit, known[i][0]))
			return known[i][1];
	return unit;
}

static unsigned table_of(struct audit *a, const struct entry *e, bool audited)
{
	const char *core = entry_core(e);

	for (size_t i = a->tables; i-- > 0;)
		if (a->table[i].source == e->source &&
		    a->table[i].audited == audited &&
		    !strcmp(a->table[i].name, e->table) &&
		    !strcmp(a->table[i].core, core))
			return (unsigned)i;
	if (a->tables == TABLES || !array_more(&a->table, a->tables,
					       sizeof(*a->table))) {
		a->no_memory = true;
		return 0;
	}
	a->table[a->tables] = (struct audit_table){
		e->source, keep(a, e->table), keep(a, core), audited, 0, 0,
	};
	return (unsigned)a->tables++;
}

static void keep_texts(struct audit *a, struct entry *e)
{
	const struct entry *last = a->items ? &a->item[a->items - 1].e : NULL;

	e->file = keep_again(a, e->file, last ? last->file : "");
	e->table = keep_again(a, e->table, last ? last->table : "");
	e->group = keep_again(a, e->group, last ? last->group : "");
	e->name = keep(a, e->name);
	e->alias = keep(a, e->alias);
	e->text = keep(a, e->text);
	e->formula = keep(a, e->formula);
	e->operands = keep(a, e->operands);
	e->constants = keep(a, e->constants);
	e->why = keep_again(a, e->why, last ? last->why : "");
	e->code.unit = keep_again(a, e->code.unit, last ? last->code.unit : "");
	e->code.counters = keep_again(a, e->code.counters,
				      last ? last->code.counters : "");
	e->code.options = keep(a, e->code.options);
}

/* libpfm4's PMUs of an uncore are "skx_unc_cha0" and its copies: "cha0". NULL:
 * another PMU. */
static const char *uncore_pmu(const struct entry *e)
{
	const char *unit = e->source == ENTRY_LIBPFM4 && *e->code.unit ?
			   strstr(e->table, "_unc_") : NULL;

	return unit ? unit + strlen("_unc_") : NULL;
}

static bool is_copy(const char *pmu)
{
	const char *digits = pmu + strcspn(pmu, "0123456789");

	return strtoul(digits, NULL, 10) > 0;
}

/* "UNC_M_CAS_COUNT" of an iMC is likwid's CAS_COUNT of an MBOX. */
static const char *without_letter(const char *normal, const struct entry *e)
{
	static const char *const letters[] = {
		"M_", "C_", "H_", "P_", "Q_", "R2_", "R3_", "S_", "U_", "I_",
	};

	/* A CHA has both C_ and H_. */
	if (strncasecmp(e->name, "UNC_", 4) || text_equal(e->code.unit, "CHA"))
		return normal;
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (!strncmp(normal, letters[i], strlen(letters[i])))
			return normal + strlen(letters[i]);
	return normal;
}

/* The fields of an Intel uncore's event select register. */
static void read_uncore(struct audit *a, struct audit_item *item,
			const char *pmu)
{
	struct event_code *c = &item->e.code;
	char unit[32];

	text_copy(unit, sizeof(unit), pmu);
	unit[strcspn(unit, "0123456789_")] = '\0';
	for (char *p = unit; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	c->unit = keep(a, unit);
	c->given |= CODE_SELECT | CODE_UMASK;
	c->selects = c->umasks = 1;
	c->select[0] = (c->config & 0xff) | (c->config >> 21 & 1) << 8;
	c->umask[0] = c->config >> 8 & 0xff;
	c->extension = c->config >> 32;
	c->edge = c->config >> 18 & 1;
	c->inv = c->config >> 23 & 1;
	c->cmask = c->config >> 24 & 0xff;
}

/* What cannot be read is said of witnesses, too: an entry of the CPU may be
 * among them. */
static bool is_audited(const struct audit_adding *adding, const struct entry *e)
{
	const char *const names[] = { adding->cpu, NULL };
	const struct table_cpu cpu = { names, NULL };
	const bool bad = e->kind == ENTRY_BAD;

	return (adding->audited || bad) &&
	       (!adding->cpu || (bad && !*e->table) ||
		table_named(e->table, &cpu));
}

int audit_add(void *ctx, const struct entry *entry)
{
	const struct audit_adding *adding = ctx;
	struct audit *a = adding->audit;
	struct audit_item item = { .e = *entry };
	const char *pmu = uncore_pmu(entry);
	char normal[ENTRY_NAME];

	if (pmu && is_copy(pmu))
		return 0;
	if (!array_more(&a->item, a->items, sizeof(item)))
		return -ASSAY_ENOMEM;
	item.table = table_of(a, entry, adding->audited);
	if (!a->no_memory && entry->kind == ENTRY_EVENT) {
		a->table[item.table].events++;
		if (!entry->code.select[0] && !entry->code.fixed)
			a->table[item.table].zero |= entry->code.umask[0];
	}
	keep_texts(a, &item.e);
	if (pmu)
		read_uncore(a, &item, pmu);
	item.audited = is_audited(adding, entry);
	item.unit = strncmp(item.e.code.unit, "cpu_", 4) ?
		    unit_name(item.e.code.unit) : "";
	entry_normal_name(normal, entry->name, item.e.code.unit);
	item.normal = keep(a, without_letter(normal, &item.e));
	a->item[a->items++] = item;
	return a->no_memory ? -ASSAY_ENOMEM : 0;
}

/* ---- order --------------------------------------------------------------- */

static int name_order(const struct audit_item *x, const struct audit_item *y)
{
	const int name = strcmp(x->normal, y->normal);

	return name ? name : strcasecmp(x->unit, y->unit);
}

static int by_name(const void *a, const void *b)
{
	const struct audit_item *x = *(struct audit_item *const *)a;
	const struct audit_item *y = *(struct audit_item *const *)b;
	const int name = name_order(x, y);

	if (name)
		return name;
	if (x->table != y->table)
		return x->table < y->table ? -1 : 1;
	return (x > y) - (x < y);
}

static int by_code(const void *a, const void *b)
{
	const struct audit_item *x = *(struct audit_item *const *)a;
	const struct audit_item *y = *(struct audit_item *const *)b;
	const int code = audit_code_order(x, y);

	return code ? code : (x > y) - (x < y);
}

static int by_spelling(const void *a, const void *b)
{
	const struct audit_item *x = *(struct audit_item *const *)a;
	const struct audit_item *y = *(struct audit_item *const *)b;
	const int name = strcasecmp(x->e.name, y->e.name);

	return name ? name : (x > y) - (x < y);
}

void audit_sort(struct audit *a)
{
	a->by_name = calloc(a->items + 1, sizeof(struct audit_item *));
	a->by_code = calloc(a->items + 1, sizeof(struct audit_item *));
	a->by_spelling = calloc(a->items + 1, sizeof(struct audit_item *));
	if (!a->by_name || !a->by_code || !a->by_spelling) {
		a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < a->items; i++) {
		if (a->item[i].e.kind == ENTRY_EVENT)
			a->by_name[a->events++] = &a->item[i];
		if (a->item[i].e.kind == ENTRY_COUNTERS &&
		    a->lists < COUNTER_LISTS)
			a->list[a->lists++] = &a->item[i];
	}
	memcpy(a->by_code, a->by_name, a->events * sizeof(*a->by_code));
	memcpy(a->by_spelling, a->by_name, a->events * sizeof(*a->by_code));
	qsort(a->by_spelling, a->events, sizeof(*a->by_name), by_spelling);
	qsort(a->by_name, a->events, sizeof(*a->by_name), by_name);
	qsort(a->by_code, a->events, sizeof(*a->by_code), by_code);
}

size_t audit_same_name(const struct audit *a, const struct audit_item *x,
		       struct audit_item ***run)
{
	size_t low = 0, high = a->events, n = 0;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (name_order(a->by_name[middle], x) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*run = a->by_name + low;
	while (low + n < a->events && !name_order(a->by_name[low + n], x))
		n++;
	return n;
}

const struct audit_item *audit_named(const struct audit *a, unsigned table,
				     const char *name, const char *unit)
{
	const struct audit_item asked = { .normal = name, .unit = unit };
	struct audit_item **run;
	const size_t n = audit_same_name(a, &asked, &run);

	for (size_t i = 0; i < n; i++)
		if (run[i]->table == table)
			return run[i];
	return NULL;
}

/* ---- tables that belong together ----------------------------------------- */

/* libpfm4's PMUs of an uncore are "skx_unc_cha0". */
static bool same_cpu(const struct audit_table *x, const struct audit_table *y)
{
	char first[64], second[64], *end;
	const char *const a[] = { first, NULL }, *const b[] = { second, NULL };
	const struct table_cpu in_a = { a, NULL }, in_b = { b, NULL };

	if (!*x->name || !*y->name ||
	    (strcmp(x->core, y->core) && x->source != y->source))
		return false;
	text_copy(first, sizeof(first), x->name);
	text_copy(second, sizeof(second), y->name);
	if ((end = strstr(first, "_unc_")))
		*end = '\0';
	if ((end = strstr(second, "_unc_")))
		*end = '\0';
	return table_named(second, &in_a) || table_named(first, &in_b);
}

static void count_run(const struct audit *a, struct audit_item *const *run,
		      size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++) {
			const unsigned x = run[i]->table, y = run[k]->table;
			struct audit_agreement *g =
				&a->agreement[x * a->tables + y];

			if (x == y || g->common == UINT16_MAX)
				continue;
			g->common++;
			/* Offcore responses are each generation's own. */
			if (run[i]->e.code.selects > 1) {
				g->offcore++;
				continue;
			}
			g->equal += a->table[x].source == a->table[y].source &&
				    !audit_code_differs(run[i], run[k]);
		}
}

enum { COMMON = 40, MOST_RUN = 400 };

static bool is_sibling(const struct audit_agreement *g)
{
	const unsigned common = g->common - g->offcore;

	return common >= COMMON && g->equal >= common / 10 * 9;
}

/* An audited table, and the witness's table of the same name. */
static bool is_edition(const struct audit_table *t, const struct audit_table *u)
{
	return t->audited != u->audited && t->events && u->events &&
	       t->source == u->source && !strcmp(t->name, u->name);
}

static void bind(struct audit *a, size_t x, size_t y)
{
	const struct audit_table *t = &a->table[x], *u = &a->table[y];
	unsigned char *bond = &a->bond[x * a->tables + y];

	if (is_edition(t, u))
		*bond = BOND_EDITION;
	else if (same_cpu(t, u))
		*bond = t->source == u->source ? BOND_HOME : BOND_CPU;
	else if (t->source == u->source &&
		 is_sibling(&a->agreement[x * a->tables + y]))
		*bond = BOND_SIBLING;
	a->bond[y * a->tables + x] = *bond;
}

void audit_bind(struct audit *a)
{
	a->agreement = calloc(a->tables * a->tables + 1,
			      sizeof(*a->agreement));
	a->bond = calloc(a->tables * a->tables + 1, 1);
	if (!a->agreement || !a->bond) {
		a->no_memory = true;
		return;
	}
	for (size_t i = 0, n; i < a->events; i += n) {
		for (n = 1; i + n < a->events &&
			    !name_order(a->by_name[i], a->by_name[i + n]); n++)
			;
		if (n <= MOST_RUN)
			count_run(a, a->by_name + i, n);
	}
	for (size_t x = 0; x < a->tables; x++)
		for (size_t y = x + 1; y < a->tables; y++)
			bind(a, x, y);
}

unsigned audit_common(const struct audit *a, unsigned table, unsigned other)
{
	const size_t low = table < other ? table : other;
	const size_t high = table < other ? other : table;

	return a->agreement[low * a->tables + high].common;
}

struct audit_item *const *audit_codes_of(const struct audit *a,
					 unsigned table)
{
	size_t low = 0, high = a->events;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (a->by_code[middle]->table < table)
			low = middle + 1;
		else
			high = middle;
	}
	return a->by_code + low;
}

const struct audit_item *audit_group(const struct audit *a,
				     const struct audit_item *x)
{
	while (x > a->item && x[-1].e.file == x->e.file)
		x--;
	return x;
}

enum audit_bond audit_bond(const struct audit *a, const struct audit_item *x,
			   const struct audit_item *y)
{
	return x->table == y->table ? BOND_NONE :
	       (enum audit_bond)a->bond[x->table * a->tables + y->table];
}

bool audit_is_home(const struct audit *a, const struct audit_item *x,
		   unsigned table)
{
	const enum audit_bond bond =
		(enum audit_bond)a->bond[x->table * a->tables + table];

	return table == x->table || bond == BOND_HOME || bond == BOND_CPU;
}

bool audit_knows(const struct audit *a, const struct audit_item *x,
		 enum entry_source source)
{
	for (unsigned i = 0; i < a->tables; i++)
		if (a->table[i].source == source && a->table[i].events &&
		    audit_is_home(a, x, i))
			return true;
	return false;
}

size_t audit_same_spelling(const struct audit *a, const char *name,
			   struct audit_item ***run)
{
	size_t low = 0, high = a->events, n = 0;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (strcasecmp(a->by_spelling[middle]->e.name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*run = a->by_spelling + low;
	while (low + n < a->events &&
	       !strcasecmp(a->by_spelling[low + n]->e.name, name))
		n++;
	return n;
}

const struct audit_item *audit_event_of(const struct audit *a,
					const struct audit_item *x,
					enum entry_source source,
					const char *name)
{
	struct audit_item **run;
	const size_t n = audit_same_spelling(a, name, &run);

	for (size_t i = 0; i < n; i++)
		if (run[i]->e.source == source &&
		    audit_is_home(a, x, run[i]->table))
			return run[i];
	return NULL;
}

const char *audit_whose(char out[96], const struct audit *a,
			const struct audit_item *x)
{
	const struct audit_table *t = &a->table[x->table];

	snprintf(out, 96, "%s %.60s%s%s", entry_source_names[t->source],
		 t->name, *t->core ? " " : "", t->core);
	return out;
}

/* ---- findings ------------------------------------------------------------ */

bool audit_found(const struct audit *a, const char *class,
		 const struct audit_item *item)
{
	for (size_t i = item->found ? a->founds : 0; i-- > 0;)
		if (a->found[i].item == item &&
		    !strcmp(a->found[i].class, class))
			return true;
	return false;
}

void audit_find(struct audit *a, const char *class,
		enum audit_confidence confidence,
		const struct audit_item *item, const char *here,
		const char *format, ...)
{
	char others[600];
	va_list args;

	if (!item->audited || audit_found(a, class, item))
		return;
	va_start(args, format);
	vsnprintf(others, sizeof(others), format, args);
	va_end(args);
	if (!array_more(&a->found, a->founds, sizeof(*a->found))) {
		a->no_memory = true;
		return;
	}
	a->item[item - a->item].found = true;
	a->found[a->founds++] = (struct audit_found){
		item, class, keep(a, here), keep(a, others), confidence,
	};
}
