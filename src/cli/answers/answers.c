/* SPDX-License-Identifier: MIT */
/* Phrases, and the sentences of topo and stat. */
#include "cli/answers/answers.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void phrase_add(struct phrase *phrase, const char *format, ...)
{
	const size_t room = sizeof(phrase->text) - phrase->used;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(phrase->text + phrase->used, room, format, args);
	va_end(args);
	if (n > 0)
		phrase->used += (size_t)n < room ? (size_t)n : room - 1;
}

const char *phrase_between(size_t i, size_t all)
{
	return !i ? "" : i + 1 < all ? ", " : " and ";
}

const char *phrase_text(struct phrase *phrase)
{
	phrase->text[0] = (char)toupper((unsigned char)phrase->text[0]);
	return phrase->text;
}

/* ---- stat ---------------------------------------------------------------- */

#define NAMED 3	/* metrics in the sentence, at most */

static bool present(const struct assay_stat_metric *m)
{
	return !m->value.why;
}

/* Adds ratios and rates first, then whole numbers. */
static void add_values(struct phrase *out, const struct assay_stat_result *r)
{
	size_t named = 0;

	for (int integer = 0; integer < 2; integer++)
		for (size_t i = 0; i < r->metrics && named < NAMED; i++) {
			const struct assay_stat_metric *m = &r->metric[i];
			const double value = m->value.number;

			if (!present(m) || m->mark == ASSAY_MARK_WRONG ||
			    (value == floor(value)) != integer)
				continue;
			phrase_add(out, "%s%s %.*g", named++ ? ", " :
				   ", for instance ", m->name,
				   fabs(value) < 1e4 ? 4 : 15, value);
		}
}

/* A doubtful formula, on events that may be right. */
static bool doubtful(const struct assay_stat_metric *m)
{
	return present(m) && m->mark != ASSAY_MARK_WRONG && *m->warning;
}

static size_t marked(const struct assay_stat_result *r, enum assay_mark mark)
{
	size_t n = 0;

	for (size_t i = 0; i < r->metrics; i++)
		n += present(&r->metric[i]) && !doubtful(&r->metric[i]) &&
		     r->metric[i].mark == mark;
	return n;
}

/* "; 2 are wrong: l3_reads, l3_misses (why)" */
static void add_wrong(struct phrase *out, const struct assay_stat_result *r)
{
	const size_t n = marked(r, ASSAY_MARK_WRONG);
	const char *why = "";
	size_t named = 0;

	if (!n)
		return;
	phrase_add(out, "; %zu %s wrong: ", n, n == 1 ? "is" : "are");
	for (size_t i = 0; i < r->metrics && named < NAMED; i++) {
		const struct assay_stat_metric *m = &r->metric[i];

		if (!present(m) || m->mark != ASSAY_MARK_WRONG)
			continue;
		phrase_add(out, "%s%s", named++ ? ", " : "", m->name);
		why = *why || !m->mark_why ? why : m->mark_why;
	}
	phrase_add(out, n > named ? " ..." : "");
	if (*why)
		phrase_add(out, " (%.300s)", why);
}

/* "; doubtful formulas: l2_misses_by_script" */
static void add_doubtful(struct phrase *out, const struct assay_stat_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->metrics; i++)
		if (doubtful(&r->metric[i]))
			phrase_add(out, "%s%s", n++ ? ", " :
				   "; doubtful formulas: ", r->metric[i].name);
}

static void add_trust(struct phrase *out, const struct assay_stat_result *r)
{
	const size_t verified = marked(r, ASSAY_MARK_VERIFIED);
	const size_t unknown = marked(r, ASSAY_MARK_UNKNOWN);

	if (verified)
		phrase_add(out, "; %zu rest%s on events verified on this CPU",
			   verified, verified == 1 ? "s" : "");
	if (unknown)
		phrase_add(out, "; %zu rest%s on events that are not verified",
			   unknown, unknown == 1 ? "s" : "");
	add_wrong(out, r);
	add_doubtful(out, r);
}

/* first: the first of `missing` names, and why the value is absent. */
static void add_rest(struct phrase *out, unsigned violated, size_t missing,
		     const char *first, const char *why)
{
	if (violated)
		phrase_add(out, "; the counts break %u law%s between events",
			   violated, violated == 1 ? "" : "s");
	if (!missing)
		return;
	phrase_add(out, "; %zu %s missing, the first (%s) because: %s",
		   missing, missing == 1 ? "is" : "are", first, why);
}

