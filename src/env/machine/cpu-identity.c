/* SPDX-License-Identifier: MIT */
/*
 * Does the model number fit the CPU? A hypervisor can show its guest another
 * number. The check looks for features that the model never has, and compares
 * cache sizes. A missing feature proves nothing: hypervisors switch features
 * off.
 */
#include <stdio.h>
#include <string.h>

#include "env/machine/machine.h"

/*
 * Sources: Intel SDM 3, "Table of family/model"; Intel's optimisation manual,
 * cache tables; AMD's processor programming references. l2_kib 0: several
 * sizes.
 */
static const struct model {
	const char *vendor;
	int family, low, high;	/* models low..high */
	const char *name;
	unsigned l1d_kib, l2_kib;
	const char *never[4];
} models[] = {
	{ "GenuineIntel", 6, 42, 42, "Sandy Bridge", 32, 256, { "avx2" } },
	{ "GenuineIntel", 6, 45, 45, "Sandy Bridge-E", 32, 256, { "avx2" } },
	{ "GenuineIntel", 6, 58, 58, "Ivy Bridge", 32, 256, { "avx2" } },
	{ "GenuineIntel", 6, 62, 62, "Ivy Bridge-E", 32, 256, { "avx2" } },
	{ "GenuineIntel", 6, 60, 60, "Haswell", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 63, 63, "Haswell-E", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 69, 70, "Haswell", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 61, 61, "Broadwell", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 71, 71, "Broadwell", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 79, 79, "Broadwell-E", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 78, 78, "Skylake", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 94, 94, "Skylake", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 142, 142, "Kaby Lake", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 158, 158, "Coffee Lake", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 165, 166, "Comet Lake", 32, 256, { "avx512f" } },
	{ "GenuineIntel", 6, 85, 85, "Skylake-SP or Cascade Lake", 32, 1024,
	  { "gfni", "vaes", "sha_ni", "amx_tile" } },
	{ "GenuineIntel", 6, 106, 108, "Ice Lake-SP", 48, 1280,
	  { "amx_tile", "avx512_fp16" } },
	{ "GenuineIntel", 6, 125, 126, "Ice Lake", 48, 512,
	  { "amx_tile", "avx512_fp16" } },
	{ "GenuineIntel", 6, 140, 141, "Tiger Lake", 48, 1280,
	  { "amx_tile", "avx512_fp16" } },
	{ "GenuineIntel", 6, 167, 167, "Rocket Lake", 48, 512,
	  { "amx_tile", "avx512_fp16" } },
	{ "GenuineIntel", 6, 143, 143, "Sapphire Rapids", 48, 2048, { 0 } },
	{ "GenuineIntel", 6, 207, 207, "Emerald Rapids", 48, 2048, { 0 } },
	{ "GenuineIntel", 6, 151, 154, "Alder Lake", 48, 0, { "amx_tile" } },
	{ "GenuineIntel", 6, 183, 183, "Raptor Lake", 48, 0, { "amx_tile" } },
	{ "GenuineIntel", 6, 186, 186, "Raptor Lake", 48, 0, { "amx_tile" } },
	{ "GenuineIntel", 6, 190, 190, "Alder Lake-N", 32, 0, { "avx512f" } },
	{ "GenuineIntel", 6, 191, 191, "Raptor Lake", 48, 0, { "amx_tile" } },
	{ "GenuineIntel", 6, 173, 174, "Granite Rapids", 48, 2048, { 0 } },
	{ "AuthenticAMD", 16, 0, 255, "K10", 64, 0, { "avx" } },
	{ "AuthenticAMD", 23, 0, 47, "Zen", 32, 512, { "avx512f", "clwb" } },
	{ "AuthenticAMD", 23, 48, 255, "Zen 2", 32, 512, { "avx512f" } },
	{ "AuthenticAMD", 25, 0, 15, "Zen 3", 32, 512, { "avx512f" } },
	{ "AuthenticAMD", 25, 16, 31, "Zen 4", 32, 1024, { "amx_tile" } },
	{ "AuthenticAMD", 25, 32, 95, "Zen 3", 32, 512, { "avx512f" } },
	{ "AuthenticAMD", 25, 96, 127, "Zen 4", 32, 1024, { "amx_tile" } },
	{ "AuthenticAMD", 25, 160, 175, "Zen 4", 32, 1024, { "amx_tile" } },
	{ "AuthenticAMD", 26, 0, 255, "Zen 5", 48, 1024, { "amx_tile" } },
};

