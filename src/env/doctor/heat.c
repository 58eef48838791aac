/* SPDX-License-Identifier: MIT */
/*
 * The part "heat": temperature, clock, and whether the CPU has slowed itself
 * down, which makes times unrepeatable. The kernel counts this for Intel;
 * registers of Intel and AMD show it with the reason; the Raspberry Pi's
 * firmware has bits of its own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"
#include "env/machine/sysfs-topology.h"

static const char cpu_folder[] = "/sys/devices/system/cpu";

/* ---- temperature -------------------------------------------------------- */

struct heat {
	const char *root;
	int64_t hottest, limit;	/* thousandths of a degree; limit 0: none */
	char where[64];
};

static void hotter(struct heat *h, int64_t temperature, int64_t limit,
		   const char *where)
{
	if (temperature <= h->hottest || temperature > 200000)
		return;
	h->hottest = temperature;
	h->limit = limit;
	text_copy(h->where, sizeof(h->where), where);
}

/* The lowest temperature at which the kernel slows the CPU down or stops it. */
static int64_t trip_point(const char *root, const char *zone)
{
	int64_t lowest = 0, at;
	char type[32];

	for (int i = 0; i < 12; i++) {
		if (sysfile_text(type, sizeof(type), root,
				 "/sys/class/thermal/%s/trip_point_%d_type",
				 zone, i) <= 0)
			break;
		if (strcmp(type, "passive") && strcmp(type, "hot") &&
		    strcmp(type, "critical"))
			continue;
		if (sysfile_number(&at, root, "/sys/class/thermal/%s/"
				   "trip_point_%d_temp", zone, i) &&
		    at > 0 && (!lowest || at < lowest))
			lowest = at;
	}
	return lowest;
}

static void one_zone(void *ctx, const char *name)
{
	struct heat *h = ctx;
	char type[64];
	int64_t now;

	if (strncmp(name, "thermal_zone", 12) ||
	    !sysfile_number(&now, h->root, "/sys/class/thermal/%s/temp", name))
		return;
	sysfile_text(type, sizeof(type), h->root, "/sys/class/thermal/%s/type",
		     name);
	hotter(h, now, trip_point(h->root, name), type[0] ? type : name);
}

/* AMD's and Intel's own sensors: k10temp, zenpower, coretemp. */
static void one_sensor(void *ctx, const char *name)
{
	static const char *const known[] = { "k10temp", "zenpower",
					     "coretemp" };
	struct heat *h = ctx;
	int64_t now, limit = 0;
	char type[64];

	sysfile_text(type, sizeof(type), h->root, "/sys/class/hwmon/%s/name",
		     name);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(type, known[i]) ||
		    !sysfile_number(&now, h->root,
				    "/sys/class/hwmon/%s/temp1_input", name))
			continue;
		sysfile_number(&limit, h->root,
			       "/sys/class/hwmon/%s/temp1_max", name);
		hotter(h, now, limit, type);
	}
}

static void add_temperature(struct doctor *d)
{
	struct heat h = { .root = d->probe.sysroot };
	char limit[64] = "";

	sysfile_list(h.root, "/sys/class/thermal", one_zone, &h);
	sysfile_list(h.root, "/sys/class/hwmon", one_sensor, &h);
	if (!h.hottest) {
		doctor_add(d, "temperature", "info", "", "", "no sensor is "
			   "visible%s", d->hypervisor[0] ? ": the host may "
			   "slow down unseen" : "");
		return;
	}
	if (h.limit)
		snprintf(limit, sizeof(limit), "; slowed down at %" PRId64
			 " C", h.limit / 1000);
	if (h.limit && h.hottest > h.limit - 5000)
		doctor_add(d, "temperature", "warn",
			   "the clock is lowered to cool the CPU: times grow "
			   "during a run", "cool it; measure in short runs, "
			   "or at a lower fixed frequency", "%" PRId64
			   " C (%s)%s", h.hottest / 1000, h.where, limit);
	else
		doctor_ok(d, "temperature", "%" PRId64 " C (%s)%s",
			  h.hottest / 1000, h.where, limit);
}

