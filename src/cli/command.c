/* SPDX-License-Identifier: MIT */
/* The table of commands, and the options that several commands share. */
#include "cli/command.h"

#include <string.h>

#include "base/text.h"

#define X(name) extern const struct command name##_command;
#include "cli/commands.def"
#undef X

const struct command *const command_table[] = {
#define X(name) &name##_command,
#include "cli/commands.def"
#undef X
	NULL
};

const struct command *command_find(const char *name)
{
	for (const struct command *const *c = command_table; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

const struct variable *command_verb(const struct command *command,
				    const char *name)
{
	const size_t n = strlen(name);

	for (const struct variable *v = command->verb; v && v->name; v++)
		if (!strncmp(v->name, name, n) &&
		    (!v->name[n] || v->name[n] == ' '))
			return v;
	return NULL;
}

const char *command_nearest(const char *name)
{
	const char *names[sizeof(command_table) / sizeof(*command_table)];
	size_t n = 0;

	for (; command_table[n]; n++)
		names[n] = command_table[n]->name;
	names[n] = NULL;
	return text_nearest(name, names);
}

/* ---- shared options ------------------------------------------------------ */

const struct option output_options[] = {
	FLAG('j', "json", json, "print JSON Lines: one object per line"),
	TEXT('x', "field-separator", "SEP", separator,
	  "print CSV with this separator, such as ',' or '\\t'"),
	TEXT('o', "output", "FILE", output,
	  "write to a file, whose name chooses the format; "
	  "%h in the name: the node, %r the rank, %j the job, %p the process, "
	  "%t the time, %% a percent sign"),
	TEXT(0, "format", "FORMAT", format,
	  "the format, whatever the file's name"),
	FLAG(0, "append", append,
	  "add to what the file of -o holds already, in one piece, whoever "
	  "else appends to it"),
	{ 0 }
};

const struct option common_options[] = {
	WORD(0, "color", "WHEN", colour, "auto|always|never",
	  "colour the output: auto, always or never"),
	TEXT(0, "data", "DIR", data_dir,
	  "CPU files, formula files and records here replace the built-in "
	  "ones"),
	TEXT(0, "event-tables", "DIR", event_tables,
	  "event tables: a checkout, folder or file of intel/perfmon, Linux, "
	  "ARM-software/data or likwid; several with ':' between"),
	TEXT(0, "db", "FILE", db,
	  "the database of runs, instead of ASSAY_DB and of assay.db in the "
	  "user's data folder"),
	FLAG('q', "quiet", quiet,
	  "no progress and no remarks on standard error"),
	FLAG('v', "verbose", verbose, "show details: sources, terms, reasons"),
	FLAG('h', "help", help, "explain this command"),
	{ 0 }
};

const struct option on_option[] = {
	TEXT(0, "on", "WHERE", on,
	  "perf (this machine), time (cycles without counters), sim:CPU, "
	  "replay:FILE (FILE alone, if its name has a '/', ends in .jsonl, or "
	  "is a file with a '.' in its name), "
	  "or null (wall time only)"),
	{ 0 }
};

const struct variable output_variables[] = {
	{ "NO_COLOR", "no colour; --color goes before it" },
	{ "FORCE_COLOR", "colour always; --color goes before it" },
	{ "COLUMNS", "the width of tables and plots" },
	{ "ASSAY_EVENT_TABLES", "event tables; --event-tables goes before it" },
	{ "ASSAY_DB", "the database of runs; empty: none; --db goes before it" },
	{ "ASSAY_DATADIR", "files here go before those of assay; --data goes "
	  "before it. The sources of the image are in bare/ there" },
	{ "ASSAY_LIBDIR", "the plugin for QEMU, assay-qemu.so, is here, and not "
	  "where assay is installed" },
	{ 0 }
};

const struct variable cert_variables[] = {
	{ "XDG_DATA_HOME", "without --cert-dir certificates are in "
	  "assay/certificates there, else in ~/.local/share" },
	{ 0 }
};

const struct option cert_options[] = {
	TEXT(0, "cert-dir", "DIR", cert_dir,
	  "certificates are here (else in the user's data folder)"),
	{ 0 }
};

const struct option page_map_option[] = {
	TEXT(0, "page-map", "MAP", page_map,
	  "sim: identity, random[:SEED] (-4k, -16k, -64k, -2m, -32m, -512m, "
	  "-1g: of such pages), or recorded:FILE (the frames of a native run)"),
	{ 0 }
};

const struct option job_options[] = {
	LIST('e', "event", "EVENTS", events,
	  "events to count, separated by commas; may be repeated"),
	LIST(0, "formulas", "FILE[:SET]", formulas,
	  "compute the pies and metrics of a formula file"),
	FLAG(0, "predict", predict,
	  "print what must be counted, and why; run nothing"),
	FLAG(0, "pie", pie,
	  "native kernels that load: also which level served the accesses, by "
	  "the time of single ones"),
	FLAG(0, "slope", slope,
	  "also run twice and four times the work: counts per unit of work, "
	  "overhead apart"),
	NUMBER('r', "repeat", "N", repeats, 1,
	  "run each shape N times; the median is shown"),
	NUMBER(0, "warmup", "N", warmup, 0,
	  "uncounted runs before the first (default 1)"),
	NUMBER(0, "cpu", "N", cpu, 0, "run on this CPU"),
	WORD(0, "page-size", "SIZE", pages, "4K|thp|huge",
	  "memory of native kernels: 4K, thp or huge"),
	FLAG(0, "no-fast-forward", no_fast_forward,
	  "sim: simulate every pass (the counts are the same, or one draw "
	  "under random replacement)"),
	{ 0 }
};
