/* SPDX-License-Identifier: MIT */
/*
 * ARM-software/data: codes are JSON numbers. Signals that only a trace shows
 * have no code, and events of old cores have no name: neither can be asked for.
 */
#include "tables/events/reading.h"

int read_arm_event(const struct reading *r, const struct piece *p)
{
	struct entry e = piece_entry(r, ENTRY_ARM, p);
	char room[3][24];
	int rc = 0;

	e.name = member_text(p, "name", room[0]);
	if (!*e.name || !member_number(p, "code", &e.code.select[0], &rc))
		return rc;
	e.code.selects = 1;
	e.code.given = CODE_SELECT;
	e.text = member_text(p, "description", room[1]);
	e.alias = member_text(p, "trm_name", room[2]);
	return r->fn(r->ctx, &e);
}