/*
 * Arm's cores: the size of the L1D (0: several), and features of
 * /proc/cpuinfo that the core's architecture version lacks. Source: the cores'
 * technical reference manuals.
 */
static const struct core {
	unsigned code;		/* implementer << 12 | part */
	const char *name;
	unsigned l1d_kib;
	const char *never[2];
} cores[] = {
	{ 0x41d03, "Cortex-A53", 0, { "atomics", "sve" } },
	{ 0x41d05, "Cortex-A55", 0, { "sve", "sve2" } },
	{ 0x41d07, "Cortex-A57", 32, { "atomics", "sve" } },
	{ 0x41d08, "Cortex-A72", 32, { "atomics", "sve" } },
	{ 0x41d0b, "Cortex-A76", 64, { "sve", "sve2" } },
	{ 0x41d0c, "Neoverse N1", 64, { "sve", "sve2" } },
	{ 0x41d0d, "Cortex-A77", 64, { "sve", "sve2" } },
	{ 0x41d40, "Neoverse V1", 64, { "sve2", NULL } },
	{ 0x41d41, "Cortex-A78", 0, { "sve", "sve2" } },
	{ 0x41d44, "Cortex-X1", 64, { "sve", "sve2" } },
	{ 0x41d49, "Neoverse N2", 64, { NULL, NULL } },
	{ 0x41d4f, "Neoverse V2", 64, { NULL, NULL } },
};

static bool arm_masked(char *out, size_t room, const struct machine_id *id,
		       unsigned l1d_kib)
{
	const unsigned code = (id->midr >> 24) << 12 | ((id->midr >> 4) &
							0xfff);

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		const struct core *c = &cores[i];

		if (c->code != code)
			continue;
		for (int n = 0; n < 2 && c->never[n]; n++)
			if (machine_flag(id, c->never[n])) {
				snprintf(out, room, "MIDR says %s, which has "
					 "no %s, but this CPU does", c->name,
					 c->never[n]);
				return true;
			}
		if (c->l1d_kib && l1d_kib && l1d_kib != c->l1d_kib) {
			snprintf(out, room, "MIDR says %s, which has a %u KiB "
				 "L1d; this one has %u KiB", c->name,
				 c->l1d_kib, l1d_kib);
			return true;
		}
	}
	return false;
}

static const struct model *find_model(const struct machine_id *id)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (!strcmp(models[i].vendor, id->vendor) &&
		    models[i].family == id->family &&
		    id->model >= models[i].low && id->model <= models[i].high)
			return &models[i];
	return NULL;
}

static const char *forbidden(const struct machine_id *id,
			     const struct model *m)
{
	for (int i = 0; i < 4 && m->never[i]; i++)
		if (machine_flag(id, m->never[i]))
			return m->never[i];
	return NULL;
}

bool machine_masked(char *out, size_t room, const struct machine_id *id,
		    unsigned l1d_kib, unsigned l2_kib)
{
	const struct model *m = id->isa == MACHINE_X86 ? find_model(id) : NULL;
	const char *flag;
	int used;

	if (id->isa == MACHINE_ARM)
		return arm_masked(out, room, id, l1d_kib);
	if (!m)
		return false;
	flag = forbidden(id, m);
	used = snprintf(out, room, "family %d model %d is %s, which has",
			id->family, id->model, m->name);
	if (used < 0 || (size_t)used >= room)
		return false;
	out += used;
	room -= (size_t)used;
	if (flag) {
		snprintf(out, room, " no %s, but this CPU does", flag);
		return true;
	}
	if (m->l2_kib && l2_kib && l2_kib != m->l2_kib) {
		snprintf(out, room, " a %u KiB L2; this one has %u KiB",
			 m->l2_kib, l2_kib);
		return true;
	}
	if (l1d_kib && l1d_kib != m->l1d_kib) {
		snprintf(out, room, " a %u KiB L1d; this one has %u KiB",
			 m->l1d_kib, l1d_kib);
		return true;
	}
	return false;
}
