/* SPDX-License-Identifier: MIT */
/*
 * Counters of other programs. Only the leader of a group is enabled and
 * disabled; its members count when the leader does. With `inherit` the kernel
 * copies each counter into every thread and process that is started later, and
 * a reading is the sum over all copies, also those of ended threads.
 */
#include "counters/perf-follow.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "counters/perf-group.h"

#define READ_FORMAT (PERF_FORMAT_TOTAL_TIME_ENABLED | \
		     PERF_FORMAT_TOTAL_TIME_RUNNING)

struct opening {
	struct follow *follow;
	const struct follow_setup *setup;
	struct perf_limits limits;	/* read at the first refusal */
	bool limits_read;
	size_t spot;
	int leader[FOLLOW_ALONE];	/* of each group, at this spot */
	unsigned members[FOLLOW_ALONE];
};

static int *fd_of(const struct follow *f, size_t spot, unsigned event)
{
	return &f->fd[spot * f->events + event];
}

static unsigned breakpoints(const struct opening *o)
{
	unsigned n = 0;

	for (unsigned e = 0; e < o->follow->events; e++)
		n += *fd_of(o->follow, o->spot, e) >= 0 &&
		     o->setup->events->event[e].family == ENCODING_BREAKPOINT;
	return n;
}

static bool wanted(const struct opening *o, unsigned e)
{
	const struct follow_setup *s = o->setup;
	const int cpu = s->spot[o->spot].cpu;

	if (s->left_out && s->left_out[e])
		return false;
	return !s->counts_on || cpu < 0 || s->counts_on(s->ctx, e, cpu);
}

static int open_at(struct perf_event_attr *attr, const struct follow_spot *spot,
		   int leader)
{
	return spot->cgroup ?
	       perf_open_cgroup(attr, spot->pid, spot->cpu, leader) :
	       perf_open(attr, spot->pid, spot->cpu, leader);
}

/* A PMU that refuses to exclude user or kernel code counts everything. */
static int open_one(struct perf_event_attr *attr, const struct encoding *event,
		    const struct follow_spot *spot, int leader)
{
	const int fd = open_at(attr, spot, leader);

	if (fd != -EINVAL || event->family != ENCODING_PMU || event->scope)
		return fd;
	attr->exclude_kernel = attr->exclude_hv = 0;
	return open_at(attr, spot, leader);
}

