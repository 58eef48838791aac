/* SPDX-License-Identifier: MIT */
/*
 * The software PMU's own names: quantities, and the columns of assay sim --by.
 * They may be written as tables show them, with capitals and blanks.
 */
#include <ctype.h>
#include <string.h>

#include "assay/quantity.h"
#include "base/text.h"
#include "events/resolvers.h"

/* Columns that are no quantities: the sums of these. */
static const struct {
	const char *name;
	enum assay_quantity part[2];
	unsigned parts;
} columns[] = {
	{ "l1d_misses", { ASSAY_Q_l1d_read_misses, ASSAY_Q_l1d_write_misses },
	  2 },
	{ "l1i_misses", { ASSAY_Q_l1i_refills }, 1 },
	{ "l2_misses", { ASSAY_Q_l2_read_misses }, 1 },
	{ "l3_misses", { ASSAY_Q_l3_read_misses }, 1 },
};

static void plain(char out[ASSAY_NAME], const char *name)
{
	size_t n = 0;

	for (; name[n] && n < ASSAY_NAME - 1; n++)
		out[n] = name[n] == ' ' ? '_' :
			 (char)tolower((unsigned char)name[n]);
	out[n] = '\0';
}

bool quantity_meant(struct assay_error *err, const char *name)
{
	const char *words[ASSAY_QUANTITIES + 1] = { NULL };
	char wanted[ASSAY_NAME];

	plain(wanted, name);
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		words[q] = assay_quantity_name((enum assay_quantity)q);
	return error_meant(err, wanted, words);
}

int quantity_resolve(struct encoding *out, const char *name,
		     const struct events_target *target,
		     struct assay_error *err)
{
	char wanted[ASSAY_NAME];
	int quantity;

	(void)err;
	plain(wanted, name);
	quantity = assay_quantity_find(wanted);
	if (quantity >= 0) {
		out->part[0] = (enum assay_quantity)quantity;
		out->parts = 1;
	}
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (!strcmp(columns[i].name, wanted)) {
			memcpy(out->part, columns[i].part, sizeof(out->part));
			out->parts = columns[i].parts;
		}
	if (!out->parts)
		return NOT_MINE;
	out->family = ENCODING_NAME;
	out->geometry = target->geometry ? target->geometry :
			&target->cpu->geometry;
	return FOUND;
}
