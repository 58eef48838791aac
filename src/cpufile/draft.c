/* SPDX-License-Identifier: MIT */
/* Writes the text of a new CPU file; see draft.h. */
#include "cpufile/draft.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cpufile/put.h"
#include "cpufile/stand-ins.h"
#include "cpus/hierarchy-write.h"

enum { TEXT_ROOM = 1400, CODE_NAMES = 14 };

static bool is_arm(const struct draft *d)
{
	return d->match->implementer != 0;
}

/* ---- the head ------------------------------------------------------------ */

static void put_table(FILE *out, const struct draft *d)
{
	char text[TEXT_ROOM];

	if (!*d->listed->table)
		return;
	snprintf(text, sizeof(text), "the table %s of %s, %s", d->listed->table,
		 entry_source_names[d->listed->source], d->listed->file);
	put_text(out, 2, "table", text);
}

/* Does an event take anything over? */
static bool uses_sibling(const struct draft *d)
{
	for (size_t i = 0; i < d->listed->events; i++) {
		const struct listed_event *e = &d->listed->event[i];

		if (strstr(meaning_of(e, d->sibling, d->match).source, "like"))
			return true;
	}
	return false;
}

static void put_sources(FILE *out, const struct draft *d)
{
	char text[TEXT_ROOM];

	fprintf(out, "sources:\n");
	put_table(out, d);
	if (d->used || d->borrowed) {
		snprintf(text, sizeof(text), "the CPU file %s, whose event has "
			 "the same code and name%s", d->sibling->cpu->name,
			 d->borrowed ? ", and which describes this CPU" : "");
		put_text(out, 2, "like", text);
	}
	put_text(out, 2, "architecture", "what the event means on all CPUs of "
		 "the architecture; quoted from memory");
	if (d->machine) {
		put_text(out, 2, "kernel", HIERARCHY_KERNEL);
		put_text(out, 2, "guess", "not reported by the machine");
	}
	put_text(out, 2, "unknown", "a stand-in, so that the file loads: "
		 "nothing is known yet");
}

static void put_numbers(FILE *out, const char *key, const uint64_t *number,
			unsigned count, const char *source)
{
	if (!count)
		return;
	fprintf(out, "  %s:", key);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, " 0x%02" PRIx64, number[i]);
	fprintf(out, "%s\n", source);
}

static void put_match(FILE *out, const struct draft *d)
{
	const struct cpu_match *m = d->match;

	fprintf(out, "\nmatch:\n  from: D %s\n", d->machine ? "kernel" :
		"table");
	if (is_arm(d)) {
		put_numbers(out, "implementer", &m->implementer, 1, "");
		put_numbers(out, "part", &m->part, m->part != 0, "");
		return;
	}
	fprintf(out, "  vendor: %s\n", m->vendor);
	put_numbers(out, "family", &m->family, 1, "");
	put_numbers(out, "models", m->model, m->models, d->borrowed ?
		    " | D like" : "");
	put_numbers(out, "steppings", m->stepping, m->steppings, "");
	if (!m->models)
		fprintf(out, "  # models: the table is for more of them than a "
			"file can name\n");
}

/* By this name `cpu check` finds the table again. */
static void put_alias(FILE *out, const struct draft *d)
{
	const char *slash = strrchr(d->table_name, '/');
	char name[ASSAY_NAME];

	text_copy(name, sizeof(name), slash ? slash + 1 : d->table_name);
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (*name && !text_equal(name, d->name))
		fprintf(out, "aliases: [%s]\n", name);
}

static void put_head(FILE *out, const struct draft *d)
{
	fprintf(out, "schema: assay-cpu/1\n");
	put_plain(out, 0, "name", d->name);
	put_text(out, 0, "title", d->title);
	put_alias(out, d);
	fprintf(out, "isa: %s\n", is_arm(d) ? "aarch64" : "x86-64");
	if (d->core && *d->listed->table)
		fprintf(out, "core: %s | D table\n", d->core);
	fputc('\n', out);
	put_sources(out, d);
	put_match(out, d);
	fprintf(out, "\nline: %u | %s\n\n",
		d->machine ? d->machine->l1d.line_bytes : 64,
		d->machine ? "D kernel" : "G unknown");
	if (d->machine)
		hierarchy_write(out, d->machine);
	else
		fputs(stand_in_caches, out);
	fprintf(out, "\n%s", stand_in_models);
}

/* ---- events -------------------------------------------------------------- */

/* A name that a CPU file takes: letters, digits and "_.:-". */
static bool is_name(const char *name)
{
	if (isdigit((unsigned char)*name) || !*name)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_.:-", *name))
			return false;
	return true;
}

/* May the name stand beside the code? Not if it is another event's of the list.
 * Fixed counters are no events of the file: their names are free. */
static bool is_free(const struct draft *d, const char *name, uint64_t code)
{
	for (size_t i = 0; i < d->listed->events; i++) {
		const struct listed_event *e = &d->listed->event[i];

		if (e->form != LISTED_FIXED && e->code != code &&
		    (!strcasecmp(e->name, name) || !strcasecmp(e->alias, name)))
			return false;
	}
	return is_name(name);
}

