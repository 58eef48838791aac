/* SPDX-License-Identifier: MIT */
/* The options and arguments of commands that take published tables. */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include "cli/context.h"

#define TABLE_SETS SETS

extern const struct option table_options[];

/* All arguments as tables. Splits s->sets in place; set[] lives as long as the
 * result is used. */
struct assay_tables tables_asked(struct settings *s,
				 struct assay_setting set[TABLE_SETS]);
/* Whether an argument names a table, by its ending; "-" is one. */
bool tables_is_file(const char *name);
/* EXIT_OK; or complains about options that do not fit each other. tables: how
 * many of the arguments are tables. */
int tables_wrong_use(const char *command, const struct settings *s,
		     size_t tables);

#endif
