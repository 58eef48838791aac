/* SPDX-License-Identifier: MIT */
/* The tables of a database, their versions, and what a file may hold. */
#ifndef DATABASE_SCHEMA_H
#define DATABASE_SCHEMA_H

#include <stdbool.h>

/* "PRAGMA application_id": "assy" */
#define SCHEMA_APPLICATION 0x61737379
enum { SCHEMA_VERSION = 3 };

/*
 * Statements that lead from schema version i to i + 1; a new file has version
 * 0. A published step is never changed: its text is compared with the file's.
 */
extern const char *const schema_step[SCHEMA_VERSION];
/* How many tables and views version i + 1 has. */
extern const int schema_objects[SCHEMA_VERSION];

/* Is `sql` a statement of the steps that make an object of a database? */
bool schema_has(const char *sql);
/* Is `name` one of the tables and views that assay itself uses? */
bool schema_names(const char *name);

#endif
