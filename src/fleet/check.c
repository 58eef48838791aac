/* SPDX-License-Identifier: MIT */
/* assay_fleet_check(): reads the files, compares, and says it in rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/fleet.h"
#include "base/array.h"
#include "base/row.h"
#include "base/text.h"
#include "fleet/common.h"
#include "fleet/read.h"

enum { NAMED = 4 };		/* nodes that the answer names */

struct check {
	struct fleet *fleet;
	struct group *group;
	size_t groups;
	struct judged judged;
	bool *is_odd;		/* of each node */
	const struct group *now;
	struct assay_fleet_outcome *outcome;
	assay_row_fn *fn;
	void *ctx;
	int rc;
};

/* ---- groups of one CPU --------------------------------------------------- */

static const char *cpu_of(const struct fleet *f, size_t node, int item)
{
	const double v = fleet_get(f, node, (size_t)item);

	return isnan(v) ? "" : f->text.name[(size_t)v];
}

static struct group *find_group(struct check *c, const char *cpu)
{
	size_t i = 0;

	while (i < c->groups && strcmp(c->group[i].cpu, cpu))
		i++;
	if (i < c->groups)
		return &c->group[i];
	if (!array_resize(&c->group, c->groups + 1, sizeof(*c->group)))
		return NULL;
	c->group[c->groups] = (struct group){
		.cpu = cpu,
		.node = calloc(c->fleet->nodes, sizeof(uint32_t)),
	};
	return c->group[c->groups++].node ? &c->group[i] : NULL;
}

static int make_groups(struct check *c)
{
	const int item = fleet_item(c->fleet, FLEET_TEXT, "machine", "CPU");

	c->is_odd = calloc(c->fleet->nodes + 1, sizeof(*c->is_odd));
	if (item < 0 || !c->is_odd)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < c->fleet->nodes; i++) {
		struct group *g;

		if (!c->fleet->node[i].measured)
			continue;
		g = find_group(c, cpu_of(c->fleet, i, item));
		if (!g)
			return -ASSAY_ENOMEM;
		g->node[g->nodes++] = (uint32_t)i;
		c->outcome->nodes++;
	}
	return 0;
}

static int judge_group(struct check *c, struct group *g)
{
	const size_t before = c->judged.odds, items = c->judged.items;
	int rc = judge(&c->judged, c->fleet, g->node, g->nodes);

	for (size_t i = before; i < c->judged.odds; i++) {
		bool *odd = &c->is_odd[c->judged.odd[i].node];

		g->odd += !*odd;
		*odd = true;
	}
	g->values = c->judged.items - items;
	c->outcome->judged += g->nodes;
	c->outcome->odd += g->odd;
	c->outcome->values += g->values;
	return rc;
}

/* ---- rows ---------------------------------------------------------------- */

static void put(struct check *c, const char *type,
		const struct assay_field *field, size_t fields)
{
	if (!c->rc)
		c->rc = row_emit(c->fn, c->ctx, type, field, fields);
}
#define PUT(c, type, field) \
	put(c, type, field, sizeof(field) / sizeof((field)[0]))

static struct assay_field real(const char *name, double value, int decimals,
			       const char *why)
{
	return (struct assay_field){
		.name = name, .kind = why ? ASSAY_FIELD_ABSENT :
					    ASSAY_FIELD_REAL,
		.text = why, .real = value, .decimals = decimals,
	};
}

static const char *cpu_of_node(const struct check *c, uint32_t node)
{
	for (size_t g = 0; g < c->groups; g++)
		for (size_t i = 0; i < c->group[g].nodes; i++)
			if (c->group[g].node[i] == node)
				return c->group[g].cpu;
	return "";
}

static void put_odd(struct check *c, const struct judge_odd *o)
{
	char name[600] = "", from[160] = "", to[160] = "";
	const char *no = o->text ? "a text, not a number" : NULL;
	struct assay_field field[] = {
		field_text("node", c->fleet->node[o->node].name),
		field_text("what", name),
		real("off", o->off, 1, no),
		field_count("points", o->points),
		field_text("from", from), field_text("to", to),
		field_text("value", o->text ? o->text : ""),
		field_text("usual", o->text ? o->usual : ""),
		real("sure", o->sure, 1, no ? no : isinf(o->sure) ?
		     "the others are all equal" : NULL),
		field_detail("cpu", cpu_of_node(c, o->node)),
	};

	field[2].flags = ASSAY_FIELD_PERCENT;
	field[8].flags = ASSAY_FIELD_DETAIL;
	common_name(name, sizeof(name), c->fleet, o->item);
	if (!o->text)
		common_point(from, sizeof(from), c->fleet, o->item);
	if (!o->text && o->last != o->item)
		common_point(to, sizeof(to), c->fleet, o->last);
	PUT(c, "odd", field);
}

