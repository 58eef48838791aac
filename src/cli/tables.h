/* SPDX-License-Identifier: MIT */
/* Verdicts on published tables: assay verify --table. */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

struct context;

/* The arguments are tables. Returns the exit code. */
int tables_show(struct context *context);

#endif
