/* SPDX-License-Identifier: MIT */
/*
 * Three tell of the caches: the kernel, the CPU itself, and its model number.
 * Here the first two are compared; identity.c knows the third.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "env/doctor.h"

struct leaf {
	unsigned level;
	bool data;
	uint64_t bytes;
};

/* Intel leaf 4 and AMD 8000_001D have the same layout (SDM 2A, APM 3). */
static bool read_leaf(struct leaf *out, const struct probe_cpuid *c)
{
	const unsigned type = c->eax & 31;

	if (type < 1 || type > 3)
		return false;
	out->level = c->eax >> 5 & 7;
	out->data = type != 2;
	out->bytes = (uint64_t)((c->ebx >> 22) + 1) *
		     ((c->ebx >> 12 & 0x3ff) + 1) * ((c->ebx & 0xfff) + 1) *
		     ((uint64_t)c->ecx + 1);
	return true;
}

static const struct cache_geometry *seen(const struct geometry *g,
					 const struct leaf *l)
{
	return l->level == 1 ? l->data ? &g->l1d : &g->l1i :
	       l->level == 2 ? &g->l2 : l->level == 3 ? &g->l3 : NULL;
}

static void differs(char *out, size_t room, const struct leaf *l,
		    const struct cache_geometry *c)
{
	const size_t used = strlen(out);
	char told[32], has[32];

	text_bytes(told, sizeof(told), l->bytes);
	text_bytes(has, sizeof(has), cache_bytes(c));
	snprintf(out + used, room - used, "%sL%u%s %s by CPUID, %s by the "
		 "kernel", used ? "; " : "", l->level, l->level > 1 ? "" :
		 l->data ? "d" : "i", told, c->present ? has : "nothing");
}

void doctor_caches(struct doctor *d)
{
	const uint32_t leaf = strcmp(d->id.vendor, "AuthenticAMD") ?
			      4 : 0x8000001d;
	char wrong[256] = "";
	unsigned compared = 0;
	struct probe_cpuid c;
	struct leaf l;

	if (d->id.isa != MACHINE_X86)
		return;
	for (uint32_t sub = 0; sub < 8; sub++) {
		const struct cache_geometry *cache;

		if (!probe_cpuid(&d->probe, leaf, sub, &c) ||
		    !read_leaf(&l, &c))
			break;
		cache = seen(&d->geometry, &l);
		if (!cache)
			continue;
		compared++;
		if (cache_bytes(cache) != l.bytes)
			differs(wrong, sizeof(wrong), &l, cache);
	}
	if (*wrong)
		doctor_say(d, "cache sizes", "warn",
			   "one of the two is made up: predictions that rest "
			   "on sizes may be wrong", "assay topo --measure",
			   "%s", wrong);
	else if (compared)
		doctor_say(d, "cache sizes", "ok", "", "",
			   "CPUID and the kernel agree on %u caches",
			   compared);
}
