/* SPDX-License-Identifier: MIT */
/* The simulator's signals by name. */
#include "cpus/signals.h"

#include <stddef.h>
#include <string.h>

const char *const signal_names[CPU_SIGNALS + 2] = {
#define X(name, sentence) #name,
#include "base/signals.def"
#undef X
	"cycles", NULL
};

int signal_find(const char *name)
{
	for (int i = 0; i <= CPU_SIGNALS; i++)
		if (strcmp(signal_names[i], name) == 0)
			return i;
	return -1;
}
