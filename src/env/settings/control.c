/* SPDX-License-Identifier: MIT */
/*
 * Changing settings for a run; see control.h. Order: lock, undo a left-over
 * journal, start the watcher, create the journal; then each change is written
 * to the journal before it is made.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/env.h"
#include "env/machine/sysfs-topology.h"
#include "env/settings/control.h"
#include "env/settings/journal.h"
#include "env/settings/prefetch.h"
#include "env/settings/watcher.h"

struct control {
	char sysroot[512];
	struct journal journal;
	struct journal_undo *undo;
	struct watcher watcher;
	bool nice_changed, policy_changed;
	struct env_affinity affinity;
	int nice, policy;		/* as before the changes */
	struct sched_param param;
	char text[128], doubt[256];	/* see control_text, control_doubt */
};

/* ---- the CPUs ----------------------------------------------------------- */

struct cpus {
	int count;
	int cpu[SETTING_CPUS];
};

static int find_cpus(struct cpus *out, const char *sysroot,
		     struct assay_error *err)
{
	struct cpulist online;

	out->count = 0;
	sysfs_online(&online, sysroot);
	for (unsigned cpu = 0; cpu < SETTING_CPUS; cpu++)
		if (cpulist_has(&online, cpu))
			out->cpu[out->count++] = (int)cpu;
	return out->count ? 0 : error_set(err, -ASSAY_EPERM, SYSFS_CPUS " does "
					  "not say which CPUs there are");
}

/* ---- the machine -------------------------------------------------------- */

/* Writes the change into the journal, then makes it. */
static int change(struct control *c, enum setting_kind kind, int cpu,
		  const char *value, struct assay_error *err)
{
	struct setting s = { .kind = kind, .cpu = cpu };
	int rc = setting_read(s.was, c->sysroot, kind, cpu, err);

	if (rc)
		return rc;
	if (!setting_valid(kind, cpu, s.was))
		return error_set(err, -ASSAY_EIO, "%s is '%s' now, which could "
				 "not be put back", setting_name(kind), s.was);
	text_copy(s.now, sizeof(s.now), value);
	if (!strcmp(s.was, s.now))
		return 0;
	rc = journal_add(&c->journal, &s, err);
	if (!rc)
		rc = setting_write(c->sysroot, kind, cpu, value, err);
	/* The kernel may have set another value, as of huge pages fewer. */
	if (rc && !setting_read(s.now, c->sysroot, kind, cpu, NULL) &&
	    strcmp(s.now, value) && setting_valid(kind, cpu, s.now))
		journal_add(&c->journal, &s, NULL);
	return rc;
}

static int change_all(struct control *c, enum setting_kind kind,
		      const char *value, struct assay_error *err)
{
	struct cpus *cpus = malloc(sizeof(*cpus));
	int rc = cpus ? find_cpus(cpus, c->sysroot, err) : error_memory(err);

	for (int i = 0; !rc && i < cpus->count; i++)
		rc = change(c, kind, cpus->cpu[i], value, err);
	free(cpus);
	return rc;
}

static void note_setting(struct control *c, const char *name, const char *value)
{
	text_add(c->text, sizeof(c->text), " ", "%s=%s", name, value);
}

static void note_number(struct control *c, const char *name, int number)
{
	char value[16];

	snprintf(value, sizeof(value), "%d", number);
	note_setting(c, name, value);
}

/* Parses "on", "off" or a number; *off: all bits that the register has. */
static int prefetch_bits(uint64_t *bits, bool *off, const char *wish,
			 struct assay_error *err)
{
	static const char *const words[] = { "off", "on", NULL };
	char *end;

	*bits = 0;
	*off = !strcmp(wish, "off");
	if (*off || !strcmp(wish, "on"))
		return 0;
	errno = 0;
	*bits = strtoull(wish, &end, 0);
	if (!*end && end != wish && *wish != '-' && !errno)
		return 0;
	error_set(err, -ASSAY_EINVAL, "prefetchers '%.40s' is none of on, "
		  "off, or a mask such as 0xf", wish);
	error_meant(err, wish, words);
	return -ASSAY_EINVAL;
}

