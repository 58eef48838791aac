/* SPDX-License-Identifier: MIT */
/*
 * A group of counters of one thread: opened once, read at start and at stop.
 *
 * - Always enabled: the group counts from open to close, and start and stop
 *   each read it with one read(2). Nothing is rescheduled.
 * - From user space: if all members are hardware events that user space may
 *   read, they are read without a system call. If a member is in no hardware
 *   counter at that time, read(2) gives the same numbers instead.
 * - Gated: start enables the leader, stop disables and reads it. For groups
 *   with breakpoints, which cost 4 us per hit and must not trap elsewhere.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "counters/perf-group.h"
#include "counters/perf-user.h"

static const char never_ran[] = "not counted: the counter never ran";
static const char never_on[] = "not counted: the counter was never enabled";
static const char lost[] = "not counted: the kernel's answer lacks this event";

/*
 * Opens an event, with user access if the kernel allows it. Some PMUs (msr)
 * refuse to exclude user or kernel code: if the event names no scope, they
 * count everything.
 */
static int open_scoped(struct perf_event_attr *attr,
		       const struct encoding *event,
		       const struct perf_target *target, int leader)
{
	const uint64_t config1 = attr->config1;
	int fd;

	if (perf_in_hardware(event) && !config1)
		attr->config1 = perf_user_config1(target->sysroot);
	fd = perf_open(attr, target->pid, target->cpu, leader);
	if (fd < 0 && attr->config1 != config1) {
		attr->config1 = config1;
		fd = perf_open(attr, target->pid, target->cpu, leader);
	}
	if (fd != -EINVAL || event->family != ENCODING_PMU || event->scope)
		return fd;
	attr->exclude_kernel = attr->exclude_hv = 0;
	return perf_open(attr, target->pid, target->cpu, leader);
}

