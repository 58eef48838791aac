/* SPDX-License-Identifier: MIT */
/* What the rows of `assay topo` come to. */
#include "cli/answers/topo-answer.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/rows.h"

/* Calls fn for each row of a type. Returns how often fn had something to say:
 * n is how often before. */
typedef bool say_fn(struct phrase *text, const struct assay_row *row,
		    unsigned n);

static unsigned each(struct phrase *text, const struct kept_rows *kept,
		     const char *type, say_fn *fn)
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

/* ---- what is told ------------------------------------------------------- */

static bool say_size(struct phrase *text, const struct assay_row *row,
		     unsigned n)
{
	char bytes[32];

	if (!bytes_of(bytes, sizeof(bytes), row, "size"))
		return false;
	phrase_add(text, "%s%s %s", n ? ", " : ": ",
		   row_text(row, "cache"), bytes);
	return true;
}

static bool say_conflict(struct phrase *text, const struct assay_row *row,
			 unsigned n)
{
	const char *finding = row_text(row, "finding");

	if (!*finding)
		return false;
	phrase_add(text, "%s%s: %s", n ? "; " : ". Not agreed: ",
		   row_text(row, "cache"), finding);
	return true;
}

/* "the kernel", "CPUID", "the CPU file": those who tell any size. */
static unsigned find_tellers(const char *teller[3],
			     const struct kept_rows *kept)
{
	static const char *const name[3][2] = {
		{ "kernel", "the kernel" }, { "CPUID", "CPUID" },
		{ "CPU file", "the CPU file" },
	};
	unsigned tellers = 0;

	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < kept->rows; i++) {
			const struct assay_field *f =
				row_find(&kept->row[i], name[k][0]);

			if (f && f->kind == ASSAY_FIELD_COUNT) {
				teller[tellers++] = name[k][1];
				break;
			}
		}
	return tellers;
}

static void say_tellers(struct phrase *text, const struct kept_rows *kept)
{
	const char *who[3];
	const unsigned n = find_tellers(who, kept);

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

static void say_told(struct phrase *text, const struct kept_rows *kept)
{
	if (!have(kept, "cache")) {
		phrase_add(text, "Nobody tells this machine's caches: neither "
			   "the kernel, nor CPUID, nor a CPU file.");
		return;
	}
	phrase_add(text, "Caches of a core%s", have(kept, "kind") ?
		   " of CPU 0's kind" : "");
	each(text, kept, "cache", say_size);
	if (!each(text, kept, "cache", say_conflict))
		say_tellers(text, kept);
	phrase_add(text, ".");
}

/* ---- what is timed ------------------------------------------------------ */

static bool say_confirmed(struct phrase *text, const struct assay_row *row,
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

static bool say_refuted(struct phrase *text, const struct assay_row *row,
			unsigned n)
{
	const char *finding = row_text(row, "finding");

	if (!*finding)
		return false;
	phrase_add(text, "%s%s: %s", n ? "; " : " Not confirmed: ",
		   !strcmp(row_text(row, "level"), "memory") ?
		   "the last cache" : row_text(row, "level"), finding);
	return true;
}

static bool say_unbelieved(struct phrase *text, const struct assay_row *row,
			   unsigned n)
{
	if (strcmp(row_text(row, "trust"), "contradicted"))
		return false;
	phrase_add(text, "%s%s: %s", n ? "; " : " Not believed: ",
		   row_text(row, "trait"), row_text(row, "finding"));
	return true;
}

static void say_timed(struct phrase *text, const struct kept_rows *kept)
{
	if (!each(text, kept, "measured-level", say_confirmed))
		phrase_add(text, "Timing confirms no cache size that is "
			   "reported");
	phrase_add(text, ".");
	if (each(text, kept, "measured-level", say_refuted))
		phrase_add(text, ".");
	if (each(text, kept, "trait", say_unbelieved))
		phrase_add(text, ".");
}

void topo_answer(const struct kept_rows *kept, struct phrase *out)
{
	(have(kept, "measured-level") ? say_timed : say_told)(out, kept);
}