static int prefetch_value(char out[SETTING_VALUE], const char *wish,
			  uint64_t mask, struct assay_error *err)
{
	uint64_t bits;
	bool off;
	int rc = prefetch_bits(&bits, &off, wish, err);

	if (rc)
		return rc;
	if (off)
		bits = mask;
	if (bits & ~mask)
		return error_set(err, -ASSAY_ERANGE, "prefetchers: the "
				 "register's bits here are 0x%" PRIx64
				 ", not '%.40s'", mask, wish);
	snprintf(out, SETTING_VALUE, "0x%" PRIx64, bits);
	return 0;
}

static void verify_prefetchers(struct control *c, bool all_off)
{
	const char *verdict = "unchecked";

	if (all_off && sysroot_is_live(c->sysroot))
		verdict = prefetch_check(c->doubt, sizeof(c->doubt));
	if (all_off)
		note_setting(c, "prefetch-check", verdict);
}

static int set_prefetchers(struct control *c, const char *wish,
			   struct assay_error *err)
{
	enum setting_kind kind;
	char value[SETTING_VALUE];
	struct probe probe;
	int rc;

	probe_init_quiet(&probe, c->sysroot);
	rc = setting_prefetch_kind(&kind, &probe, err);
	if (!rc)
		rc = prefetch_value(value, wish, setting_mask(kind), err);
	if (!rc)
		rc = change_all(c, kind, value, err);
	if (rc)
		return rc;
	note_setting(c, "prefetchers", wish);
	verify_prefetchers(c, strtoull(value, NULL, 16) == setting_mask(kind));
	return 0;
}

/* Checks the name against the kernel's list: on a wrong one the kernel returns
 * only EINVAL. */
static int known_governor(const char *sysroot, const char *wish,
			  struct assay_error *err)
{
	char all[512], *rest = NULL;
	const char *name[32];
	size_t names = 0;
	char list[96];

	snprintf(list, sizeof(list), SYSFS_CPUS "/cpu%d/cpufreq/"
		 "scaling_available_governors", sysfs_first(sysroot));
	if (sysfile_text(all, sizeof(all), sysroot, "%s", list) <= 0)
		return 0;
	for (char *w = strtok_r(all, " ", &rest); w;
	     w = strtok_r(NULL, " ", &rest))
		if (!strcmp(w, wish))
			return 0;
		else if (names < 31)
			name[names++] = w;
	name[names] = NULL;
	error_set(err, -ASSAY_EINVAL, "this machine has no governor '%.40s'",
		  wish);
	error_meant(err, wish, name);
	sysfile_text(all, sizeof(all), sysroot, "%s", list);
	error_add(err, "try: %s", all);
	return -ASSAY_EINVAL;
}

static int set_governor(struct control *c, const char *wish,
			struct assay_error *err)
{
	int rc;

	if (!setting_valid(SETTING_GOVERNOR, 0, wish))
		return error_set(err, -ASSAY_EINVAL, "'%.40s' is not the name "
				 "of a governor", wish);
	rc = known_governor(c->sysroot, wish, err);
	if (!rc)
		rc = change_all(c, SETTING_GOVERNOR, wish, err);
	if (!rc)
		note_setting(c, "governor", wish);
	return rc;
}

/* Raises the number of huge pages until `wish` are free. */
static int set_huge_pages(struct control *c, unsigned wish,
			  struct assay_error *err)
{
	char was[SETTING_VALUE], value[SETTING_VALUE];
	int64_t free_pages = 0;
	uint64_t total;
	int rc = setting_read(was, c->sysroot, SETTING_HUGE_PAGES, -1, err);

	if (rc)
		return rc;
	sysfile_number(&free_pages, c->sysroot, "/sys/kernel/mm/hugepages/"
		       "hugepages-2048kB/free_hugepages");
	total = strtoull(was, NULL, 10);
	total += free_pages < (int64_t)wish ? wish - (uint64_t)free_pages : 0;
	snprintf(value, sizeof(value), "%" PRIu64, total);
	rc = change(c, SETTING_HUGE_PAGES, -1, value, err);
	if (rc == -ASSAY_EIO)
		error_add(err, "memory is too fragmented, or too small, for "
			  "that many huge pages");
	if (rc)
		return rc;
	note_number(c, "huge", (int)wish);
	return 0;
}