/* ---- the kernel's counts ------------------------------------------------ */

struct throttle {
	const char *root;
	int64_t core, package;	/* the largest of any CPU; -1: not shown */
};

static void one_cpu(void *ctx, const char *name)
{
	struct throttle *t = ctx;
	int64_t n;

	if (sysfile_index(name, "cpu") < 0)
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

static void add_throttle_counts(struct doctor *d)
{
	struct throttle t = { d->probe.sysroot, -1, -1 };

	sysfile_list(t.root, cpu_folder, one_cpu, &t);
	if (t.core < 0 && t.package < 0)
		return;
	doctor_add(d, "throttling", t.core > 0 || t.package > 0 ? "warn" : "ok",
		   t.core > 0 || t.package > 0 ? "it got too hot before and "
		   "may again" : "", t.core > 0 || t.package > 0 ?
		   "cool it; compare the counts before and after a run" : "",
		   "since the start a core %" PRId64 " and the package %"
		   PRId64 " times", t.core < 0 ? 0 : t.core,
		   t.package < 0 ? 0 : t.package);
}

/* ---- registers ---------------------------------------------------------- */

/*
 * Intel SDM 3, IA32_THERM_STATUS and IA32_PACKAGE_THERM_STATUS: an even bit is
 * the state now, the odd bit above it is set until software clears it. AMD BKDG
 * of family 10h and PPR of family 19h, P-state Current Limit: above 0 the
 * fastest states are forbidden.
 */
enum { CORE_THERM = 0x19c, PACKAGE_THERM = 0x1b1 };
#define PSTATE_LIMIT UINT32_C(0xc0010061)

static const struct { int bit; const char *now, *before; } therm_bits[] = {
	{ 0, "too hot", "was too hot" },
	{ 2, "told to slow down from outside", "was told to from outside" },
	{ 10, "at its power limit", "was at its power limit" },
	{ 12, "at its current limit", "was at its current limit" },
};

bool doctor_therm_text(char *out, size_t room, uint64_t status)
{
	*out = '\0';
	for (size_t i = 0; i < sizeof(therm_bits) / sizeof(therm_bits[0]);
	     i++) {
		const int bit = therm_bits[i].bit;
		const bool now = status >> bit & 1;

		if (status >> bit & 3)
			text_add(out, room, "; ", "%s", now ?
				 therm_bits[i].now : therm_bits[i].before);
	}
	return *out;
}

static void add_therm(struct doctor *d, const char *what, uint32_t reg)
{
	const uint64_t now = 1 | 1 << 2 | 1 << 10 | 1 << 12;
	uint64_t status;
	char text[192];

	if (!probe_msr(&d->probe, reg, &status))
		return;
	if (!doctor_therm_text(text, sizeof(text), status))
		doctor_add(d, what, "ok", "", "", "0x%" PRIx64
			   ": never slowed down", status);
	else
		doctor_add(d, what, "warn", status & now ? "the clock is "
			   "lowered now: times grow" : "it may happen again "
			   "during a run: compare core cycles, not ns",
			   "cool it, or raise the power limit in the firmware",
			   "0x%" PRIx64 ": %s", status, text);
}

static void add_pstate_limit(struct doctor *d)
{
	uint64_t status;

	if (!probe_msr(&d->probe, PSTATE_LIMIT, &status))
		return;
	if (status & 7)
		doctor_add(d, "P-state limit", "warn", "heat, power or the "
			   "firmware forbids the fastest clocks", "cool it, "
			   "or raise the power limit in the firmware",
			   "0x%" PRIx64 ": P%u is the fastest allowed",
			   status, (unsigned)(status & 7));
	else
		doctor_ok(d, "P-state limit", "0x%" PRIx64 ": none", status);
}

/* Under a hypervisor the registers read 0, which proves nothing. */
static void add_registers(struct doctor *d)
{
	if (d->hypervisor[0])
		return;
	if (!strcmp(d->id.vendor, "GenuineIntel")) {
		add_therm(d, "core throttled", CORE_THERM);
		add_therm(d, "package throttled", PACKAGE_THERM);
	} else if (!strcmp(d->id.vendor, "AuthenticAMD")) {
		add_pstate_limit(d);
	}
}

/* ---- the Raspberry Pi --------------------------------------------------- */

/*
 * The firmware's bits 0-3 are the state now, bits 16-19 since the start.
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

bool doctor_pi_text(char *out, size_t room, unsigned bits)
{
	*out = '\0';
	for (int b = 0; b < 8; b++) {
		const char *const *words = b < 4 ? pi_bits : pi_old_bits;
		const int shift = b < 4 ? b : 12 + b;

		if (bits >> shift & 1)
			text_add(out, room, "; ", "%s", words[b & 3]);
	}
	return *out;
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

static void add_pi(struct doctor *d)
{
	struct firmware f = { .root = d->probe.sysroot };
	char text[256];
	unsigned long bits;

	sysfile_list(f.root, "/sys/devices/platform", one_soc, &f);
	if (!f.text[0])
		return;
	bits = strtoul(f.text, NULL, 16);	/* with or without 0x */
	if (!doctor_pi_text(text, sizeof(text), (unsigned)bits))
		doctor_ok(d, "get_throttled", "0x%lx: never throttled", bits);
	else
		doctor_add(d, "get_throttled", "warn", bits & 15 ?
			   "the clock is lower than it says: measure cycles, "
			   "not times" : "it may happen again during a run",
			   bits & 0x10001 ? "a stronger power supply; a fan" :
			   "a fan or a larger heat sink", "0x%lx: %s", bits,
			   text);
}

