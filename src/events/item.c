/* SPDX-License-Identifier: MIT */
/*
 * Lists of events as -e takes them. An item is NAME[:MODIFIERS], or
 * PMU/.../MODIFIERS; modifiers are u (user), k (kernel), h (hypervisor) and
 * add up. The p of perf asks for precise samples: a count has no samples (the
 * kernel refuses to count with it), so it is the count without p.
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "events/item.h"

static size_t item_length(const char *text)
{
	bool inside = false;
	size_t i;

	/* The slash of mem:x/8 opens nothing. */
	if (!strncmp(text, "mem:", 4))
		return strcspn(text, ",");
	for (i = 0; text[i] && (inside || text[i] != ','); i++)
		if (text[i] == '/')
			inside = !inside;
	return inside ? strcspn(text, ",") : i;
}

static int check(const char *text, size_t length, struct assay_error *err)
{
	if (length == 0)
		return error_set(err, -ASSAY_EINVAL, "the list of events has "
				 "an empty place: '%.40s'", text);
	if (length >= ASSAY_NAME)
		return error_set(err, -ASSAY_ERANGE, "the event '%.40s...' is "
				 "longer than %d characters", text,
				 ASSAY_NAME - 1);
	for (size_t i = 0; i < length; i++) {
		if (strchr("{}", text[i]))
			return error_set(err, -ASSAY_EINVAL, "no braces are "
					 "needed: all events of a run are one "
					 "group");
		if (!isgraph((unsigned char)text[i]))
			return error_set(err, -ASSAY_EINVAL, "the event "
					 "'%.*s' holds a blank or an "
					 "unprintable character", (int)length,
					 text);
	}
	return 0;
}

static unsigned modifier(char c)
{
	return c == 'u' ? ENCODING_USER : c == 'k' ? ENCODING_KERNEL :
	       c == 'h' ? ENCODING_HYPERVISOR : 0;
}

static int set_modifiers(struct item *out, const char *text,
			 struct assay_error *err)
{
	for (; *text; text++) {
		if (*text == 'p' && ++out->precise <= 3)
			continue;
		if (!modifier(*text))
			return error_set(err, -ASSAY_EINVAL, "'%s': unknown "
					 "modifier '%c'; there are u, k, h and "
					 "up to three p", out->complete, *text);
		out->scope |= modifier(*text);
	}
	return 0;
}

/*
 * What follows the last ':' is modifiers if it is made of their letters only
 * and is not all there is. "mem:x:rw" keeps its access.
 */
static const char *find_modifiers(const char *name)
{
	const char *colon = strrchr(name, ':');

	if (!colon || colon == name || colon[-1] == ':' || !colon[1] ||
	    strspn(colon + 1, "ukhp") != strlen(colon + 1))
		return NULL;
	if (!strncmp(name, "mem:", 4) && colon == name + 3)
		return NULL;
	return colon;
}

static int split(struct item *out, struct assay_error *err)
{
	const char *slash = strrchr(out->name, '/');
	const char *colon = find_modifiers(out->name);
	const bool pmu = slash && strchr(out->name, '/') != slash;
	size_t cut;

	if (pmu && slash[1]) {
		cut = (size_t)(slash + 1 - out->name);
		if (slash[1] == ':')
			slash++;
		out->name[cut] = '\0';
		return set_modifiers(out, out->complete + (slash + 1 - out->name),
				     err);
	}
	if (!colon)
		return 0;
	cut = (size_t)(colon - out->name);
	out->name[cut] = '\0';
	return set_modifiers(out, out->complete + cut + 1, err);
}

int item_next(struct item *out, const char **list, struct assay_error *err)
{
	const char *text = *list;
	size_t length;
	int rc;

	if (!*text)
		return 0;
	length = item_length(text);
	rc = check(text, length, err);
	if (rc)
		return rc;
	memset(out, 0, sizeof(*out));
	memcpy(out->complete, text, length);
	memcpy(out->name, text, length);
	rc = split(out, err);
	if (rc)
		return rc;
	text += length;
	if (*text == ',' && !*++text)
		return error_set(err, -ASSAY_EINVAL, "the list of events ends "
				 "with a comma");
	*list = text;
	return 1;
}
