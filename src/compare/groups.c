/* SPDX-License-Identifier: MIT */
/* Groups: the records of one shape in one file are its repetitions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/parts.h"

static bool has_shape(const struct assay_record *a,
		      const struct assay_record *b)
{
	const struct store one = { (struct assay_record **)&a, 1 };

	return store_find(&one, &b->shape);
}

/* Programs and traces are shapes without options: the title tells them apart. */
static bool same_title(const struct assay_record *a,
		       const struct assay_record *b)
{
	return a->shape.options || b->shape.options ||
	       !strcmp(a->settings.options, b->settings.options);
}

static bool same_shape(const struct assay_record *a,
		       const struct assay_record *b)
{
	return has_shape(a, b) && has_shape(b, a) && same_title(a, b);
}

static bool same_machine(const struct assay_record *a,
			 const struct assay_record *b)
{
	return !strcmp(a->provider, b->provider) &&
	       !strcmp(a->machine.cpu, b->machine.cpu) &&
	       !strcmp(a->settings.page_map, b->settings.page_map) &&
	       !strcmp(a->settings.pages, b->settings.pages);
}

static struct group *group_of(struct groups *in, const struct assay_record *r)
{
	for (size_t i = 0; i < in->groups; i++)
		if (same_shape(in->group[i].record[0], r) &&
		    same_machine(in->group[i].record[0], r))
			return &in->group[i];
	return in->groups < GROUPS_MOST ? &in->group[in->groups] : NULL;
}

/* The rows of a record stand together, in the order of the records. */
static void find_places(struct group *group, const struct places *places,
			size_t record)
{
	size_t i = 0;

	while (i < places->rows && places->row[i].record < record)
		i++;
	group->place = places->row + i;
	while (i < places->rows && places->row[i].record == record)
		i++, group->places++;
}

static int add(struct groups *to, const struct source *source, size_t i,
	       struct assay_error *err)
{
	struct group *group = group_of(to, source->store.record[i]);
	const struct assay_record **more;

	if (!group)
		return error_set(err, -ASSAY_EINVAL, "'%.200s' holds more than "
				 "%u different shapes", source->name,
				 GROUPS_MOST);
	if ((group->records & (group->records - 1)) == 0) {
		more = realloc(group->record, (group->records ?
			       2 * group->records : 1) * sizeof(*more));
		if (!more)
			return error_memory(err);
		group->record = more;
	}
	if (!group->records) {
		find_places(group, &source->places, i);
		to->groups++;
	}
	group->record[group->records++] = source->store.record[i];
	return 0;
}

int groups_make(struct groups *out, const struct source *source,
		struct assay_error *err)
{
	const size_t most = source->store.records < GROUPS_MOST ?
			    source->store.records : GROUPS_MOST;
	struct groups g = { calloc(most, sizeof(*g.group)), 0 };
	int rc = g.group ? 0 : error_memory(err);

	for (size_t i = 0; i < source->store.records && !rc; i++)
		rc = add(&g, source, i, err);
	if (rc)
		groups_fini(&g);
	else
		*out = g;
	return rc;
}

void groups_fini(struct groups *groups)
{
	for (size_t i = 0; i < groups->groups; i++)
		free(groups->group[i].record);
	free(groups->group);
	*groups = (struct groups){ 0 };
}

const char *groups_label(char *out, size_t room, const struct group *group)
{
	const struct assay_record *record = group->record[0];
	const struct assay_shape *shape = &record->shape;

	text_copy(out, room, shape->kernel);
	for (unsigned i = 0; i < shape->options; i++) {
		const struct assay_shape_value *v = &shape->option[i];

		if (v->kind == ASSAY_OPTION_CHOICE)
			text_add(out, room, " ", "%s %s", v->name, v->word);
		else
			text_add(out, room, " ", "%s %" PRId64, v->name,
				 v->value);
	}
	if (!shape->options)
		text_add(out, room, " ", "%s", record->settings.options);
	return out;
}

const struct group *groups_partner(const struct groups *in,
				   const struct group *of,
				   const struct groups *from)
{
	const struct group *found = NULL;

	for (size_t i = 0; i < in->groups; i++) {
		if (!same_shape(in->group[i].record[0], of->record[0]))
			continue;
		if (same_machine(in->group[i].record[0], of->record[0]))
			return &in->group[i];
		found = found ? found : &in->group[i];
	}
	if (!found && in->groups == 1 && from->groups == 1 &&
	    !strcmp(in->group->record[0]->shape.kernel,
		    of->record[0]->shape.kernel))
		found = in->group;
	return found;
}