/* ---- the process -------------------------------------------------------- */

static int set_nice(struct control *c, int wish, struct assay_error *err)
{
	errno = 0;
	c->nice = getpriority(PRIO_PROCESS, 0);
	if (errno || setpriority(PRIO_PROCESS, 0, wish))
		return error_set(err, -ASSAY_EPERM, "cannot set nice to %d: "
				 "%s", wish, strerror(errno));
	c->nice_changed = true;
	note_number(c, "nice", wish);
	return 0;
}

/*
 * The kernel reserves 5 % of each second for tasks without real-time priority.
 * Without this reserve, a run on the only CPU could not be interrupted.
 */
static int guard_realtime(const struct control *c, struct assay_error *err)
{
	struct cpulist online;
	int64_t runtime;

	if (!sysfile_number(&runtime, c->sysroot,
			    "/proc/sys/kernel/sched_rt_runtime_us") ||
	    runtime >= 0 || sysfs_online(&online, c->sysroot) != 1)
		return 0;
	error_set(err, -ASSAY_EPERM, "real-time priority on the only CPU, "
		  "with kernel.sched_rt_runtime_us = %d: nothing else could "
		  "run, not even what stops it", (int)runtime);
	error_add(err, "try as root: sysctl kernel.sched_rt_runtime_us=950000");
	return -ASSAY_EPERM;
}

static int set_realtime(struct control *c, int wish, struct assay_error *err)
{
	const struct sched_param wanted = { .sched_priority = wish };

	if (guard_realtime(c, err))
		return -ASSAY_EPERM;
	c->policy = sched_getscheduler(0);
	if (c->policy < 0 || sched_getparam(0, &c->param) ||
	    sched_setscheduler(0, SCHED_FIFO, &wanted)) {
		error_set(err, -ASSAY_EPERM, "cannot have real-time priority "
			  "%d: %s", wish, strerror(errno));
		error_add(err, "try as root, or raise the limit 'rtprio'");
		return -ASSAY_EPERM;
	}
	c->policy_changed = true;
	note_number(c, "realtime", wish);
	return 0;
}

static int set_pin(struct control *c, int cpu, struct assay_error *err)
{
	const int rc = env_pin(cpu, &c->affinity, err);

	if (!rc)
		note_number(c, "pin", cpu);
	return rc;
}

/* ---- together ----------------------------------------------------------- */

/* Waits up to 2 s for a watcher that is just undoing another run's settings. */
static int acquire_lock(struct control *c, struct assay_error *err)
{
	const struct timespec pause = { 0, 20 * 1000 * 1000 };
	int holder, rc = 0;

	for (int tries = 0; tries < 100; tries++) {
		rc = journal_lock(&c->journal, c->sysroot, &holder, err);
		if (!rc || !holder)
			return rc;
		nanosleep(&pause, NULL);
	}
	return rc;
}

static int undo_all(struct control *c, struct assay_error *err)
{
	int rc = journal_undo(&c->journal, c->undo);

	if (rc && err)
		*err = c->undo->why;
	if (c->undo->failed > 1)
		error_add(err, "and %u more could not be undone: the journal "
			  "has a line for each", c->undo->failed - 1);
	return rc;
}

static int open_journal(struct control *c, struct assay_error *err)
{
	int rc;

	c->undo = calloc(1, sizeof(*c->undo));
	if (!c->undo)
		return error_memory(err);
	rc = acquire_lock(c, err);
	if (!rc)
		rc = undo_all(c, err);	/* a left-over one */
	if (!rc)	/* first: a kill in between must leave no journal */
		rc = watcher_start(&c->watcher, &c->journal, c->undo, err);
	if (!rc)
		rc = journal_create(&c->journal, err);
	return rc;
}