static void report_throttling(struct doctor *d)
{
	add_throttle_counts(d);
	add_registers(d);
	add_pi(d);
}

/* ---- the clock ---------------------------------------------------------- */

static bool khz(int64_t *out, const struct doctor *d, const char *name)
{
	return sysfile_number(out, d->probe.sysroot, "%s/cpu%d/cpufreq/%s",
			      cpu_folder, sysfs_first(d->probe.sysroot),
			      name) && *out > 0;
}

static void add_frequency(struct doctor *d)
{
	int64_t most, allowed, now, firmware;

	if (!khz(&most, d, "cpuinfo_max_freq"))
		return;
	if (!khz(&now, d, "scaling_cur_freq"))
		now = 0;
	if (khz(&firmware, d, "bios_limit") && firmware < most)
		doctor_add(d, "frequency", "warn", "the firmware holds the "
			   "clock down: heat, power, or a setting",
			   "look at the firmware's power settings",
			   "limited to %" PRId64 " of %" PRId64 " MHz",
			   firmware / 1000, most / 1000);
	else if (khz(&allowed, d, "scaling_max_freq") && allowed < most)
		doctor_add(d, "frequency", "info", "", "", "limited to %" PRId64
			   " of %" PRId64 " MHz by scaling_max_freq; now %"
			   PRId64, allowed / 1000, most / 1000, now / 1000);
	else
		doctor_ok(d, "frequency", "now %" PRId64 " of at most %" PRId64
			  " MHz", now / 1000, most / 1000);
}

/* Turbo depends on heat and on what the other cores do. */
static void add_turbo(struct doctor *d)
{
	const char *root = d->probe.sysroot;
	int64_t off, on;
	bool known;

	known = sysfile_number(&off, root, "%s/intel_pstate/no_turbo",
			       cpu_folder);
	if (known)
		on = !off;
	else
		known = sysfile_number(&on, root, "%s/cpufreq/boost",
				       cpu_folder);
	if (known)
		doctor_add(d, "turbo", on ? "warn" : "ok", on ?
			   "the clock depends on heat and on the other cores: "
			   "compare core cycles, not ns" : "", on ?
			   "as root: echo 1 > /sys/devices/system/cpu/"
			   "intel_pstate/no_turbo, or echo 0 > /sys/devices/"
			   "system/cpu/cpufreq/boost" : "", on ? "on" : "off");
}

void doctor_heat(struct doctor *d)
{
	add_temperature(d);
	report_throttling(d);
	add_frequency(d);
	add_turbo(d);
}
