/* SPDX-License-Identifier: MIT */
/* Stepping and microcode: what changes counters under an unchanged name. */
#include <stdio.h>
#include <stdlib.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/env.h"

void env_revision(char *stepping, size_t stepping_room, char *microcode,
		  size_t microcode_room, const char *sysroot)
{
	char cpuinfo[8192], variant[24], revision[24];

	*stepping = *microcode = '\0';
	sysfile_text(cpuinfo, sizeof(cpuinfo), sysroot, "/proc/cpuinfo");
	if (sysfile_key(variant, sizeof(variant), cpuinfo, "CPU variant") &&
	    sysfile_key(revision, sizeof(revision), cpuinfo, "CPU revision"))
		snprintf(stepping, stepping_room, "r%ldp%ld",
			 strtol(variant, NULL, 0), strtol(revision, NULL, 0));
	else
		sysfile_key(stepping, stepping_room, cpuinfo, "stepping");
	sysfile_key(microcode, microcode_room, cpuinfo, "microcode");
}
