/* SPDX-License-Identifier: MIT */
/*
 * Clock and heat: a machine that slows itself down gives times that nobody
 * can repeat, and says so in different places.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"

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

/* Where the kernel begins to slow the CPU down, or where it stops. */
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

static void say_temperature(struct doctor *d)
{
	struct heat h = { .root = d->probe.sysroot };
	char limit[64] = "";

	sysfile_list(h.root, "/sys/class/thermal", one_zone, &h);
	sysfile_list(h.root, "/sys/class/hwmon", one_sensor, &h);
	if (!h.hottest) {
		doctor_say(d, "temperature", "info", "", "", "no sensor is "
			   "visible%s", d->hypervisor[0] ? ": the host may "
			   "slow down unseen" : "");
		return;
	}
	if (h.limit)
		snprintf(limit, sizeof(limit), "; slowed down at %" PRId64
			 " C", h.limit / 1000);
	if (h.limit && h.hottest > h.limit - 5000)
		doctor_say(d, "temperature", "warn",
			   "the clock is lowered to cool the CPU: times grow "
			   "during a run", "cool it; measure in short runs, "
			   "or at a lower fixed frequency", "%" PRId64
			   " C (%s)%s", h.hottest / 1000, h.where, limit);
	else
		doctor_say(d, "temperature", "ok", "", "", "%" PRId64
			   " C (%s)%s", h.hottest / 1000, h.where, limit);
}

/* ---- the clock ---------------------------------------------------------- */

static bool khz(int64_t *out, const struct doctor *d, const char *name)
{
	return sysfile_number(out, d->probe.sysroot, "%s/cpu0/cpufreq/%s",
			      cpu_folder, name) && *out > 0;
}

static void say_frequency(struct doctor *d)
{
	int64_t most, allowed, now, firmware;

	if (!khz(&most, d, "cpuinfo_max_freq"))
		return;
	if (!khz(&now, d, "scaling_cur_freq"))
		now = 0;
	if (khz(&firmware, d, "bios_limit") && firmware < most)
		doctor_say(d, "frequency", "warn", "the firmware holds the "
			   "clock down: heat, power, or a setting",
			   "look at the firmware's power settings",
			   "limited to %" PRId64 " of %" PRId64 " MHz",
			   firmware / 1000, most / 1000);
	else if (khz(&allowed, d, "scaling_max_freq") && allowed < most)
		doctor_say(d, "frequency", "info", "", "", "limited to %" PRId64
			   " of %" PRId64 " MHz by scaling_max_freq; now %"
			   PRId64, allowed / 1000, most / 1000, now / 1000);
	else
		doctor_say(d, "frequency", "ok", "", "", "now %" PRId64
			   " of at most %" PRId64 " MHz", now / 1000,
			   most / 1000);
}

/* Turbo depends on heat and on what the other cores do. */
static void say_turbo(struct doctor *d)
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
		doctor_say(d, "turbo", on ? "warn" : "ok", on ?
			   "the clock depends on heat and on the other cores: "
			   "compare core cycles, not ns" : "", on ?
			   "as root: echo 1 > /sys/devices/system/cpu/"
			   "intel_pstate/no_turbo, or echo 0 > /sys/devices/"
			   "system/cpu/cpufreq/boost" : "", on ? "on" : "off");
}

void doctor_heat(struct doctor *d)
{
	say_temperature(d);
	doctor_throttle(d);
	say_frequency(d);
	say_turbo(d);
}