static int put_common(void *ctx, const struct common *common)
{
	struct check *c = ctx;
	const struct group *g = c->now;
	char name[600] = "";
	const struct assay_field field[] = {
		field_text("what", name), field_text("value", common->value),
		field_count("odd", common->odd), field_count("of_odd", g->odd),
		field_count("others", common->others),
		field_count("of_others", g->nodes - g->odd),
	};

	common_name(name, sizeof(name), c->fleet, common->item);
	PUT(c, "common", field);
	return c->rc;
}

static void put_split(struct check *c, const struct judge_split *s)
{
	char name[600] = "";
	const struct assay_field field[] = {
		field_text("what", name), field_text("value", s->value),
		field_count("nodes", s->most),
	};

	common_name(name, sizeof(name), c->fleet, s->item);
	PUT(c, "split", field);
}

static void put_group(struct check *c, const struct group *g)
{
	const struct assay_field field[] = {
		field_text("cpu", g->cpu), field_count("nodes", g->nodes),
		field_count("values", g->values), field_count("odd", g->odd),
		field_text("judged", g->nodes < JUDGE_LEAST ? "no" : "yes"),
	};

	PUT(c, "group", field);
}

/* ---- the answer ---------------------------------------------------------- */

static void name_nodes(const struct check *c, char *out, size_t room)
{
	size_t named = 0;

	for (size_t i = 0; i < c->judged.odds; i++) {
		const uint32_t node = c->judged.odd[i].node;

		if (i && c->judged.odd[i - 1].node == node)
			continue;
		if (named++ < NAMED)
			text_add(out, room, named == 1 ? ": " : ", ", "%.60s",
				 c->fleet->node[node].name);
	}
	if (named > NAMED)
		text_add(out, room, "", " and %zu more", named - NAMED);
}

static void put_answer(struct check *c)
{
	const struct assay_fleet_outcome *o = c->outcome;
	char text[600] = "";
	const struct assay_field field[] = { field_text("answer", text) };

	if (!o->judged) {
		snprintf(text, sizeof(text), "Nothing can be compared: %zu "
			 "node%s, and no CPU that four of them have", o->nodes,
			 o->nodes == 1 ? "" : "s");
	} else {
		snprintf(text, sizeof(text), "%s%.0zu of %zu nodes differ%s",
			 o->odd ? "" : "None", o->odd, o->judged,
			 o->odd == 1 ? "s" : o->odd ? "" : "s");
		name_nodes(c, text, sizeof(text));
	}
	text_add(text, sizeof(text), "", ".");
	if (o->judged && o->judged < o->nodes)
		text_add(text, sizeof(text), " ", "%zu of another CPU cannot "
			 "be compared.", o->nodes - o->judged);
	if (o->disturbed)
		text_add(text, sizeof(text), " ", "%zu record%s too noisy to "
			 "be used.", o->disturbed, o->disturbed == 1 ? " was" :
			 "s were");
	PUT(c, "answer", field);
}

static void put_all(struct check *c)
{
	put_answer(c);
	for (size_t i = 0; i < c->judged.odds; i++)
		put_odd(c, &c->judged.odd[i]);
	for (size_t i = 0; i < c->groups && !c->rc; i++) {
		c->now = &c->group[i];
		c->rc = common_each(c->fleet, c->now, c->is_odd, put_common,
				    c);
	}
	for (size_t i = 0; i < c->judged.splits; i++)
		put_split(c, &c->judged.split[i]);
	for (size_t i = 0; i < c->groups; i++)
		put_group(c, &c->group[i]);
}

static void fini(struct check *c)
{
	for (size_t i = 0; i < c->groups; i++)
		free(c->group[i].node);
	free(c->group);
	free(c->is_odd);
	judged_fini(&c->judged);
	fleet_free(c->fleet);
}

int assay_fleet_check(struct assay *assay, const char *const *path,
		      size_t paths, assay_row_fn *fn, void *ctx,
		      struct assay_fleet_outcome *outcome,
		      struct assay_error *err)
{
	struct check c = {
		.fleet = fleet_new(), .outcome = outcome, .fn = fn, .ctx = ctx,
	};

	(void)assay;
	*outcome = (struct assay_fleet_outcome){ 0 };
	c.rc = c.fleet ? 0 : -ASSAY_ENOMEM;
	for (size_t i = 0; i < paths && !c.rc; i++)
		c.rc = fleet_read(c.fleet, path[i], err);
	if (!c.rc)
		c.rc = make_groups(&c);
	for (size_t i = 0; i < c.groups && !c.rc; i++)
		if (c.group[i].nodes >= JUDGE_LEAST)
			c.rc = judge_group(&c, &c.group[i]);
	if (!c.rc) {
		outcome->disturbed = c.fleet->disturbed;
		judged_sort(&c.judged);
		put_all(&c);
	}
	fini(&c);
	return c.rc == -ASSAY_ENOMEM ? error_memory(err) : c.rc;
}
