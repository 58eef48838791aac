/* SPDX-License-Identifier: MIT */
/* The settings of the machine that times depend on; see env_conditions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sysfile.h"
#include "env/env.h"
#include "env/machine/sysfs-topology.h"

static const char cpu_folder[] = "/sys/devices/system/cpu";

struct conditions {
	char *out;
	size_t room, used;
	const char *given;
};

static void add_setting(struct conditions *c, const char *name,
			const char *value)
{
	char text[64];
	const int n = snprintf(text, sizeof(text), " %s=%s", name, value);

	if (n < 0 || n >= (int)sizeof(text) || c->used + (size_t)n >= c->room)
		return;
	text[n] = '\0';
	memcpy(c->out + c->used, text, (size_t)n + 1);
	c->used += (size_t)n;
}

/* Only letters and '_', as in the kernel's names of governors. */
static bool is_word(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";

	return *text && !text[strspn(text, letters)];
}

static void add_governor(struct conditions *c, const char *sysroot, int cpu)
{
	char text[40];

	if (cpu < 0)
		cpu = sysfs_first(sysroot);
	if (!strstr(c->given, "governor=") &&
	    sysfile_text(text, sizeof(text), sysroot, "%s/cpu%d/cpufreq/"
			 "scaling_governor", cpu_folder, cpu) > 0 &&
	    is_word(text))
		add_setting(c, "governor", text);
}

static void add_turbo(struct conditions *c, const char *sysroot)
{
	int64_t value;

	if (sysfile_number(&value, sysroot, "%s/intel_pstate/no_turbo",
			   cpu_folder))
		add_setting(c, "turbo", value ? "off" : "on");
	else if (sysfile_number(&value, sysroot, "%s/cpufreq/boost",
				cpu_folder))
		add_setting(c, "turbo", value ? "on" : "off");
}

/* ---- defences against speculation attacks -------------------------------- */

struct defences {
	const char *root;
	unsigned mitigated, vulnerable;
	uint32_t digest;	/* of all texts, in any order of the files */
};

static void add_defence(void *ctx, const char *name)
{
	struct defences *d = ctx;
	char text[512];
	uint32_t hash = 2166136261u;	/* FNV-1a */

	if (sysfile_text(text, sizeof(text), d->root, "%s/vulnerabilities/%s",
			 cpu_folder, name) <= 0)
		return;
	for (const char *c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	d->digest += hash;
	d->mitigated += !strncmp(text, "Mitigation", 10);
	d->vulnerable += !strncmp(text, "Vulnerable", 10);
}

/* "9+1-5d3b2a90": 9 mitigated, 1 vulnerable, and what the kernel says of all */
static void add_mitigations(struct conditions *c, const char *sysroot)
{
	struct defences d = { .root = sysroot };
	char folder[80], text[40];

	snprintf(folder, sizeof(folder), "%s/vulnerabilities", cpu_folder);
	sysfile_list(sysroot, folder, add_defence, &d);
	if (!d.digest)
		return;
	snprintf(text, sizeof(text), "%u+%u-%08" PRIx32, d.mitigated,
		 d.vulnerable, d.digest);
	add_setting(c, "mitigations", text);
}

void env_conditions(char *out, size_t room, const char *sysroot, int cpu,
		    const char *given)
{
	struct conditions c = { out, room, 0, given };
	int64_t smt;

	*out = '\0';
	add_governor(&c, sysroot, cpu);
	add_turbo(&c, sysroot);
	/* "off" is not shown: a guest does not see the host's SMT */
	if (sysfile_number(&smt, sysroot, "%s/smt/active", cpu_folder) && smt)
		add_setting(&c, "smt", "on");
	add_mitigations(&c, sysroot);
	if (!sysroot_is_live(sysroot))
		add_setting(&c, "sysroot", "yes");
}
