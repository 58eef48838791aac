/* SPDX-License-Identifier: MIT */
/* The tables that a caller of the library names: read one after the other. */
#ifndef TABLES_EACH_H
#define TABLES_EACH_H

#include "assay.h"
#include "tables/place.h"
#include "tables/table.h"

/* Verdicts name tables by their files' names: -ASSAY_EINVAL for two tables of
 * one name. */
int tables_check(const struct assay_tables *ask, struct assay_error *err);
/* As table_read() of ask->path[index]. */
int tables_read(const struct assay_tables *ask, size_t index,
		struct table **out, struct assay_error *err);

/* All places of one machine with one microcode in one table. */
struct table_machine {
	const char *name;	/* "TABLE MACHINE@MICROCODE"; TABLE only if
				 * there are several */
	const struct table_place *place;
	size_t places;
};
typedef int tables_machine_fn(void *ctx, const struct table_machine *machine,
			      struct assay_error *err);
/* Calls fn for each machine of each table, until fn returns non-zero. Returns
 * 0, the result of fn, or an error of the two functions above. */
int tables_machines(const struct assay_tables *ask, tables_machine_fn *fn,
		    void *ctx, struct assay_error *err);

#endif
