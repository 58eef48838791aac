/* SPDX-License-Identifier: MIT */
/*
 * One name, two codes: an entry against other sources of the same CPU and
 * against the same source's tables of sibling CPUs. The classes "cross",
 * "swap", "digit", "radix", "family" and "pseudo" are kinds of difference.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"

struct votes {
	unsigned same, other;		/* sources of the same CPU */
	unsigned sibling_same, sibling_other;
	bool vendor_other, vendor_same, edition_other;
	const struct audit_item *witness;	/* the best one against it */
	int differs;
};

static bool better(const struct audit *a, const struct audit_item *x,
		   const struct audit_item *y, const struct audit_item *than)
{
	if (!than)
		return true;
	if (audit_bond(a, x, y) != audit_bond(a, x, than))
		return audit_bond(a, x, y) == BOND_CPU ||
		       audit_bond(a, x, than) == BOND_SIBLING;
	return audit_is_vendor(y) && !audit_is_vendor(than);
}

static void vote(struct votes *v, const struct audit *a,
		 const struct audit_item *x, const struct audit_item *y)
{
	const enum audit_bond bond = audit_bond(a, x, y);
	const int differs = y->e.deprecated ? -1 : audit_code_differs(x, y);

	if (bond == BOND_EDITION && differs > 0) {
		v->edition_other = true;
		v->witness = v->witness ? v->witness : y;
		v->differs = v->differs ? v->differs : differs;
	}
	/* A register's value is often each generation's own. */
	if (differs < 0 || (bond != BOND_CPU && bond != BOND_SIBLING) ||
	    (bond == BOND_SIBLING && differs == DIFF_MSR) ||
	    (!differs && audit_derives(y, x)))
		return;
	if (bond == BOND_SIBLING)
		*(differs ? &v->sibling_other : &v->sibling_same) += 1;
	else if (audit_is_vendor(y))
		*(differs ? &v->vendor_other : &v->vendor_same) = true;
	if (bond == BOND_CPU)
		*(differs ? &v->other : &v->same) += 1;
	if (differs && better(a, x, y, v->witness)) {
		v->witness = y;
		v->differs = differs;
	}
}

/* ---- how sure ------------------------------------------------------------ */

/* Of L2_RQSTS's hits: older manuals lack bit 7 (0x4x, 0xcx). */
static bool disputed(const struct audit_item *x, const struct votes *v)
{
	return v->differs == DIFF_UMASK && x->e.code.select[0] == 0x24 &&
	       (audit_umask(&x->e.code) ^
		audit_umask(&v->witness->e.code)) == 0x80;
}

/* Cycles with uops: counted with umask 1 or 2, two definitions. */
static bool two_definitions(const struct audit_item *x, const struct votes *v)
{
	return x->e.code.cmask && v->witness->e.code.cmask &&
	       !(v->differs & DIFF_SELECT) && strstr(x->normal, "CYCLES");
}

/* Of an uncore's umask some bits may be "any": 0xa2 is 0x02 and both homes. */
static bool nested(const struct audit_item *x, const struct votes *v)
{
	const uint64_t a = audit_umask(&x->e.code);
	const uint64_t b = audit_umask(&v->witness->e.code);

	return *x->unit && v->differs == DIFF_UMASK && (!(a & ~b) || !(b & ~a));
}

/* An ALL without the bits of its parts may have a bit of its own; not so if the
 * witness's ALL has those of all parts. */
static bool lacks_parts(const struct audit *a, const struct audit_item *x,
			const struct votes *v)
{
	unsigned n;
	const uint64_t parts = audit_parts(a, x, &n);

	return v->differs == DIFF_UMASK && n > 1 &&
	       parts & ~audit_umask(&x->e.code) &&
	       !(parts & ~audit_umask(&v->witness->e.code));
}

/* COUNT in a name wants edges counted; a sum that its parts contradict too is
 * contradicted twice. */
static bool contradicts_itself(const struct audit *a,
			       const struct audit_item *x,
			       const struct votes *v)
{
	return audit_found(a, "union", x) || lacks_parts(a, x, v) ||
	       (v->differs == DIFF_FLAGS && !x->e.code.edge &&
		v->witness->e.code.edge && strstr(x->normal, "_COUNT"));
}

/* Has the vendor's table of the CPU an event of that code, by any name? AMD's
 * tables have three vocabularies. */
static bool vendor_has_code(const struct audit *a, const struct audit_item *x)
{
	for (unsigned t = 0; t < a->tables; t++) {
		struct audit_item *const *y = audit_codes_of(a, t);

		for (; y < a->by_code + a->events && (*y)->table == t &&
		       audit_bond(a, x, *y) == BOND_CPU &&
		       audit_is_vendor(*y); y++)
			if (!strcmp(x->unit, (*y)->unit) &&
			    !audit_code_differs(x, *y))
				return true;
	}
	return false;
}

/* Was "10" typed where 0x10 is read, or the reverse? */
static bool other_radix(unsigned a, unsigned b)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", b);
	if (a != b && strtoul(text, NULL, 16) == a)
		return true;
	snprintf(text, sizeof(text), "%u", a);
	return a != b && strtoul(text, NULL, 16) == b;
}

static bool is_radix(const struct audit_item *x, const struct votes *v)
{
	return v->differs == DIFF_CMASK &&
	       other_radix(x->e.code.cmask, v->witness->e.code.cmask);
}

static enum audit_confidence by_siblings(const struct audit *a,
					 const struct audit_item *x,
					 const struct votes *v)
{
	if (vendor_has_code(a, x))
		return AUDIT_LOW;
	return (v->sibling_other > 1 && (!v->sibling_same || is_radix(x, v))) ||
	       contradicts_itself(a, x, v) ? AUDIT_MEDIUM : AUDIT_LOW;
}

