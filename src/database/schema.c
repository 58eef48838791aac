/* SPDX-License-Identifier: MIT */
/* The tables of a database. docs/database.md explains the columns. */
#include "database/schema.h"

#include <stddef.h>
#include <string.h>

static const char tables[] =
"CREATE TABLE run(\n"
"	id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
"	started TEXT NOT NULL, ended TEXT, status INTEGER,\n"
"	command TEXT NOT NULL, line TEXT NOT NULL, version TEXT NOT NULL,\n"
"	host TEXT NOT NULL, points INTEGER NOT NULL DEFAULT 0,\n"
"	certificate TEXT, node TEXT, rank INTEGER, job TEXT);\n"
"CREATE TABLE line(\n"
"	run INTEGER NOT NULL, number INTEGER NOT NULL, type TEXT NOT NULL,\n"
"	text TEXT NOT NULL, UNIQUE(run, number));\n"
"CREATE TABLE machine(\n"
"	id INTEGER PRIMARY KEY, host TEXT, cpu TEXT, isa TEXT, kernel TEXT,\n"
"	hypervisor TEXT, microcode TEXT,\n"
"	UNIQUE(host, cpu, isa, kernel, hypervisor, microcode));\n"
"CREATE TABLE point(\n"
"	id INTEGER PRIMARY KEY, run INTEGER NOT NULL, line INTEGER NOT NULL,\n"
"	machine INTEGER NOT NULL, provider TEXT NOT NULL,\n"
"	kernel TEXT NOT NULL, shape TEXT NOT NULL, settings TEXT NOT NULL,\n"
"	repeats INTEGER NOT NULL, UNIQUE(run, line));\n"
"CREATE TABLE name(\n"
"	id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,\n"
"	UNIQUE(kind, name));\n"
"CREATE TABLE value(\n"
"	point INTEGER NOT NULL, name INTEGER NOT NULL,\n"
"	repetition INTEGER NOT NULL, value, enabled, running, why INTEGER,\n"
"	PRIMARY KEY(point, name, repetition)) WITHOUT ROWID;\n";

static const char views[] =
"CREATE VIEW reading AS\n"
"	SELECT p.run, p.id AS point, p.kernel, p.shape, n.kind, n.name,\n"
"		v.repetition, v.value, v.enabled, v.running, w.name AS why\n"
"	FROM value v JOIN point p ON p.id = v.point\n"
"	JOIN name n ON n.id = v.name LEFT JOIN name w ON w.id = v.why;\n"
"CREATE VIEW verdict AS\n"
"	SELECT run, number, type, coalesce(text->>'event', text->>'quantity',\n"
"		text->>'identity', text->>'claim', '') AS about,\n"
"		coalesce(text->>'verdict', text->>'class',\n"
"			text->>'state') AS verdict, text\n"
"	FROM line WHERE verdict IS NOT NULL;\n";

static const char places[] =
"CREATE TABLE place(\n"
"	point INTEGER PRIMARY KEY, node TEXT NOT NULL, rank INTEGER);\n";

const char *const schema_step[SCHEMA_VERSION] = { tables, views, places };
const int schema_objects[SCHEMA_VERSION] = { 6, 8, 9 };

/* SQLite keeps a statement without its semicolon. */
bool schema_has(const char *sql)
{
	const size_t n = strlen(sql);

	for (int i = 0; n && i < SCHEMA_VERSION; i++) {
		const char *at = strstr(schema_step[i], sql);

		if (at && (at == schema_step[i] || at[-1] == '\n') &&
		    !strncmp(at, "CREATE ", 7) && at[n] == ';')
			return true;
	}
	return false;
}

bool schema_names(const char *name)
{
	static const char *const names[] = {
		"run", "line", "machine", "point", "name", "value", "reading",
		"verdict", "place",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}
