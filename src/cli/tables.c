/* SPDX-License-Identifier: MIT */
/* --table: published tables of counts as the arguments of a command. */
#include "cli/tables.h"

#include <string.h>

const struct option table_options[] = {
	{ 0, "table", OPTION_FLAG, NULL,
	  "nothing is run: judge the tables of counts that the arguments name",
	  FIELD(table), 0, NULL },
	{ 0, "map", OPTION_TEXT, "'FIELD=EXPRESSION;...'",
	  "with a table: where the fields are, as in "
	  "'count=Value;expected=2*n+1'",
	  FIELD(map), 0, NULL },
	{ 0, "experiment", OPTION_TEXT, "FILE",
	  "with a table: what is true of the programs that ran",
	  FIELD(experiment), 0, NULL },
	{ 0, "set", OPTION_LIST, "KEY=NUMBER",
	  "with a table: a name for the expressions; may be repeated",
	  FIELD(sets), 0, NULL },
	{ 0 }
};

struct assay_tables tables_asked(struct settings *s,
				 struct assay_setting set[TABLE_SETS])
{
	return (struct assay_tables){
		.path = s->arg, .paths = s->args, .map = s->map,
		.experiment = s->experiment, .set = set,
		.sets = sets_split(s->sets, set),
	};
}

bool tables_is_file(const char *name)
{
	static const char *const ending[] = { ".csv", ".tsv", ".txt" };
	const size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (n > 4 && !strcmp(name + n - 4, ending[i]))
			return true;
	return !strcmp(name, "-") ||
	       (n && !name[strspn(name, "0123456789.")]);	/* runs */
}

int tables_wrong_use(const char *command, const struct settings *s,
		     size_t tables)
{
	if (s->table && !tables)
		return complain_text(command, EXIT_USAGE, "--table: which "
				     "table? Try: assay %s%s --table FILE.csv",
				     command, strcmp(command, "judge") ?
				     strcmp(command, "derive") ? "" :
				     " QUANTITY" : " FORMULA-FILE");
	if (s->table && (s->on || s->page_map))
		return complain_text(command, EXIT_USAGE, "--table judges "
				     "what was counted: nothing is run, and "
				     "--on and --page-map are for runs");
	if (!s->table && (s->map || s->experiment ||
			  (s->sets && !s->truth)))
		return complain_text(command, EXIT_USAGE, "--map, --experiment "
				     "and --set are for --table");
	return EXIT_OK;
}