/* Generations differ; two tables of one source differ in a digit by mistake. */
static enum audit_confidence sure(const struct audit *a,
				  const struct audit_item *x,
				  const struct votes *v, bool sibling_agrees)
{
	const bool code = v->differs & (DIFF_SELECT | DIFF_UMASK);

	/* A table made from x's that differs is another edition, too. */
	if ((v->edition_other && !v->other) || contradicts_itself(a, x, v) ||
	    (v->other && code && !*x->unit && audit_derives(v->witness, x)))
		return AUDIT_MEDIUM;
	if (v->other <= v->same && v->other)
		return v->vendor_other && !v->vendor_same ? AUDIT_MEDIUM :
							    AUDIT_LOW;
	if (!v->other)
		return v->same ? AUDIT_LOW : by_siblings(a, x, v);
	if (audit_is_vendor(x))
		return v->sibling_same || !code ? AUDIT_LOW :
		       v->other > 1 || sibling_agrees ? AUDIT_MEDIUM :
		       AUDIT_LOW;
	if (disputed(x, v) || two_definitions(x, v) || nested(x, v) ||
	    !code ||
	    audit_has_filter(x) != audit_has_filter(v->witness) ||
	    v->sibling_same > v->sibling_other)
		return AUDIT_MEDIUM;
	if (v->vendor_other || sibling_agrees)
		return AUDIT_HIGH;
	return v->other > 1 ? AUDIT_MEDIUM : AUDIT_LOW;
}

/* ---- which kind ---------------------------------------------------------- */

/* Nibbles swapped, or one hexadecimal digit differs. */
static bool one_digit(uint64_t a, uint64_t b)
{
	const uint64_t change = a ^ b;

	if (a < 0x100 && b == (a >> 4 | (a & 15) << 4))
		return true;
	for (unsigned shift = 0; shift < 16; shift += 4)
		if (change && !(change & ~(UINT64_C(15) << shift)))
			return true;
	return false;
}

/* The event of x's table that has the witness's code. */
static const struct audit_item *holder(const struct audit *a,
				       const struct audit_item *x,
				       const struct audit_item *witness)
{
	for (struct audit_item *const *y = audit_codes_of(a, x->table);
	     y < a->by_code + a->events && (*y)->table == x->table; y++)
		if (!strcasecmp((*y)->unit, x->unit) &&
		    !audit_code_differs(*y, witness))
			return *y;
	return NULL;
}

/* Has the holder of the witness's code x's code there? */
static bool swapped(const struct audit *a, const struct audit_item *x,
		    const struct audit_item *witness)
{
	const struct audit_item *z = holder(a, x, witness);
	const struct audit_item *back = z ? audit_named(a, witness->table,
							z->normal, z->unit) :
					    NULL;

	return back && back != witness && !audit_code_differs(x, back) &&
	       audit_code_differs(z, back) > 0;
}

static const char *kind(const struct audit *a, const struct audit_item *x,
			const struct votes *v)
{
	const struct event_code *c = &x->e.code;
	const struct event_code *d = &v->witness->e.code;

	if (v->differs & (DIFF_SELECT | DIFF_UMASK) &&
	    swapped(a, x, v->witness))
		return "swap";
	if (is_radix(x, v))
		return "radix";
	if (!(v->differs & (DIFF_SELECT | DIFF_UMASK)))
		return v->other ? "cross" : "family";
	if (v->differs == DIFF_SELECT && one_digit(c->select[0], d->select[0]))
		return "digit";
	if (v->differs == DIFF_UMASK &&
	    one_digit(audit_umask(c), audit_umask(d)))
		return "digit";
	return "cross";
}

/* ---- the check ----------------------------------------------------------- */

static unsigned agree(const struct audit *a, const struct audit_item *x,
		      const struct audit_item *witness,
		      struct audit_item *const *run, size_t n)
{
	unsigned agreeing = 0;

	for (size_t i = 0; i < n; i++)
		agreeing += run[i] != witness &&
			    audit_bond(a, x, run[i]) == BOND_SIBLING &&
			    !audit_code_differs(run[i], witness);
	return agreeing;
}

static void check_item(struct audit *a, const struct audit_item *x)
{
	char here[160], there[160], whose[96];
	struct votes v = { 0 };
	struct audit_item **run;
	const size_t n = audit_same_name(a, x, &run);
	unsigned siblings;

	for (size_t i = 0; i < n; i++)
		vote(&v, a, x, run[i]);
	if (!v.witness)
		return;
	if (!v.other && !v.edition_other &&
	    (v.sibling_same >= v.sibling_other || v.same))
		return;
	siblings = agree(a, x, v.witness, run, n);
	if (!v.other && !v.edition_other && siblings + 1 < v.sibling_other)
		return;		/* siblings differ among themselves */
	audit_find(a, kind(a, x, &v), sure(a, x, &v, siblings > 0), x,
		   audit_code_text(here, x), "%s: %s (other codes: %u of %u "
		   "sources, %u of %u sibling CPUs)",
		   audit_whose(whose, a, v.witness),
		   audit_code_text(there, v.witness), v.other,
		   v.other + v.same, v.sibling_other,
		   v.sibling_other + v.sibling_same);
}

void audit_cross(struct audit *a)
{
	for (size_t i = 0; i < a->events; i++)
		if (a->by_name[i]->audited && audit_is_code(a->by_name[i]) &&
		    !a->by_name[i]->e.deprecated)
			check_item(a, a->by_name[i]);
}