static bool opens_alone(struct perf_event_attr *attr,
			const struct follow_spot *spot)
{
	const int fd = open_at(attr, spot, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Would the event have counted at this spot? Not if the PMU does not belong to
 * the CPU, or the thread has ended: these give other errors. */
static bool would_count(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM ||
	       error == ENOSPC || error == EACCES || error == EPERM ||
	       error == EBUSY;
}

static void explain(struct opening *o, unsigned e,
		    struct perf_event_attr *attr, int error, int leader,
		    unsigned members)
{
	const struct follow_spot *spot = &o->setup->spot[o->spot];
	const struct perf_try tried = {
		.event = &o->setup->events->event[e], .error = error,
		.kernel = !attr->exclude_kernel, .members = members,
		.breakpoints = breakpoints(o),
		.alone = error == EINVAL && leader >= 0 &&
			 opens_alone(attr, spot),
		.other = spot->pid != 0,
		.all = spot->pid == -1 || spot->cgroup,
		.cgroup = spot->cgroup,
	};

	o->follow->refused[e] += would_count(error);
	if (!o->limits_read)
		perf_limits_read(&o->limits, o->setup->sysroot);
	o->limits_read = true;
	perf_why(o->follow->why[e], &o->limits, &tried);
}

static void open_event(struct opening *o, unsigned e)
{
	const struct follow_setup *s = o->setup;
	const struct encoding *event = &s->events->event[e];
	const unsigned group = s->together ? s->together[e] : FOLLOW_ALONE;
	const int leader = group == FOLLOW_ALONE ? -1 : o->leader[group];
	const size_t at = o->spot * o->follow->events + e;
	struct perf_event_attr attr;
	int fd;

	if (!perf_attr_fill(&attr, event, NULL, o->follow->why[e]))
		return;
	attr.read_format = READ_FORMAT;
	attr.inherit = s->inherit && s->spot[o->spot].cpu == -1;
	attr.disabled = leader < 0;
	attr.enable_on_exec = s->on_exec && leader < 0;
	fd = open_one(&attr, event, &s->spot[o->spot], leader);
	if (fd < 0) {
		explain(o, e, &attr, -fd, leader, group == FOLLOW_ALONE ?
			0 : o->members[group]);
		return;
	}
	o->follow->fd[at] = fd;
	o->follow->leads[at] = leader < 0;
	o->follow->open[e]++;
	if (group == FOLLOW_ALONE)
		return;
	if (leader < 0)
		o->leader[group] = fd;
	o->members[group]++;
}

static void open_spot(struct opening *o, size_t spot)
{
	o->spot = spot;
	for (unsigned g = 0; g < FOLLOW_ALONE; g++) {
		o->leader[g] = -1;
		o->members[g] = 0;
	}
	for (unsigned e = 0; e < o->follow->events; e++)
		if (wanted(o, e))
			open_event(o, e);
}

static bool grow(struct follow *f, size_t spots)
{
	const size_t n = spots * f->events + 1;

	if (!array_resize(&f->fd, n, sizeof(*f->fd)) ||
	    !array_resize(&f->leads, n, sizeof(*f->leads)) ||
	    !array_resize(&f->last, n, sizeof(*f->last)) ||
	    !array_resize(&f->retired, spots + 1, sizeof(*f->retired)))
		return false;
	for (size_t i = f->spots * f->events; i < spots * f->events; i++) {
		f->fd[i] = -1;
		f->leads[i] = false;
	}
	for (size_t i = f->spots; i < spots; i++)
		f->retired[i] = false;
	f->spots = spots;
	return true;
}

static int open_spots(struct follow *f, const struct follow_setup *setup,
		      size_t from)
{
	struct opening *o = calloc(1, sizeof(*o));

	if (!o)
		return -ASSAY_ENOMEM;
	o->setup = setup;
	o->follow = f;
	for (size_t spot = from; spot < setup->spots; spot++)
		open_spot(o, spot);
	free(o);
	return 0;
}

int follow_open(struct follow **out, const struct follow_setup *setup,
		struct assay_error *err)
{
	struct follow *f;

	if (setup->spots > FOLLOW_SPOTS)
		return error_set(err, -ASSAY_ERANGE, "more than %d threads or "
				 "CPUs at once", FOLLOW_SPOTS);
	f = calloc(1, sizeof(*f));
	if (f)
		f->events = setup->events->events;
	if (!f || !grow(f, setup->spots) || open_spots(f, setup, 0)) {
		follow_close(f);
		return error_memory(err);
	}
	*out = f;
	return 0;
}

int follow_add(struct follow *follow, const struct follow_setup *setup)
{
	const size_t from = follow->spots;

	if (setup->spots > FOLLOW_SPOTS)
		return -ASSAY_ERANGE;
	return grow(follow, setup->spots) ? open_spots(follow, setup, from) :
					    -ASSAY_ENOMEM;
}

static void close_spot(struct follow *follow, size_t spot)
{
	/* Members before their leaders. */
	for (unsigned e = follow->events; e-- > 0;) {
		int *fd = fd_of(follow, spot, e);

		if (*fd >= 0)
			close(*fd);
		*fd = -1;
	}
}

void follow_retire(struct follow *follow, size_t spot)
{
	struct follow_last *last = &follow->last[spot * follow->events];

	if (follow->retired[spot])
		return;
	for (unsigned e = 0; e < follow->events; e++)
		last[e].read = follow_read_spot(follow, e, spot,
						&last[e].value);
	close_spot(follow, spot);
	follow->retired[spot] = true;
}

void follow_close(struct follow *follow)
{
	if (!follow)
		return;
	for (size_t spot = follow->spots; spot-- > 0;)
		close_spot(follow, spot);
	free(follow->fd);
	free(follow->leads);
	free(follow->last);
	free(follow->retired);
	free(follow);
}

static int leaders_of(const struct follow *f, size_t spot,
		      unsigned long request)
{
	const size_t first = spot * f->events;
	int rc = 0;

	for (size_t i = first; i < first + f->events; i++)
		if (f->fd[i] >= 0 && f->leads[i] &&
		    ioctl(f->fd[i], request, 0) && !rc)
			rc = errno;
	return rc;
}

static int each_leader(const struct follow *f, unsigned long request)
{
	int rc = 0, one;

	for (size_t spot = 0; spot < f->spots; spot++) {
		one = leaders_of(f, spot, request);
		rc = rc ? rc : one;
	}
	return rc;
}

int follow_enable_spot(const struct follow *follow, size_t spot)
{
	return leaders_of(follow, spot, PERF_EVENT_IOC_ENABLE);
}

int follow_enable(const struct follow *follow)
{
	return each_leader(follow, PERF_EVENT_IOC_ENABLE);
}

int follow_disable(const struct follow *follow)
{
	return each_leader(follow, PERF_EVENT_IOC_DISABLE);
}

bool follow_read_spot(const struct follow *follow, unsigned event, size_t spot,
		      struct follow_value *out)
{
	const int fd = *fd_of(follow, spot, event);
	const struct follow_last *last;
	struct follow_value v;

	if (follow->retired[spot]) {
		last = &follow->last[spot * follow->events + event];
		*out = last->value;
		return last->read;
	}
	if (fd < 0 || read(fd, &v, sizeof(v)) != (ssize_t)sizeof(v))
		return false;
	*out = v;
	return true;
}

bool follow_read_spots(const struct follow *follow, unsigned event,
		       size_t first, size_t spots, struct follow_value *out)
{
	struct follow_value v, sum = { 0 };
	bool any = false;

	if (spots > 1 && follow->refused[event])
		return false;
	for (size_t spot = first; spot < first + spots; spot++) {
		if (!follow_read_spot(follow, event, spot, &v))
			continue;
		sum.value += v.value;
		sum.enabled += v.enabled;
		sum.running += v.running;
		any = true;
	}
	if (any)
		*out = sum;
	return any;
}

bool follow_read(const struct follow *follow, unsigned event,
		 struct follow_value *out)
{
	return !follow->refused[event] &&
	       follow_read_spots(follow, event, 0, follow->spots, out);
}

/* ---- trying -------------------------------------------------------------- */

/* False if the group was enabled and never ran. */
static bool group_runs(int leader)
{
	struct follow_value v = { 0 };

	if (leader < 0)
		return true;
	if (ioctl(leader, PERF_EVENT_IOC_ENABLE, 0))
		return true;
	if (read(leader, &v, sizeof(v)) != (ssize_t)sizeof(v))
		v.running = 1;
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
	return v.running > 0 || v.enabled == 0;
}

static int try_one(const struct encoding *event, int leader)
{
	const struct follow_spot self = { .cpu = -1 };
	struct perf_event_attr attr;
	char why[ASSAY_WHY];

	if (!perf_attr_fill(&attr, event, NULL, why))
		return -EINVAL;
	attr.read_format = READ_FORMAT;
	attr.disabled = leader < 0;
	return open_one(&attr, event, &self, leader);
}

bool follow_fits(const struct group *events, const unsigned *event, unsigned n)
{
	int fd[ASSAY_EVENTS], leader = -1;
	unsigned opened = 0;
	bool fits = true;

	for (unsigned i = 0; i < n && fits; i++) {
		const struct encoding *e = &events->event[event[i]];

		fd[opened] = try_one(e, perf_in_hardware(e) ? leader : -1);
		fits = fd[opened] >= 0;
		if (fits && perf_in_hardware(e) && leader < 0)
			leader = fd[opened];
		opened += fits;
	}
	fits = fits && group_runs(leader);
	while (opened--)
		close(fd[opened]);
	return fits;
}