static void add_metrics(struct phrase *out, const struct assay_stat_result *r,
			unsigned violated)
{
	struct assay_stat_metric first = { .name = "" };
	size_t n = 0;

	for (size_t i = r->metrics; i-- > 0;)
		if (present(&r->metric[i]))
			n++;
		else
			first = r->metric[i];
	phrase_add(out, "%zu of %zu metrics could be computed", n, r->metrics);
	add_values(out, r);
	add_trust(out, r);
	add_rest(out, violated, r->metrics - n, first.name, first.value.why);
}

static void add_events(struct phrase *out, const struct assay_stat_result *r,
		       unsigned violated)
{
	struct assay_stat_count first = { .name = "" };
	size_t n = 0, verified = 0, wrong = 0;

	for (size_t i = r->counts; i-- > 0;) {
		const struct assay_stat_count *c = &r->count[i];

		if (c->value.why) {
			first = *c;
			continue;
		}
		n++;
		verified += c->mark == ASSAY_MARK_VERIFIED;
		wrong += c->mark == ASSAY_MARK_WRONG;
	}
	phrase_add(out, "%zu of %zu event%s %s counted", n, r->counts,
		   r->counts == 1 ? "" : "s",
		   n == 1 || r->counts == 1 ? "was" : "were");
	if (verified)
		phrase_add(out, ", %zu verified on this CPU", verified);
	else if (n)
		phrase_add(out, ", none verified on this CPU");
	if (wrong)
		phrase_add(out, ", %zu known as wrong", wrong);
	add_rest(out, violated, r->counts - n, first.name, first.value.why);
}

void stat_answer(const struct assay_stat_result *r, unsigned violated,
		 struct phrase *out)
{
	if (r->metrics)
		add_metrics(out, r, violated);
	else
		add_events(out, r, violated);
}

/* ---- topo ---------------------------------------------------------------- */

/*
 * Calls fn for each row of a type; n: how many calls have added text. Returns
 * how many calls added text in all.
 */
typedef bool append_fn(struct phrase *text, const struct assay_row *row,
		    unsigned n);

static unsigned each(struct phrase *text, const struct kept_rows *kept,
		     const char *type, append_fn *fn)
{
	unsigned said = 0;

	for (size_t i = 0; i < kept->rows; i++)
		if (!strcmp(kept->row[i].type, type))
			said += fn(text, &kept->row[i], said);
	return said;
}

static bool bytes_of(char *out, size_t room, const struct assay_row *row,
		     const char *name)
{
	const struct assay_field *f = row_find(row, name);

	if (!f || f->kind == ASSAY_FIELD_ABSENT)
		return false;
	if (f->kind == ASSAY_FIELD_COUNT)
		text_bytes(out, room, f->count);
	else
		text_about_bytes(out, room, f->real);
	return true;
}

/* ---- topo: reported sizes ------------------------------------------------ */

/* ": L1d 32 KiB or 48 KiB, L2 2 MiB": cores can differ. */
static void append_sizes(struct phrase *text, const struct kept_rows *kept)
{
	const char *before = "";
	char bytes[32];

	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];
		const char *name = row_text(row, "cache");

		if (strcmp(row->type, "cache") ||
		    !bytes_of(bytes, sizeof(bytes), row, "size"))
			continue;
		if (!strcmp(name, before))
			phrase_add(text, " or %s", bytes);
		else
			phrase_add(text, "%s%s %s", *before ? ", " : ": ",
				   name, bytes);
		before = name;
	}
}

static bool append_conflict(struct phrase *text, const struct assay_row *row,
			 unsigned n)
{
	const char *finding = row_text(row, "finding");

	if (!*finding)
		return false;
	phrase_add(text, "%s%s: %s", n ? "; " : ". Not agreed: ",
		   row_text(row, "cache"), finding);
	return true;
}

