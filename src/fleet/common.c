/* SPDX-License-Identifier: MIT */
/* Texts of odd nodes against those of the other nodes of the same CPU. */
#include "fleet/common.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"
#include "base/text.h"

static const double most_odd = 0.6, few_others = 0.1;

struct tally { uint32_t odd, others; };

struct counting {
	const struct fleet *fleet;
	const struct group *group;
	const bool *is_odd;
	struct tally *text;	/* by the text's number */
	int (*fn)(void *ctx, const struct common *common);
	void *ctx;
};

static int each_value(const struct counting *c, size_t item)
{
	const double odds = (double)c->group->odd;
	const double others = (double)(c->group->nodes - c->group->odd);
	int rc = 0;

	for (size_t i = 0; i < c->group->nodes && !rc; i++) {
		const double v = fleet_get(c->fleet, c->group->node[i], item);
		struct tally *t = isnan(v) ? NULL : &c->text[(size_t)v];

		if (!t || !t->odd)
			continue;
		if (t->odd >= most_odd * odds &&
		    t->others <= few_others * others)
			rc = c->fn(c->ctx, &(struct common){
				c->fleet->text.name[(size_t)v], (uint32_t)item,
				t->odd, t->others });
		t->odd = 0;	/* each value once */
	}
	return rc;
}

static int each_item(const struct counting *c, size_t item)
{
	memset(c->text, 0, c->fleet->text.names * sizeof(*c->text));
	for (size_t i = 0; i < c->group->nodes; i++) {
		const uint32_t node = c->group->node[i];
		const double v = fleet_get(c->fleet, node, item);

		if (isnan(v))
			continue;
		if (c->is_odd[node])
			c->text[(size_t)v].odd++;
		else
			c->text[(size_t)v].others++;
	}
	return each_value(c, item);
}

int common_each(const struct fleet *fleet, const struct group *group,
		const bool *is_odd,
		int (*fn)(void *ctx, const struct common *common), void *ctx)
{
	struct counting c = {
		fleet, group, is_odd,
		calloc(fleet->text.names + 1, sizeof(*c.text)), fn, ctx,
	};
	int rc = c.text ? 0 : -ASSAY_ENOMEM;

	for (size_t i = 0; i < fleet->keys.names && group->odd && !rc; i++)
		if (fleet->item[i].kind == FLEET_TEXT)
			rc = each_item(&c, i);
	free(c.text);
	return rc;
}

void common_name(char *out, size_t room, const struct fleet *fleet,
		 size_t item)
{
	const char *series = fleet_series_name(fleet, item);
	const char *point = fleet_point_name(fleet, item);

	if (!*point || fleet->item[item].kind != FLEET_TEXT)
		text_copy(out, room, series);
	else if (!strcmp(series, "machine"))
		text_copy(out, room, point);
	else
		snprintf(out, room, "%s %s", series, point);
}

static bool has_word(const char *text, const char *word, size_t n)
{
	for (; (text = strstr(text, word)); text += n)
		if (!text[n] || text[n] == ' ')
			return true;
	return false;
}

/* The first word of `point` that `other` lacks. */
static void first_word(char *out, size_t room, const char *point,
		       const char *other)
{
	char words[512], *rest = words, *word;

	text_copy(words, sizeof(words), point);
	while ((word = strtok_r(rest, " ", &rest)) != NULL)
		if (!has_word(other, word, strlen(word)))
			break;
	text_copy(out, room, word ? word : point);
}

void common_point(char *out, size_t room, const struct fleet *fleet,
		  size_t item)
{
	const struct fleet_item *f = &fleet->item[item];
	const char *point = fleet_point_name(fleet, item), *other = "";

	for (size_t i = 0; i < fleet->keys.names && !*other; i++)
		if (fleet->item[i].series == f->series &&
		    fleet->item[i].point != f->point)
			other = fleet_point_name(fleet, i);
	if (*other)
		first_word(out, room, point, other);
	else
		text_copy(out, room, point);
}
