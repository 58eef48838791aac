/* SPDX-License-Identifier: MIT */
/* Records of the counts of a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/foreign/build.h"
#include "tables/table.h"

#define EXACT 9007199254740992.0	/* 2^53: above, numbers are rounded */

/* "a,\"event\",count": the word as a cell of the line. */
static bool has_cell(const char *line, size_t n, const char *word)
{
	const size_t m = strlen(word);

	for (size_t i = 0; i + m <= n; i++)
		if (!memcmp(line + i, word, m) &&
		    (!i || strchr(",;\t\"", line[i - 1])) &&
		    (i + m == n || strchr(",;\t\"\r", line[i + m])))
			return true;
	return false;
}

bool table_begins(const char *text)
{
	size_t n;

	if (!strncmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	n = strcspn(text, "\n");
	return has_cell(text, n, "event") && has_cell(text, n, "count");
}

static struct assay_count count_of(const struct judge_row *row)
{
	const double nearest = round(row->count);

	if (row->count >= 0x1p63)
		return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
			.why = "a number beyond 2^63" };
	if (fabs(row->count - nearest) > 0.005 * row->count)
		return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
			.why = "a rate, and a record holds whole counts" };
	if (row->count != nearest || row->resolution < 1 || row->scaled < 1 ||
	    row->count > EXACT)
		return (struct assay_count){ (uint64_t)nearest, 1, 1,
			ASSAY_COUNT_SCALED, NULL, 0 };
	return (struct assay_count){ .value = (uint64_t)nearest };
}

/* "machine=m;program=copy;n=4096"; empty texts are left out. */
static void name_place(char *out, size_t room, const struct judge_row *row)
{
	const char *const part[] = { row->machine, row->microcode,
				     row->program, row->shape };
	static const char *const key[] = { "machine=", "microcode=",
					   "program=", "" };
	size_t used = 0;

	*out = '\0';
	for (int i = 0; i < 4; i++)
		if (*part[i] && used < room)
			used += (size_t)snprintf(out + used, room - used,
				"%s%s%s", used ? ";" : "", key[i], part[i]);
}

int table_records(struct store *out, const struct table *table,
		  const char *name, struct assay_error *err)
{
	const struct judge_input *in = &table->input;
	struct build b;
	char place[1024];
	uint32_t first = UINT32_MAX;
	int rc = 0;

	build_open(&b, name, "table");
	for (size_t i = 0; i < in->rows; i++)
		if (in->row[i].run < first)
			first = in->row[i].run;
	for (size_t i = 0; i < in->rows && !rc; i++) {
		const struct judge_row *row = &in->row[i];
		const struct assay_count c = count_of(row);

		name_place(place, sizeof(place), row);
		rc = build_add(&b, (unsigned)i + 2, place, row->event,
			       row->run == UINT32_MAX ? BUILD_NEXT :
			       row->run - first, &c);
	}
	rc = rc ? rc : build_records(&b, out);
	build_close(&b);
	if (!rc && out->records)
		return 0;
	store_fini(out);
	return error_set(err, rc ? rc : -ASSAY_EINVAL, rc == -ASSAY_ENOMEM ?
			 "out of memory" : rc ? "'%.200s' has more runs or "
			 "events than records can hold" : "'%.200s' holds no "
			 "counts", name);
}
