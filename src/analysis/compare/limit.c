/* SPDX-License-Identifier: MIT */
/* Limits of changes: 'QUANTITY[@FUNCTION](>|<)[+-]N[%]'. */
#include "analysis/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int wrong(const char *text, const char *why, struct assay_error *err)
{
	error_set(err, -ASSAY_EINVAL, "limit '%.200s': %s", text, why);
	error_add(err, "try: 'l1d_refills > +1%%' or "
		  "'instructions@main>+1000'");
	return -ASSAY_EINVAL;
}

/* The text without blanks at its ends, cut out of from .. to. */
static bool take(char *out, size_t room, const char *from, const char *to)
{
	from += strspn(from, " \t");
	while (to > from && strchr(" \t", to[-1]))
		to--;
	if (to <= from || (size_t)(to - from) >= room)
		return false;
	memcpy(out, from, (size_t)(to - from));
	out[to - from] = '\0';
	return true;
}

/* Names of functions may hold < and >: the last one of the text decides. */
static const char *relation(const char *text)
{
	const char *above = strrchr(text, '>'), *below = strrchr(text, '<');

	if (!above || !below)
		return above ? above : below;
	return above > below ? above : below;
}

/* "+5 %", "-1000": no other form of number. */
static const char *read_change(struct compare_limit *out, const char *at)
{
	const char *digits;
	bool minus;
	size_t n;

	at += strspn(at, " \t");
	minus = *at == '-';
	at += *at == '-' || *at == '+';
	at += strspn(at, " \t");
	digits = at;
	n = strspn(digits, "0123456789");
	at += n;
	if (*at == '.')
		at += 1 + strspn(at + 1, "0123456789");
	if (!n || n > 18 || at - digits > 30)
		return "a number must follow the sign";
	out->by = strtod(digits, NULL) * (minus ? -1 : 1);
	at += strspn(at, " \t");
	out->percent = *at == '%';
	at += *at == '%';
	return at[strspn(at, " \t")] ? "something follows the number" : NULL;
}

int compare_limit_parse(struct compare_limit *out, const char *text,
			struct assay_error *err)
{
	const char *sign = relation(text), *at = strchr(text, '@'), *why;
	struct compare_limit limit = { .above = sign && *sign == '>' };

	if (!sign || strpbrk(text, "\r\n"))
		return wrong(text, sign ? "one line is wanted" :
			     "'>' or '<' is missing", err);
	if (at && at > sign)
		at = NULL;
	if (!take(limit.quantity, sizeof(limit.quantity), text,
		  at ? at : sign))
		return wrong(text, "no quantity, or a name that is too long",
			     err);
	if (at && !take(limit.function, sizeof(limit.function), at + 1, sign))
		return wrong(text, "no function, or a name that is too long",
			     err);
	why = read_change(&limit, sign + 1);
	if (why)
		return wrong(text, why, err);
	*out = limit;
	return 0;
}

enum compare_kept compare_limit_by(const struct compare_limit *limit,
				   double change, double old, const char **why)
{
	if (limit->percent && old == 0 && change != 0) {
		*why = "the old value is 0: the limit must be in counts, "
		       "without %";
		return COMPARE_NOT_JUDGED;
	}
	if (limit->percent && change != 0)
		change = 100 * change / fabs(old);
	return (limit->above ? change > limit->by : change < limit->by) ?
	       COMPARE_EXCEEDED : COMPARE_KEPT;
}

enum compare_kept compare_limit_check(const struct compare_limit *limit,
				      const struct compare_change *change,
				      const char **why)
{
	if (change->state == COMPARE_UNKNOWN) {
		*why = change->why;
		return COMPARE_NOT_JUDGED;
	}
	return compare_limit_by(limit, change->state == COMPARE_SAME ? 0 :
				change->new - change->old, change->old, why);
}