struct names { const char *name[CODE_NAMES]; unsigned count; };

static void add_name(struct names *names, const struct draft *d,
		     const char *name, uint64_t code)
{
	if (names->count == CODE_NAMES || !is_free(d, name, code))
		return;
	for (unsigned i = 0; i < names->count; i++)
		if (!strcasecmp(names->name[i], name))
			return;
	names->name[names->count++] = name;
}

/* The event's name, the other names of its code, and the sibling's. */
static void collect_names(struct names *names, const struct draft *d,
			  const struct listed_event *first,
			  const struct cpu_event *like)
{
	add_name(names, d, first->name, first->code);
	for (size_t i = 0; i < d->listed->events; i++) {
		const struct listed_event *e = &d->listed->event[i];

		if (e->code != first->code || (e->form != LISTED_PLAIN &&
					       e->form != LISTED_OLD))
			continue;
		add_name(names, d, e->name, e->code);
		add_name(names, d, e->alias, e->code);
	}
	if (like)
		add_name(names, d, like->name, first->code);
	for (const char *const *a = like ? like->alias : NULL; a && *a; a++)
		add_name(names, d, *a, first->code);
}

static void put_aliases(FILE *out, const struct names *names)
{
	char text[TEXT_ROOM] = "";

	for (unsigned i = 1; i < names->count; i++)
		text_add(text, sizeof(text), ", ", "%s", names->name[i]);
	if (names->count > 1)
		fprintf(out, "      alias: [%s]\n", text);
}

static void put_code(FILE *out, const struct draft *d, uint64_t code)
{
	const unsigned select = (unsigned)((code & 0xff) | code >> 32 << 8);

	if (is_arm(d))
		fprintf(out, "      code: 0x%02" PRIx64 "\n", code);
	else
		fprintf(out, "      code: 0x%02X\n      umask: 0x%02X\n",
			select, (unsigned)(code >> 8 & 0xff));
}

/* How many general counters the table names; 0: none. */
static unsigned counters_named(const struct listed *list)
{
	uint64_t all = 0;
	unsigned n = 0;

	for (size_t i = 0; i < list->events; i++)
		if (list->event[i].form == LISTED_PLAIN)
			all |= list->event[i].counters;
	for (; all; all >>= 1)
		n++;
	return n;
}

/* Nothing, if the event counts on all counters. */
static void put_counters(FILE *out, const struct listed_event *e,
			 unsigned counters)
{
	if (!e->counters || counters == 64 ||
	    e->counters == (UINT64_C(1) << counters) - 1)
		return;
	fprintf(out, "      counters:");
	for (unsigned i = 0; i < counters; i++)
		if (e->counters >> i & 1)
			fprintf(out, " %u", i);
	fputc('\n', out);
}

static void put_event(FILE *out, struct draft *d,
		      const struct listed_event *e, const struct meaning *m)
{
	const bool known = *m->counts;
	struct names names = { .count = 0 };
	char text[TEXT_ROOM];

	collect_names(&names, d, e, m->event);
	if (!names.count)
		return;
	fprintf(out, "    %s:\n", names.name[0]);
	put_code(out, d, e->code);
	put_counters(out, e, counters_named(d->listed));
	snprintf(text, sizeof(text), "%s | %c %s", known ? m->counts : m->why,
		 m->confidence, m->source);
	if (known)
		put_plain(out, 6, "counts", text);
	else
		put_text(out, 6, "unmodelled", text);
	put_text(out, 6, "means", *e->text ? e->text : e->name);
	put_aliases(out, &names);
	d->events++;
	d->known += known;
}

/* The first of the events with this code is the one that is written. */
static bool is_first(const struct draft *d, const struct listed_event *e)
{
	return listed_find(d->listed, e->code, NULL) == e;
}

static void put_events(FILE *out, struct draft *d)
{
	for (size_t i = 0; i < d->listed->events; i++) {
		const struct listed_event *e = &d->listed->event[i];
		const struct meaning m = meaning_of(e, d->sibling,
						    d->match);

		if (is_first(d, e) && (d->all || e->topic || *m.counts))
			put_event(out, d, e, &m);
	}
}

/* ---- the counters -------------------------------------------------------- */

static void put_pmu(FILE *out, const struct draft *d)
{
	const unsigned counters = counters_named(d->listed);

	fprintf(out, "pmu:\n  from: %s\n  counters: %u%s\n"
		"  bits: %u | G unknown\n  events:\n",
		*d->listed->table ? "D table" : "R architecture",
		counters ? counters : 6, counters ? "" : " | G unknown",
		is_arm(d) ? 64 : 48);
}

void draft_write(FILE *out, struct draft *d)
{
	d->used = uses_sibling(d);
	put_head(out, d);
	put_pmu(out, d);
	put_events(out, d);
}
