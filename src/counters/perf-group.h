/* SPDX-License-Identifier: MIT */
/*
 * The parts of the perf provider: perf_event_open (perf-attr.c), the machine's
 * limits (perf-limits.c), why an event was refused (perf-why.c), and a group of
 * counters of one thread (perf-group.c). Outside this room only regions
 * (api/region.c), a message of stat (stat/stat.c) and tests use them.
 *
 * Invariants
 * 1. One group, one leader, one read(2) for all members.
 * 2. Baselines are subtracted; PERF_EVENT_IOC_RESET is never used.
 * 3. A member that cannot be opened has a reason and does not disturb others.
 * 4. A counter that did not run is absent; one that ran for a part of the time
 *    is an estimate. Nothing else becomes a number.
 */
#ifndef COUNTERS_PERF_GROUP_H
#define COUNTERS_PERF_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "assay/count.h"
#include "base/encoding.h"

struct perf_event_attr;
struct perf_event_mmap_page;

/* ---- the machine's limits ------------------------------------------------ */

/* What the machine allows: decides which reason is given for an errno. */
struct perf_limits {
	bool sysfs;		/* the list of PMUs could be read */
	bool core_pmu;		/* the list has a PMU of a core */
	int claimed;		/* counters by CPUID; -1: not reported */
	int paranoid;		/* perf_event_paranoid; -9: not readable */
	bool watchdog;		/* the NMI watchdog holds a counter */
	bool filtered;		/* a seccomp filter is installed */
};

void perf_limits_read(struct perf_limits *out, const char *sysroot);

/* Reads CPUID leaf 0xA; false: not an Intel CPU, or it has no such leaf. */
bool perf_arch_leaf_a(uint32_t *eax, uint32_t *ebx, uint32_t *edx);

/* CPUID leaf 0xA (Intel SDM vol. 3, "Architectural Performance Monitoring"). */
struct perf_leaf_a {
	unsigned version;	/* 0: no counters, and all below is 0 */
	unsigned general, general_bits;	/* programmable counters per thread */
	unsigned fixed, fixed_bits;
	uint32_t missing;	/* bit n: architectural event n is missing */
};

void perf_leaf_a_decode(struct perf_leaf_a *out, uint32_t eax, uint32_t ebx,
			uint32_t edx);

/* ---- why an event was refused -------------------------------------------- */

/* A failed perf_event_open. */
struct perf_try {
	const struct encoding *event;
	int error;		/* errno */
	bool kernel;		/* asked to count in the kernel */
	unsigned breakpoints;	/* already in the group */
	bool alone;		/* the event opens outside the group */
	unsigned members;	/* events in the group before this one */
	bool other;		/* of another thread than the caller */
	bool all;		/* counts everything on a CPU */
	bool cgroup;		/* of a control group */
};

/* One sentence: the cause, and the cure if there is one. */
void perf_why(char out[ASSAY_WHY], const struct perf_limits *limits,
	      const struct perf_try *tried);

/* For an event that opened, but kept its group of `members` from running. */
void perf_why_too_many(char out[ASSAY_WHY], const struct perf_limits *limits,
		       unsigned members);

/* ---- perf_event_open ----------------------------------------------------- */

/*
 * Fills attr for an encoding; watched is the address of the symbol "watched",
 * or NULL. Returns false with a reason if perf cannot count the encoding.
 */
bool perf_attr_fill(struct perf_event_attr *attr, const struct encoding *event,
		    const char *watched, char why[ASSAY_WHY]);

/* Is the event counted by a PMU, not by the kernel's software? */
bool perf_in_hardware(const struct encoding *event);

/* perf_event_open of a thread (pid) or a control group (its open folder), on a
 * CPU or -1: all; leader: fd of the group's leader, or -1. An fd or -errno. */
int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int leader);
int perf_open_cgroup(struct perf_event_attr *attr, int folder, int cpu,
		     int leader);

/* ---- a group of counters ------------------------------------------------- */

/* What read(2) of the leader returns. */
struct perf_reading {
	uint64_t members, enabled, running;
	struct { uint64_t value, id; } member[ASSAY_EVENTS];
};

/* One event of the group. */
struct perf_slot {
	int fd;			/* -1: not open, for the reason in .why */
	unsigned index;		/* of its value in a reading */
	struct perf_event_mmap_page *page;	/* hardware events; or NULL */
	char why[ASSAY_WHY];
};

struct perf_group {
	int leader;		/* fd, or -1: nothing is open */
	unsigned events, members;	/* slots; open ones */
	bool gated;		/* enabled only between start and stop; else
				 * always enabled, and read at both */
	bool user;		/* all members have a page */
	bool by_user;		/* the last start read the pages */
	struct perf_slot slot[ASSAY_EVENTS];
	struct perf_reading before, after;
};

/* Whom to count: pid and cpu as for perf_open(). */
struct perf_target {
	pid_t pid;
	int cpu;
	const char *watched;	/* as in perf_attr_fill() */
	const char *sysroot;
};

/* Opens what can be opened; free *group with perf_group_close(). */
void perf_group_open(struct perf_group *group, const struct group *events,
		     const struct perf_target *target);
/* 0 or an errno. */
int perf_group_start(struct perf_group *group);
int perf_group_stop(struct perf_group *group);
/* What was counted between start and stop: counts[e] for each event; reasons
 * are borrowed from *group. */
void perf_group_counts(const struct perf_group *group,
		       struct assay_count *counts);
void perf_group_close(struct perf_group *group);

/* A count with its state, from the differences of two readings. */
struct assay_count perf_count(uint64_t value, uint64_t enabled,
			      uint64_t running);

/* The same from two readings of user pages, in which the times do not advance
 * while the counter runs. */
struct assay_count perf_count_user(uint64_t value, uint64_t enabled,
				   uint64_t running);

#endif