/* "the kernel", "CPUID", "the CPU file": the sources that report a size. */
static unsigned find_reporters(const char *reporter[3],
			     const struct kept_rows *kept)
{
	static const char *const name[3][2] = {
		{ "kernel", "the kernel" }, { "CPUID", "CPUID" },
		{ "CPU file", "the CPU file" },
	};
	unsigned reporters = 0;

	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < kept->rows; i++) {
			const struct assay_field *f =
				row_find(&kept->row[i], name[k][0]);

			if (f && f->kind == ASSAY_FIELD_COUNT) {
				reporter[reporters++] = name[k][1];
				break;
			}
		}
	return reporters;
}

static void append_reporters(struct phrase *text, const struct kept_rows *kept)
{
	const char *who[3];
	const unsigned n = find_reporters(who, kept);

	if (n == 1)
		phrase_add(text, "; only %s tells them", who[0]);
	if (n == 2)
		phrase_add(text, "; %s and %s agree", who[0], who[1]);
	if (n == 3)
		phrase_add(text, "; %s, %s and %s agree", who[0], who[1],
			   who[2]);
}

static bool have(const struct kept_rows *kept, const char *type)
{
	for (size_t i = 0; i < kept->rows; i++)
		if (!strcmp(kept->row[i].type, type))
			return true;
	return false;
}

static void append_reported(struct phrase *text, const struct kept_rows *kept)
{
	if (!have(kept, "cache")) {
		phrase_add(text, "Nobody tells this machine's caches: neither "
			   "the kernel, nor CPUID, nor a CPU file.");
		return;
	}
	phrase_add(text, "Caches of a core");
	append_sizes(text, kept);
	if (!each(text, kept, "cache", append_conflict))
		append_reporters(text, kept);
	phrase_add(text, ".");
}

/* ---- topo: timed sizes --------------------------------------------------- */

static bool append_confirmed(struct phrase *text, const struct assay_row *row,
			  unsigned n)
{
	char bytes[32];

	if (*row_text(row, "finding") ||
	    !bytes_of(bytes, sizeof(bytes), row, "reported"))
		return false;
	phrase_add(text, "%s%s %s", n ? ", " : "Timing confirms ",
		   row_text(row, "level"), bytes);
	return true;
}

/* What follows "not decided: " in a finding; NULL: it is decided. */
static const char *undecided(const char *finding)
{
	static const char begins[] = "not decided: ";
	const size_t n = sizeof(begins) - 1;

	return strncmp(finding, begins, n) ? NULL : finding + n;
}

/* A level or a trait. */
static bool append_undecided(struct phrase *text, const struct assay_row *row,
			     unsigned n)
{
	const char *why = undecided(row_text(row, "finding"));
	const char *name = row_text(row, !strcmp(row->type, "trait") ?
				    "trait" : "level");

	if (why)
		phrase_add(text, "%s%s: %s", n ? "; " : " Not decided: ",
			   !strcmp(name, "memory") ? "the last cache" : name,
			   why);
	return why != NULL;
}

static bool append_refuted(struct phrase *text, const struct assay_row *row,
			unsigned n)
{
	const char *finding = row_text(row, "finding");

	if (!*finding || undecided(finding))
		return false;
	phrase_add(text, "%s%s: %s", n ? "; " : " Not confirmed: ",
		   !strcmp(row_text(row, "level"), "memory") ?
		   "the last cache" : row_text(row, "level"), finding);
	return true;
}

static bool append_unbelieved(struct phrase *text, const struct assay_row *row,
			   unsigned n)
{
	if (strcmp(row_text(row, "trust"), "contradicted"))
		return false;
	phrase_add(text, "%s%s: %s", n ? "; " : " Not believed: ",
		   row_text(row, "trait"), row_text(row, "finding"));
	return true;
}

static void append_timed(struct phrase *text, const struct kept_rows *kept)
{
	if (!each(text, kept, "measured-level", append_confirmed))
		phrase_add(text, "Timing confirms no cache size that is "
			   "reported");
	phrase_add(text, ".");
	if (each(text, kept, "measured-level", append_refuted))
		phrase_add(text, ".");
	if (each(text, kept, "measured-level", append_undecided))
		phrase_add(text, ".");
	if (each(text, kept, "trait", append_undecided))
		phrase_add(text, ".");
	if (each(text, kept, "trait", append_unbelieved))
		phrase_add(text, ".");
}

void topo_answer(const struct kept_rows *kept, struct phrase *out)
{
	(have(kept, "measured-level") ? append_timed :
					append_reported)(out, kept);
}
