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
	{ 'j', "json", OPTION_FLAG, NULL,
	  "print JSON Lines: one object per line",
	  FIELD(json), 0, NULL },
	{ 'x', "field-separator", OPTION_TEXT, "SEP",
	  "print CSV with this separator, such as ',' or '\\t'",
	  FIELD(separator), 0, NULL },
	{ 'o', "output", OPTION_TEXT, "FILE",
	  "write to a file; .csv, .jsonl, .json and .md choose the format",
	  FIELD(output), 0, NULL },
	{ 0 }
};

const struct option common_options[] = {
	{ 0, "color", OPTION_TEXT, "WHEN",
	  "colour the output: auto, always or never",
	  FIELD(colour), 0, "auto|always|never" },
	{ 0, "data", OPTION_TEXT, "DIR",
	  "CPU files, formula files and records here replace the built-in ones",
	  FIELD(data_dir), 0, NULL },
	{ 'q', "quiet", OPTION_FLAG, NULL,
	  "no progress and no remarks on standard error",
	  FIELD(quiet), 0, NULL },
	{ 'v', "verbose", OPTION_FLAG, NULL,
	  "show details: sources, terms, reasons",
	  FIELD(verbose), 0, NULL },
	{ 'h', "help", OPTION_FLAG, NULL, "explain this command",
	  FIELD(help), 0, NULL },
	{ 0 }
};

const struct option on_option[] = {
	{ 0, "on", OPTION_TEXT, "WHERE",
	  "perf (this machine), time (cycles without counters), sim:CPU, "
	  "replay:FILE (FILE alone, if its name has a '/' or ends in .jsonl), "
	  "or null (wall time only)",
	  FIELD(on), 0, NULL },
	{ 0 }
};

const struct variable output_variables[] = {
	{ "NO_COLOR", "no colour; --color goes before it" },
	{ "FORCE_COLOR", "colour always; --color goes before it" },
	{ "COLUMNS", "the width of tables and plots" },
	{ 0 }
};

const struct variable cert_variables[] = {
	{ "XDG_DATA_HOME", "without --cert-dir certificates are in "
	  "assay/certificates there, else in ~/.local/share" },
	{ 0 }
};

const struct option cert_options[] = {
	{ 0, "cert-dir", OPTION_TEXT, "DIR",
	  "certificates are here (else in the user's data folder)",
	  FIELD(cert_dir), 0, NULL },
	{ 0 }
};

const struct option page_map_option[] = {
	{ 0, "page-map", OPTION_TEXT, "MAP",
	  "sim: identity, random[:SEED] (-4k, -16k, -64k, -2m, -32m, -512m, "
	  "-1g: of such pages), or recorded:FILE (the frames of a native run)",
	  FIELD(page_map), 0, NULL },
	{ 0 }
};

const struct option job_options[] = {
	{ 'e', "event", OPTION_LIST, "EVENTS",
	  "events to count, separated by commas; may be repeated",
	  FIELD(events), 0, NULL },
	{ 0, "formulas", OPTION_LIST, "FILE[:SET]",
	  "compute the pies and metrics of a formula file",
	  FIELD(formulas), 0, NULL },
	{ 0, "predict", OPTION_FLAG, NULL,
	  "print what must be counted, and why; run nothing",
	  FIELD(predict), 0, NULL },
	{ 0, "pie", OPTION_FLAG, NULL,
	  "native kernels that load: also which level served the accesses, by "
	  "the time of single ones",
	  FIELD(pie), 0, NULL },
	{ 0, "slope", OPTION_FLAG, NULL,
	  "also run twice and four times the work: counts per unit of work, "
	  "overhead apart",
	  FIELD(slope), 0, NULL },
	{ 'r', "repeat", OPTION_NUMBER, "N",
	  "run each shape N times; the median is shown",
	  FIELD(repeats), 1, NULL },
	{ 0, "warmup", OPTION_NUMBER, "N",
	  "uncounted runs before the first (default 1)",
	  FIELD(warmup), 0, NULL },
	{ 0, "cpu", OPTION_NUMBER, "N", "run on this CPU",
	  FIELD(cpu), 0, NULL },
	{ 0, "page-size", OPTION_TEXT, "SIZE",
	  "memory of native kernels: 4K, thp or huge",
	  FIELD(pages), 0, "4K|thp|huge" },
	{ 0, "no-fast-forward", OPTION_FLAG, NULL,
	  "sim: simulate every pass (the counts are the same, or one draw "
	  "under random replacement)",
	  FIELD(no_fast_forward), 0, NULL },
	{ 0 }
};
