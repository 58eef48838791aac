/* SPDX-License-Identifier: MIT */
/* Members of JSON objects as the parts of an encoding. */
#include <string.h>

#include "tables/events/reading.h"

struct entry reading_entry(const struct reading *r, enum entry_source source,
			   unsigned line)
{
	struct entry e = entry_empty();

	e.source = source;
	e.file = r->file;
	e.line = line;
	e.col = 1;
	e.table = r->table;
	return e;
}

int reading_bad(const struct reading *r, const struct entry *entry, bool limit,
		const char *why)
{
	struct entry bad = *entry;

	bad.kind = ENTRY_BAD;
	bad.limit = limit;
	bad.why = why;
	return r->fn(r->ctx, &bad);
}

struct entry piece_entry(const struct reading *r, enum entry_source source,
			 const struct piece *p)
{
	struct entry e = reading_entry(r, source, p->line);

	e.col = p->col;
	return e;
}

const char *member_text(const struct piece *p, const char *key, char room[24])
{
	const char *text = piece_text(p, key, room);

	return text ? text : "";
}

enum { MORE = 64 };	/* numbers of a list that is too long for us */

static int member_list(const struct piece *p, const char *key,
		       uint64_t out[CODE_LIST], int *rc)
{
	uint64_t more[MORE];
	char room[24];
	const char *text = piece_text(p, key, room);
	const int n = text ? code_numbers(out, CODE_LIST, text) :
			     -piece_has_other(p, key);

	if (n >= 0)
		return n;
	if (*rc)
		return 0;
	*rc = text ? piece_error(p, "%s: '%.60s' is no number of up to 64 bits",
				 key, text) :
		     piece_error(p, "%s: no whole number, nor text", key);
	if (text && code_numbers(more, MORE, text) > 0) {
		piece_error(p, "%s: more than %d numbers", key, CODE_LIST);
		*rc = -ASSAY_ERANGE;
	}
	return 0;
}

bool member_number(const struct piece *p, const char *key, uint64_t *out,
		   int *rc)
{
	uint64_t list[CODE_LIST] = { 0 };

	if (!member_list(p, key, list, rc))
		return false;
	*out = list[0];
	return true;
}

static bool member_flag(const struct piece *p, const char *key,
			struct event_code *c, enum code_part part, int *rc)
{
	uint64_t value = 0;

	if (member_number(p, key, &value, rc))
		c->given |= part;
	return value != 0;
}

static void give(struct event_code *c, enum code_part part, bool is_there)
{
	if (is_there)
		c->given |= part;
}

/* perfmon writes MSR numbers of "0" for events without one. */
static void member_msr(struct event_code *c, const struct piece *p, int *rc)
{
	c->msrs = (unsigned)member_list(p, "MSRIndex", c->msr, rc);
	give(c, CODE_MSR, c->msrs);
	if (c->msrs == 1 && !c->msr[0])
		c->msrs = 0;
	if (c->msrs)
		member_number(p, "MSRValue", &c->msr_value, rc);
}

int member_code(struct event_code *c, const struct piece *p)
{
	uint64_t cmask = 0;
	int rc = 0;

	c->selects = (unsigned)member_list(p, "EventCode", c->select, &rc);
	c->umasks = (unsigned)member_list(p, "UMask", c->umask, &rc);
	give(c, CODE_SELECT, c->selects);
	give(c, CODE_UMASK, c->umasks);
	give(c, CODE_EXTENSION,
	     member_number(p, "UMaskExt", &c->extension, &rc));
	give(c, CODE_CMASK, member_number(p, "CounterMask", &cmask, &rc));
	c->inv = member_flag(p, "Invert", c, CODE_INV, &rc);
	c->edge = member_flag(p, "EdgeDetect", c, CODE_EDGE, &rc);
	c->any = member_flag(p, "AnyThread", c, CODE_ANY, &rc);
	give(c, CODE_PORTS, member_number(p, "PortMask", &c->ports, &rc));
	give(c, CODE_PORTS, member_number(p, "FCMask", &c->classes, &rc));
	give(c, CODE_FILTER, member_number(p, "FILTER_VALUE", &c->filter,
					   &rc));
	member_msr(c, p, &rc);
	if (!rc && cmask > UINT32_MAX)
		rc = piece_error(p, "CounterMask: too large a number");
	c->cmask = (unsigned)cmask;
	return rc;
}
