/* SPDX-License-Identifier: MIT */
/* Settings of the machine as a run finds them. */
#include <stdio.h>
#include <string.h>

#include "base/sysfile.h"
#include "env/env.h"

static const char cpu_folder[] = "/sys/devices/system/cpu";

struct conditions {
	char *out;
	size_t room, used;
	const char *given;
};

static void put(struct conditions *c, const char *name, const char *value)
{
	char text[64];
	const int n = snprintf(text, sizeof(text), " %s=%s", name, value);

	if (n < 0 || n >= (int)sizeof(text) || c->used + (size_t)n >= c->room)
		return;
	text[n] = '\0';
	memcpy(c->out + c->used, text, (size_t)n + 1);
	c->used += (size_t)n;
}

/* A word of letters, as the kernel's are; anything else is not passed on. */
static bool is_word(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";

	return *text && !text[strspn(text, letters)];
}

static void put_governor(struct conditions *c, const char *sysroot, int cpu)
{
	char text[40];

	if (!strstr(c->given, "governor=") &&
	    sysfile_text(text, sizeof(text), sysroot, "%s/cpu%d/cpufreq/"
			 "scaling_governor", cpu_folder, cpu < 0 ? 0 : cpu) >
	    0 && is_word(text))
		put(c, "governor", text);
}

static void put_turbo(struct conditions *c, const char *sysroot)
{
	int64_t value;

	if (sysfile_number(&value, sysroot, "%s/intel_pstate/no_turbo",
			   cpu_folder))
		put(c, "turbo", value ? "off" : "on");
	else if (sysfile_number(&value, sysroot, "%s/cpufreq/boost",
				cpu_folder))
		put(c, "turbo", value ? "on" : "off");
}

void env_conditions(char *out, size_t room, const char *sysroot, int cpu,
		    const char *given)
{
	struct conditions c = { out, room, 0, given };
	int64_t smt;

	*out = '\0';
	put_governor(&c, sysroot, cpu);
	put_turbo(&c, sysroot);
	/* a guest's kernel sees none, whatever the host has */
	if (sysfile_number(&smt, sysroot, "%s/smt/active", cpu_folder) && smt)
		put(&c, "smt", "on");
	if (!sysroot_is_live(sysroot))
		put(&c, "sysroot", "yes");
}