/* Does the event open outside the group? Then the group is too big. */
static bool opens_alone(struct perf_event_attr *attr,
			const struct perf_target *target)
{
	const int fd = perf_open(attr, target->pid, target->cpu, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static unsigned breakpoints(const struct perf_group *group,
			    const struct group *events)
{
	unsigned n = 0;

	for (unsigned e = 0; e < group->events; e++)
		n += group->slot[e].fd >= 0 &&
		     events->event[e].family == ENCODING_BREAKPOINT;
	return n;
}

static void open_slot(struct perf_group *group, const struct group *events,
		      unsigned e, const struct perf_target *target,
		      const struct perf_limits *limits)
{
	struct perf_slot *slot = &group->slot[e];
	const struct encoding *event = &events->event[e];
	struct perf_event_attr attr;
	int fd;

	slot->fd = -1;
	if (!perf_attr_fill(&attr, event, target->watched, slot->why))
		return;
	attr.disabled = group->leader < 0;
	fd = open_scoped(&attr, event, target, group->leader);
	if (fd < 0) {
		const struct perf_try tried = {
			.event = event, .error = -fd,
			.kernel = !attr.exclude_kernel,
			.breakpoints = breakpoints(group, events),
			.alone = fd == -EINVAL && group->leader >= 0 &&
				 opens_alone(&attr, target),
			.members = group->members,
		};

		perf_why(slot->why, limits, &tried);
		return;
	}
	slot->fd = fd;
	slot->page = perf_in_hardware(event) ? perf_user_map(fd) : NULL;
	slot->index = group->members++;
	if (group->leader < 0)
		group->leader = fd;
	if (event->family == ENCODING_BREAKPOINT)
		group->gated = true;
}

static size_t reading_bytes(const struct perf_group *group)
{
	return offsetof(struct perf_reading, member) +
	       group->members * sizeof(group->after.member[0]);
}

/* 0 or an errno. */
static int read_leader(const struct perf_group *group,
		       struct perf_reading *out)
{
	return read(group->leader, out, reading_bytes(group)) < 0 ? errno : 0;
}

static bool has_pages(const struct perf_group *group)
{
	for (unsigned e = 0; e < group->events; e++)
		if (group->slot[e].fd >= 0 && !group->slot[e].page)
			return false;
	return true;
}

/* Reads all pages; the times are those of the leader, as with read(2). */
static bool read_pages(const struct perf_group *group,
		       struct perf_reading *out)
{
	struct perf_user_value v;

	for (unsigned e = 0; e < group->events; e++) {
		const struct perf_slot *slot = &group->slot[e];

		if (slot->fd < 0)
			continue;
		if (!perf_user_read(&v, slot->page, perf_arch_counter))
			return false;
		out->member[slot->index].value = v.value;
		out->member[slot->index].id = 0;
		if (slot->index == 0) {
			out->enabled = v.enabled;
			out->running = v.running;
		}
	}
	out->members = group->members;
	return true;
}

/* Does the group run as soon as it is enabled? */
static bool runs(struct perf_group *group)
{
	struct perf_reading *r = &group->before;

	if (ioctl(group->leader, PERF_EVENT_IOC_ENABLE, 0) ||
	    read_leader(group, r))
		return true;	/* start and stop will report the error */
	ioctl(group->leader, PERF_EVENT_IOC_DISABLE, 0);
	return r->running > 0 || r->enabled == 0;
}

/* The last hardware event behind the leader, or -1. */
static int last_in_hardware(const struct perf_group *group,
			    const struct group *events)
{
	for (int e = (int)group->events - 1; e >= 0; e--)
		if (group->slot[e].fd >= 0 && group->slot[e].index > 0 &&
		    perf_in_hardware(&events->event[e]))
			return e;
	return -1;
}

/* Closes a member. The others move up: a reading has them in opening order. */
static void drop(struct perf_group *group, int e)
{
	const unsigned index = group->slot[e].index;

	perf_user_unmap(group->slot[e].page);
	close(group->slot[e].fd);
	group->slot[e].page = NULL;
	group->slot[e].fd = -1;
	group->members--;
	for (unsigned i = 0; i < group->events; i++)
		if (group->slot[i].fd >= 0 && group->slot[i].index > index)
			group->slot[i].index--;
}

/*
 * The kernel accepts groups that never fit the counters: Arm checks only the
 * members against each other, and no kernel subtracts the counter of the NMI
 * watchdog. Such a group would never run, and all its counts would be lost. So
 * the last hardware events are dropped until the group runs.
 */
static void shrink_to_fit(struct perf_group *group, const struct group *events,
			  const struct perf_limits *limits)
{
	unsigned dropped[ASSAY_EVENTS], n = 0, kept = 0;
	int e;

	while ((e = last_in_hardware(group, events)) >= 0 && !runs(group)) {
		drop(group, e);
		dropped[n++] = (unsigned)e;
	}
	for (unsigned i = 0; i < group->events; i++)
		kept += group->slot[i].fd >= 0 &&
			perf_in_hardware(&events->event[i]);
	while (n--)
		perf_why_too_many(group->slot[dropped[n]].why, limits, kept);
}

void perf_group_open(struct perf_group *group, const struct group *events,
		     const struct perf_target *target)
{
	struct perf_limits limits;

	memset(group, 0, sizeof(*group));
	group->leader = -1;
	perf_limits_read(&limits, target->sysroot);
	for (unsigned e = 0; e < events->events; e++) {
		open_slot(group, events, e, target, &limits);
		group->events++;
	}
	if (group->leader < 0)
		return;
	shrink_to_fit(group, events, &limits);
	group->user = !group->gated && has_pages(group);
	if (group->gated)
		read_leader(group, &group->after);
	else
		ioctl(group->leader, PERF_EVENT_IOC_ENABLE, 0);
}

int perf_group_start(struct perf_group *group)
{
	if (group->leader < 0)
		return 0;
	group->by_user = group->user && read_pages(group, &group->before);
	if (group->by_user)
		return 0;
	if (!group->gated)
		return read_leader(group, &group->before);
	memcpy(&group->before, &group->after, reading_bytes(group));
	return ioctl(group->leader, PERF_EVENT_IOC_ENABLE, 0) ? errno : 0;
}

int perf_group_stop(struct perf_group *group)
{
	if (group->leader < 0)
		return 0;
	if (group->by_user && read_pages(group, &group->after))
		return 0;
	if (group->gated && ioctl(group->leader, PERF_EVENT_IOC_DISABLE, 0))
		return errno;
	return read_leader(group, &group->after);
}

struct assay_count perf_count(uint64_t value, uint64_t enabled,
			      uint64_t running)
{
	struct assay_count count = {
		.value = value, .enabled = enabled, .running = running,
	};

	if (running == 0) {
		count.value = 0;
		count.state = ASSAY_COUNT_ABSENT;
		count.why = enabled ? never_ran : never_on;
	} else if (running < enabled) {
		count.state = ASSAY_COUNT_SCALED;
	}
	return count;
}

/*
 * While a counter is in hardware, the times in its page stand still. If enabled
 * and running time advanced alike, the event lost no time, so its count is
 * complete; there are no times to show.
 */
struct assay_count perf_count_user(uint64_t value, uint64_t enabled,
				   uint64_t running)
{
	if (enabled == running)
		return (struct assay_count){ .value = value };
	return perf_count(value, enabled, running);
}

static struct assay_count count_of(const struct perf_group *group, unsigned e)
{
	const struct perf_reading *a = &group->before, *b = &group->after;
	const struct perf_slot *slot = &group->slot[e];
	const unsigned i = slot->index;

	if (slot->fd < 0)
		return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
					     .why = slot->why };
	if (i >= a->members || i >= b->members ||
	    (!group->by_user && a->member[i].id != b->member[i].id))
		return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
					     .why = lost };
	if (group->by_user)
		return perf_count_user(b->member[i].value - a->member[i].value,
				       b->enabled - a->enabled,
				       b->running - a->running);
	return perf_count(b->member[i].value - a->member[i].value,
			  b->enabled - a->enabled, b->running - a->running);
}

void perf_group_counts(const struct perf_group *group,
		       struct assay_count *counts)
{
	for (unsigned e = 0; e < group->events; e++)
		counts[e] = count_of(group, e);
}

void perf_group_close(struct perf_group *group)
{
	/* The leader goes last: the kernel would make each member of a closed
	 * leader a group of its own. */
	for (unsigned e = group->events; e-- > 0;) {
		perf_user_unmap(group->slot[e].page);
		if (group->slot[e].fd >= 0)
			close(group->slot[e].fd);
	}
	group->events = group->members = 0;
	group->leader = -1;
}
