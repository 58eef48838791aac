/* SPDX-License-Identifier: MIT */
/* The table of commands. */
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
