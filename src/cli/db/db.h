/* SPDX-License-Identifier: MIT */
/* The verbs of assay db that need a file of their own. */
#ifndef CLI_DB_DB_H
#define CLI_DB_DB_H

#include "cli/context.h"
#include "database/database.h"

/* The runs, and one run. Returns 0 or a negative code. */
int db_list(struct context *context, struct database *db,
	    struct assay_error *err);
int db_show(struct context *context, struct database *db, int64_t run,
	    struct assay_error *err);

/* Stores a file that assay import reads as a run. */
int db_import(struct context *context, struct database *db, const char *path,
	      struct assay_error *err);

#endif
