/* SPDX-License-Identifier: MIT */
/*
 * Has the CPU slowed itself down? The kernel counts it for Intel; registers
 * say it for both, and why; the Raspberry Pi's firmware has words of its own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "env/doctor/doctor.h"

/* ---- the kernel's counts ------------------------------------------------ */

static const char cpu_folder[] = "/sys/devices/system/cpu";

struct throttle {
	const char *root;
	int64_t core, package;	/* the largest of any CPU; -1: not told */
};

static void one_cpu(void *ctx, const char *name)
{
	struct throttle *t = ctx;
	int64_t n;

	if (strncmp(name, "cpu", 3) || name[3] < '0' || name[3] > '9')
		return;
	if (sysfile_number(&n, t->root, "%s/%s/thermal_throttle/"
			   "core_throttle_count", cpu_folder, name) &&
	    n > t->core)
		t->core = n;
	if (sysfile_number(&n, t->root, "%s/%s/thermal_throttle/"
			   "package_throttle_count", cpu_folder, name) &&
	    n > t->package)
		t->package = n;
}

static void say_throttle_counts(struct doctor *d)
{
	struct throttle t = { d->probe.sysroot, -1, -1 };

	sysfile_list(t.root, cpu_folder, one_cpu, &t);
	if (t.core < 0 && t.package < 0)
		return;
	doctor_say(d, "throttling", t.core > 0 || t.package > 0 ? "warn" : "ok",
		   t.core > 0 || t.package > 0 ? "it got too hot before and "
		   "may again" : "", t.core > 0 || t.package > 0 ?
		   "cool it; compare the counts before and after a run" : "",
		   "since the start a core %" PRId64 " and the package %"
		   PRId64 " times", t.core < 0 ? 0 : t.core,
		   t.package < 0 ? 0 : t.package);
}

/* ---- registers ---------------------------------------------------------- */

/*
 * Intel SDM 3, IA32_THERM_STATUS and IA32_PACKAGE_THERM_STATUS: even bits
 * now, odd ones since they were last cleared. AMD BKDG of family 10h and PPR of
 * family 19h, P-state Current Limit: above 0 the fastest states are forbidden.
 */
enum { CORE_THERM = 0x19c, PACKAGE_THERM = 0x1b1 };
#define PSTATE_LIMIT UINT32_C(0xc0010061)

static const struct { int bit; const char *now, *before; } therm_bits[] = {
	{ 0, "too hot", "was too hot" },
	{ 2, "told to slow down from outside", "was told to from outside" },
	{ 10, "at its power limit", "was at its power limit" },
	{ 12, "at its current limit", "was at its current limit" },
};

size_t doctor_therm_text(char *out, size_t room, uint64_t status)
{
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < sizeof(therm_bits) / sizeof(therm_bits[0]);
	     i++) {
		const int bit = therm_bits[i].bit;
		const bool now = status >> bit & 1;

		if (!(status >> bit & 3) || used >= room)
			continue;
		used += (size_t)snprintf(out + used, room - used, "%s%s",
					 used ? "; " : "", now ?
					 therm_bits[i].now :
					 therm_bits[i].before);
	}
	return used;
}

/* 0: nothing was ever slowed down. */
static void say_therm(struct doctor *d, const char *what, uint32_t reg)
{
	const uint64_t now = 1 | 1 << 2 | 1 << 10 | 1 << 12;
	uint64_t status;
	char text[192];

	if (!probe_msr(&d->probe, reg, &status))
		return;
	if (!doctor_therm_text(text, sizeof(text), status))
		doctor_say(d, what, "ok", "", "", "0x%" PRIx64
			   ": never slowed down", status);
	else
		doctor_say(d, what, "warn", status & now ? "the clock is "
			   "lowered now: times grow" : "it may happen again "
			   "during a run: compare core cycles, not ns",
			   "cool it, or raise the power limit in the firmware",
			   "0x%" PRIx64 ": %s", status, text);
}

static void say_pstate_limit(struct doctor *d)
{
	uint64_t status;

	if (!probe_msr(&d->probe, PSTATE_LIMIT, &status))
		return;
	if (status & 7)
		doctor_say(d, "P-state limit", "warn", "heat, power or the "
			   "firmware forbids the fastest clocks", "cool it, "
			   "or raise the power limit in the firmware",
			   "0x%" PRIx64 ": P%u is the fastest allowed",
			   status, (unsigned)(status & 7));
	else
		doctor_say(d, "P-state limit", "ok", "", "", "0x%" PRIx64
			   ": none", status);
}

/* A hypervisor gives zeros: that proves nothing. */
static void say_registers(struct doctor *d)
{
	if (d->hypervisor[0])
		return;
	if (!strcmp(d->id.vendor, "GenuineIntel")) {
		say_therm(d, "core throttled", CORE_THERM);
		say_therm(d, "package throttled", PACKAGE_THERM);
	} else if (!strcmp(d->id.vendor, "AuthenticAMD")) {
		say_pstate_limit(d);
	}
}

/* ---- the Raspberry Pi --------------------------------------------------- */

/*
 * The firmware: bits 0-3 now, bits 16-19 since the start.
 * Source: Raspberry Pi documentation, vcgencmd get_throttled.
 */
static const char *const pi_bits[4] = {
	"the voltage is too low", "the clock is capped", "it is throttled",
	"the soft temperature limit is reached"
};
static const char *const pi_old_bits[4] = {
	"the voltage was too low", "the clock was capped", "it was throttled",
	"the soft temperature limit was reached"
};

size_t doctor_pi_text(char *out, size_t room, unsigned bits)
{
	size_t used = 0;

	*out = '\0';
	for (int b = 0; b < 8; b++) {
		const char *const *words = b < 4 ? pi_bits : pi_old_bits;
		const int shift = b < 4 ? b : 12 + b;

		if (!(bits >> shift & 1) || used >= room)
			continue;
		used += (size_t)snprintf(out + used, room - used, "%s%s",
					 used ? "; " : "", words[b & 3]);
	}
	return used;
}

struct firmware {
	const char *root;
	char text[32];
};

static void one_soc(void *ctx, const char *name)
{
	struct firmware *f = ctx;

	if (strncmp(name, "soc", 3) || f->text[0])
		return;
	if (sysfile_text(f->text, sizeof(f->text), f->root, "/sys/devices/"
			 "platform/%s/soc:firmware/get_throttled", name) <= 0)
		sysfile_text(f->text, sizeof(f->text), f->root, "/sys/devices/"
			     "platform/%s/%s:firmware/get_throttled", name,
			     name);
}

static void say_pi(struct doctor *d)
{
	struct firmware f = { .root = d->probe.sysroot };
	char text[256];
	unsigned long bits;

	sysfile_list(f.root, "/sys/devices/platform", one_soc, &f);
	if (!f.text[0])
		return;
	bits = strtoul(f.text, NULL, 16);	/* with or without 0x */
	if (!doctor_pi_text(text, sizeof(text), (unsigned)bits))
		doctor_say(d, "get_throttled", "ok", "", "",
			   "0x%lx: never throttled", bits);
	else
		doctor_say(d, "get_throttled", "warn", bits & 15 ?
			   "the clock is lower than it says: measure cycles, "
			   "not times" : "it may happen again during a run",
			   bits & 0x10001 ? "a stronger power supply; a fan" :
			   "a fan or a larger heat sink", "0x%lx: %s", bits,
			   text);
}

void doctor_throttle(struct doctor *d)
{
	say_throttle_counts(d);
	say_registers(d);
	say_pi(d);
}
