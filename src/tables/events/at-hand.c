/* SPDX-License-Identifier: MIT */
/* The event tables that the user named, opened when they are first needed. */
#include <stdlib.h>

#include "base/text.h"
#include "tables/events/tables.h"

struct tables_at_hand {
	const char *places;
	bool opened;
	int rc;
	struct assay_error err;
	struct event_tables *tables;
	struct tables_kept kept[TABLES_SETS];
};

struct tables_at_hand *tables_at_hand_new(const char *places)
{
	struct tables_at_hand *hand = calloc(1, sizeof(*hand));

	if (hand)
		hand->places = places;
	return hand;
}

void tables_at_hand_free(struct tables_at_hand *hand)
{
	for (int i = 0; hand && i < TABLES_SETS; i++)
		kept_free(hand->kept[i].entries);
	if (hand)
		event_tables_free(hand->tables);
	free(hand);
}

struct tables_kept *tables_kept(struct tables_at_hand *hand,
				enum tables_set set)
{
	return &hand->kept[set];
}

int tables_at_hand(struct event_tables **out, struct tables_at_hand *hand,
		   struct assay_error *err)
{
	*out = NULL;
	if (!hand || !hand->places || !*hand->places)
		return 0;
	if (!hand->opened)
		hand->rc = event_tables_open(&hand->tables, hand->places,
					     &hand->err);
	hand->opened = true;
	if (hand->rc && err)
		*err = hand->err;
	*out = hand->tables;
	return hand->rc;
}
