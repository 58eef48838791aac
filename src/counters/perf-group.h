/* SPDX-License-Identifier: MIT */
/*
 * The perf provider's own parts: an encoding as the kernel takes it, why it
 * was refused, and a group of open counters. Besides perf*.c, only regions of
 * one's own code (api/region.c), the sentence about
 * what did not fit (api/stat.c) and tests include this.
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

/* What the machine allows, read once per open: decides which reason fits. */
struct perf_limits {
	bool sysfs;		/* the list of PMUs could be read */
	bool core_pmu;		/* one of them counts for a core */
	int claimed;		/* counters that CPUID claims; -1: not told */
	int paranoid;		/* perf_event_paranoid; -9: not readable */
	bool watchdog;		/* the NMI watchdog holds a counter */
	bool filtered;		/* a seccomp filter is installed */
};

void perf_limits_read(struct perf_limits *out, const char *sysroot);

/* Counters that the CPU itself claims to have, or -1: it does not say. */
int perf_arch_counters(void);

/* CPUID leaf 0xA (Intel SDM vol. 3, "Architectural Performance Monitoring"). */
struct perf_leaf_a {
	unsigned version;	/* 0: no counters, and all below is 0 */
	unsigned general, general_bits;	/* programmable ones of a thread */
	unsigned fixed, fixed_bits;
	uint32_t missing;	/* bit n: it lacks architectural event n */
};

void perf_leaf_a_decode(struct perf_leaf_a *out, uint32_t eax, uint32_t ebx,
			uint32_t edx);

/* What was tried, for the sentence about its failure. */
struct perf_try {
	const struct encoding *event;
	int error;		/* errno */
	bool kernel;		/* it asked to count in the kernel */
	unsigned breakpoints;	/* that the group holds already */
	bool alone;		/* it does open outside the group */
	unsigned members;	/* events in the group before it */
	bool other;		/* of another thread than the caller */
	bool all;		/* of everything that a CPU runs */
	bool cgroup;		/* of a control group */
};

void perf_why(char out[ASSAY_WHY], const struct perf_limits *place,
	      const struct perf_try *tried);

/* For a member that opened but keeps its group from running. */
void perf_why_too_many(char out[ASSAY_WHY], const struct perf_limits *place,
		       unsigned members);

/*
 * Fills attr for an encoding; watched is the address of the symbol "watched",
 * or NULL. Returns false with a reason if the encoding can be no attr.
 */
bool perf_attr_fill(struct perf_event_attr *attr, const struct encoding *event,
		    const char *watched, char why[ASSAY_WHY]);

struct perf_reading {
	uint64_t members, enabled, running;
	struct { uint64_t value, id; } member[ASSAY_EVENTS];
};

struct perf_slot {
	int fd;			/* -1: not open, .why says why */
	unsigned place;		/* of its value in a reading */
	struct perf_event_mmap_page *page;	/* hardware events; or NULL */
	char why[ASSAY_WHY];
};

struct perf_group {
	int leader;		/* fd, or -1: nothing is open */
	unsigned events, members;
	bool gated;		/* enabled only between start and stop; else
				 * always on and read twice */
	bool user;		/* all members have a page */
	bool by_user;		/* the last start read the pages */
	struct perf_slot slot[ASSAY_EVENTS];
	struct perf_reading before, after;
};

/* Whom to count: perf_event_open's pid and cpu, the watched word, and root. */
struct perf_target {
	pid_t pid;
	int cpu;
	const char *watched;
	const char *sysroot;
};

void perf_group_open(struct perf_group *group, const struct group *events,
		     const struct perf_target *target);
/* 0 or an errno. */
int perf_group_start(struct perf_group *group);
int perf_group_stop(struct perf_group *group);
void perf_group_counts(const struct perf_group *group,
		       struct assay_count *counts);
void perf_group_close(struct perf_group *group);

/* The state of a count from what was read for its stretch of time. */
struct assay_count perf_count(uint64_t value, uint64_t enabled,
			      uint64_t running);

/* The same for readings of user pages, whose times may stand still. */
struct assay_count perf_count_user(uint64_t value, uint64_t enabled,
				   uint64_t running);

/* perf_event_open; returns an fd or -errno. */
int perf_open_cgroup(struct perf_event_attr *attr, int folder, int cpu,
		     int leader);
int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int leader);

#endif
