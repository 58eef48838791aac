/* SPDX-License-Identifier: MIT */
/*
 * The parser of event lists as -e takes them. An item is NAME[:MODIFIERS], or
 * PMU/.../MODIFIERS. The modifiers u (user), k (kernel) and h (hypervisor) add
 * up. perf's p and P ask for precise samples: the kernel refuses to count an
 * event with p, and a count has no samples, so p and P are accepted and
 * dropped. perf's other modifiers are known but not supported.
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "events/resolvers.h"

static size_t item_length(const char *text)
{
	bool inside = false;
	size_t i;

	/* In mem:x/8 the slash is no pair of slashes. */
	if (!strncmp(text, "mem:", 4))
		return strcspn(text, ",");
	for (i = 0; text[i] && (inside || text[i] != ','); i++)
		if (text[i] == '/')
			inside = !inside;
	return inside ? strcspn(text, ",") : i;
}

/* Refuses an empty item, a long one, braces and unprintable characters. */
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
		/* "l1d read misses" is a name of the software PMU */
		if (!isgraph((unsigned char)text[i]) &&
		    (text[i] != ' ' || !i || i + 1 == length ||
		     !isalnum((unsigned char)text[i + 1])))
			return error_set(err, -ASSAY_EINVAL, "the event "
					 "'%.*s' holds a blank or an "
					 "unprintable character", (int)length,
					 text);
	}
	return 0;
}

static const struct { char letter; const char *meaning; } unsupported[] = {
	{ 'G', "counts in guests of a hypervisor alone" },
	{ 'H', "counts outside guests of a hypervisor alone" },
	{ 'I', "does not count while the CPU is idle" },
	{ 'S', "reads all counters of a group with each sample" },
	{ 'D', "keeps the event on a counter, whatever other programs count" },
	{ 'W', "lets perf split a group that does not fit" },
	{ 'e', "lets no other group be counted at the same time" },
	{ 'b', "counts with BPF, shared between programs" },
	{ 'R', "reads the latency of retirement" },
};

const char *item_modifier(char letter)
{
	for (size_t i = 0; i < sizeof(unsupported) / sizeof(*unsupported); i++)
		if (unsupported[i].letter == letter)
			return unsupported[i].meaning;
	return NULL;
}

static unsigned modifier(char c)
{
	return c == 'u' ? ENCODING_USER : c == 'k' ? ENCODING_KERNEL :
	       c == 'h' ? ENCODING_HYPERVISOR : 0;
}

static int set_modifiers(struct event_item *out, const char *text,
			 struct assay_error *err)
{
	for (; *text; text++) {
		if ((*text == 'p' || *text == 'P') && ++out->precise <= 3)
			continue;
		if (item_modifier(*text) &&
		    strlen(out->unsupported) < sizeof(out->unsupported) - 1) {
			out->unsupported[strlen(out->unsupported)] = *text;
			continue;
		}
		if (!modifier(*text))
			return error_set(err, -ASSAY_EINVAL, "'%s': unknown "
					 "modifier '%c'; there are u, k, h and "
					 "up to three p or P", out->complete,
					 *text);
		out->scope |= modifier(*text);
	}
	return 0;
}

/*
 * The last ':' if only letters of modifiers follow it and a name stands before
 * it; else NULL. "mem:x:rw" keeps its access.
 */
static const char *find_modifiers(const char *name)
{
	const char *colon = strrchr(name, ':');

	if (!colon || colon == name || colon[-1] == ':' || !colon[1] ||
	    strspn(colon + 1, "ukhpPGHISDWebR") != strlen(colon + 1))
		return NULL;
	if (!strncmp(name, "mem:", 4) && colon == name + 3)
		return NULL;
	return colon;
}

static int split(struct event_item *out, struct assay_error *err)
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
		return set_modifiers(out, out->complete +
				     (slash + 1 - out->name), err);
	}
	if (!colon)
		return 0;
	cut = (size_t)(colon - out->name);
	out->name[cut] = '\0';
	return set_modifiers(out, out->complete + cut + 1, err);
}

int item_next(struct event_item *out, const char **list,
	      struct assay_error *err)
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