static int set_machine(struct control *c, const struct assay_wishes *w,
		       struct assay_error *err)
{
	int rc = 0;

	if (w->prefetchers || w->governor || w->huge_pages)
		rc = open_journal(c, err);
	if (!rc && w->governor)
		rc = set_governor(c, w->governor, err);
	if (!rc && w->huge_pages)
		rc = set_huge_pages(c, w->huge_pages, err);
	if (!rc && w->pin_given)
		rc = set_pin(c, w->pin, err);
	if (!rc && w->nice_given)
		rc = set_nice(c, w->nice, err);
	if (!rc && w->prefetchers)
		rc = set_prefetchers(c, w->prefetchers, err);
	if (!rc && w->realtime)
		rc = set_realtime(c, w->realtime, err);
	return rc;
}

static int check(const struct assay_wishes *w, struct assay_error *err)
{
	const int least = sched_get_priority_min(SCHED_FIFO);
	const int most = sched_get_priority_max(SCHED_FIFO);
	uint64_t bits;
	bool off;

	if (w->nice_given && (w->nice < -20 || w->nice > 19))
		return error_set(err, -ASSAY_ERANGE, "nice %d is not in "
				 "-20 .. 19", w->nice);
	if (w->realtime && (w->realtime < least || w->realtime > most))
		return error_set(err, -ASSAY_ERANGE, "real-time priority %d "
				 "is not in %d .. %d", w->realtime, least,
				 most);
	return w->prefetchers ? prefetch_bits(&bits, &off, w->prefetchers,
					      err) : 0;
}

int control_begin(struct control **out, const struct assay_wishes *wishes,
		  const char *sysroot, struct assay_error *err)
{
	struct control *c;
	int rc = check(wishes, err);

	if (rc)
		return rc;
	c = calloc(1, sizeof(*c));
	if (!c || strlen(sysroot) >= sizeof(c->sysroot)) {
		free(c);
		return error_set(err, -ASSAY_ENOMEM, "out of memory, or the "
				 "root's path is too long");
	}
	text_copy(c->sysroot, sizeof(c->sysroot), sysroot);
	c->journal = (struct journal){ c->sysroot, -1, -1 };
	c->watcher.socket = -1;
	rc = set_machine(c, wishes, err);
	if (rc) {
		control_end(c, NULL);
		return rc;
	}
	*out = c;
	return 0;
}

int control_end(struct control *c, struct assay_error *err)
{
	int rc = 0;

	if (!c)
		return 0;
	env_unpin(&c->affinity);
	if (c->policy_changed)
		sched_setscheduler(0, c->policy, &c->param);
	if (c->nice_changed && setpriority(PRIO_PROCESS, 0, c->nice))
		rc = error_set(err, -ASSAY_EPERM, "cannot set nice back to "
			       "%d: %s", c->nice, strerror(errno));
	if (c->journal.file >= 0)
		rc = undo_all(c, err);
	watcher_stop(&c->watcher);
	journal_unlock(&c->journal);
	free(c->undo);
	free(c);
	return rc;
}

const char *control_text(const struct control *control)
{
	return control->text;
}

const char *control_doubt(const struct control *control)
{
	return control->doubt;
}

bool control_left_over(const char *sysroot)
{
	struct journal journal;
	int holder;

	if (!journal_there(sysroot))
		return false;
	if (journal_lock(&journal, sysroot, &holder, NULL))
		return !holder;
	journal_unlock(&journal);
	return journal_there(sysroot);
}

int control_restore(const char *sysroot, unsigned *undone,
		    struct assay_error *err)
{
	struct control c = { .journal = { c.sysroot, -1, -1 } };
	int rc;

	*undone = 0;
	if (!journal_there(sysroot))
		return 0;
	text_copy(c.sysroot, sizeof(c.sysroot), sysroot);
	c.undo = calloc(1, sizeof(*c.undo));
	if (!c.undo)
		return error_memory(err);
	rc = acquire_lock(&c, err);
	if (!rc)
		rc = undo_all(&c, err);
	*undone = c.undo->undone;
	journal_unlock(&c.journal);
	free(c.undo);
	return rc;
}
