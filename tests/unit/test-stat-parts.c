/* SPDX-License-Identifier: MIT */
/*
 * Parts of a run: intervals, which add up to the total and say why nothing was
 * counted in them. Nothing here depends on how long anything takes.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "usable.h"

#include "stat/stat.h"

#define WATCHED "mem:0x10000000/8:w"

struct seen {
	double sum, total;
	unsigned intervals;
	char why[ASSAY_WHY];	/* of the first interval */
	bool enough;		/* one interval is */
};

static char folder[64];

static int see(void *ctx, const struct assay_stat_result *r)
{
	struct seen *seen = ctx;
	const struct assay_value v = r->count[0].value;

	if (r->kind == ASSAY_STAT_TOTAL)
		seen->total = v.why ? -1 : v.number;
	if (r->kind != ASSAY_STAT_INTERVAL)
		return 0;
	if (!seen->intervals++)
		snprintf(seen->why, sizeof(seen->why), "%s",
			 v.why ? v.why : "");
	seen->sum += v.why ? 0 : v.number;
	return seen->enough;
}

static int count(const struct assay_stat *stat, struct seen *seen,
		 struct assay_error *err)
{
	struct assay *assay;
	int rc, status;

	assert_int_equal(assay_open(&assay, NULL, err), 0);
	rc = assay_stat(assay, stat, see, seen, &status, err);
	assay_close(assay);
	return rc;
}

static const char *load(void)
{
	const char *path = getenv("STAT_LOAD");

	assert_non_null(path);
	return path;
}

static void intervals_add_up_to_the_total(void **ctx)
{
	char *program[] = { (char *)load(), "tree", "300", "3", "4", "2",
			    NULL };
	struct assay_stat stat = { .program = program, .interval_ms = 1,
				   .events = WATCHED };
	struct assay_error err = { 0 };
	struct seen seen = { 0 };

	(void)ctx;
	if (count(&stat, &seen, &err))
		fail_msg("%s", err.text);
	assert_true(seen.total == 300 * (1 + 3 + 4 + 4 * 2));
	assert_true(seen.intervals >= 1);
	assert_true(seen.sum == seen.total);
	/* The rest alone. */
	stat.interval_ms = 1000000000;
	seen = (struct seen){ 0 };
	if (count(&stat, &seen, &err))
		fail_msg("%s", err.text);
	assert_int_equal(seen.intervals, 1);
	assert_true(seen.sum == 300 * (1 + 3 + 4 + 4 * 2));
}

/* ---- threads -------------------------------------------------------------- */

struct threads {
	unsigned seen;
	double sum, total;
	char names[256];
	bool known;	/* each stored 7 times or never */
};

static int see_thread(void *ctx, const struct assay_stat_result *r)
{
	struct threads *t = ctx;
	const struct assay_value v = r->count[0].value;
	const double n = v.why ? -1 : v.number;
	const size_t used = strlen(t->names);

	if (r->kind == ASSAY_STAT_TOTAL)
		t->total = n;
	if (r->kind != ASSAY_STAT_THREAD)
		return 0;
	t->seen++;
	t->sum += n;
	t->known &= n == 0 || n == 7;
	snprintf(t->names + used, sizeof(t->names) - used, "%s ", r->thread);
	return 0;
}

static void count_threads(char *const *program, struct threads *t)
{
	const struct assay_stat stat = {
		.program = program, .per_thread = true, .events = WATCHED,
	};
	struct assay_error err = { 0 };
	struct assay *assay;
	int rc, status;

	*t = (struct threads){ .known = true };
	assert_int_equal(assay_open(&assay, NULL, &err), 0);
	rc = assay_stat(assay, &stat, see_thread, t, &status, &err);
	assay_close(assay);
	if (rc == -ASSAY_EUNAVAIL)
		skip_since("%s", err.text);
	assert_int_equal(rc, 0);
	assert_int_equal(status, 0);
}

static void each_new_thread_is_counted(void **ctx)
{
	char *tree[] = { (char *)load(), "tree", "7", "5", "3", "2", NULL };
	/* The shell starts one process, and becomes another. */
	char *shell[] = { "sh", "-c", "\"$0\" tree 7 1 0 0; "
			  "exec \"$0\" tree 7 0 1 0", (char *)load(), NULL };
	struct threads t;

	(void)ctx;
	count_threads(tree, &t);
	assert_int_equal(t.seen, 1 + 5 + 3 + 3 * 2);
	assert_true(t.known && t.sum == 7 * 15 && t.total == t.sum);
	count_threads(shell, &t);
	assert_int_equal(t.seen, 4);
	assert_true(t.known && t.sum == 7 * 4 && t.total == t.sum);
	assert_string_equal(t.names, "stat-load stat-load stat-load "
			    "stat-load ");
}

/* Tracing must not swallow them. */
static void signals_come_through(void **ctx)
{
	char *program[] = { "sh", "-c", "trap 'exit 7' USR1; kill -USR1 $$; "
			    "exit 3", NULL };
	const struct assay_stat stat = {
		.program = program, .per_thread = true, .events = WATCHED,
	};
	struct threads t = { .known = true };
	struct assay_error err = { 0 };
	struct assay *assay;
	int rc, status;

	(void)ctx;
	assert_int_equal(assay_open(&assay, NULL, &err), 0);
	rc = assay_stat(assay, &stat, see_thread, &t, &status, &err);
	assay_close(assay);
	if (rc == -ASSAY_EUNAVAIL)
		skip_since("%s", err.text);
	assert_int_equal(rc, 0);
	assert_int_equal(status, 7);
}

/* A traced program stops for a signal, also before its exec. */
static void a_signal_before_exec_ends_the_program(void **ctx)
{
	char *program[] = { "true", NULL };
	const struct assay_stat stat = {
		.program = program, .per_thread = true,
	};
	struct stat_job *job = calloc(1, sizeof(*job));
	struct process_signals signals;
	struct assay_error err = { 0 };
	struct stat_child child;
	struct stat_trace trace;
	struct assay *assay;
	int rc, status;

	(void)ctx;
	assert_non_null(job);
	assert_int_equal(assay_open(&assay, NULL, &err), 0);
	job->assay = assay;
	job->stat = &stat;
	assert_int_equal(process_signals_block(&signals, &err), 0);
	assert_int_equal(stat_child_fork(&child, program, NULL, false, &signals,
					 &err), 0);
	rc = stat_threads_begin(job, &trace, child.pid, &err);
	if (rc == -ASSAY_EUNAVAIL)
		skip_since("%s", err.text);
	assert_int_equal(rc, 0);
	kill(child.pid, SIGTERM);
	alarm(60);	/* ends this test if the program stays stopped */
	assert_int_equal(stat_child_release(&child, &trace, *program, &status,
					    &err), 0);
	while (!stat_threads_poll(&trace))
		poll(NULL, 0, 1);
	alarm(0);
	assert_true(WIFSIGNALED(trace.status));
	assert_int_equal(WTERMSIG(trace.status), SIGTERM);
	assert_int_equal(stat_threads_end(&trace, &err), 0);
	process_signals_restore(&signals);
	follow_close(job->follow);
	stat_spots_fini(&job->spots);
	free(job->thread);
	free(job);
	assay_close(assay);
}

/* ---- a process that waits for us ------------------------------------------ */

struct sleeper {
	char go[128], done[128], pid[16];
	int fd;
	pid_t child;
};

static bool asleep(pid_t pid)
{
	char path[400], text[400];
	struct dirent *entry;
	bool all = true;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	assert_non_null(dir);
	while (all && (entry = readdir(dir))) {
		FILE *file;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.20s/stat",
			 (int)pid, entry->d_name);
		file = fopen(path, "r");
		all = file && fgets(text, sizeof(text), file) &&
		      strstr(text, ") S ");
		if (file)
			fclose(file);
	}
	closedir(dir);
	return all;
}

static void start_sleeper(struct sleeper *s)
{
	struct pollfd ready;
	int status;

	snprintf(s->go, sizeof(s->go), "%s/go", folder);
	snprintf(s->done, sizeof(s->done), "%s/done", folder);
	assert_int_equal(mkfifo(s->go, 0600), 0);
	assert_int_equal(mkfifo(s->done, 0600), 0);
	s->fd = open(s->done, O_RDWR | O_CLOEXEC);
	s->child = fork();
	if (s->child == 0) {
		execl(load(), "stat-load", "threads", s->go,
		      s->done, "10", "3", NULL);
		_exit(98);
	}
	ready = (struct pollfd){ .fd = s->fd, .events = POLLIN };
	while (poll(&ready, 1, 10) != 1)
		assert_int_equal(waitpid(s->child, &status, WNOHANG), 0);
	while (!asleep(s->child))
		;
	snprintf(s->pid, sizeof(s->pid), "%d", (int)s->child);
}

static void end_sleeper(struct sleeper *s)
{
	int status;

	kill(s->child, SIGKILL);
	waitpid(s->child, &status, 0);
	close(s->fd);
	unlink(s->go);
	unlink(s->done);
}

static void what_did_not_run_is_not_counted(void **ctx)
{
	struct sleeper s;
	struct assay_stat stat = { .pids = s.pid, .interval_ms = 1,
				   .events = "page-faults" };
	struct seen seen = { .enough = true };
	struct assay_error err = { 0 };

	(void)ctx;
	start_sleeper(&s);
	assert_int_equal(count(&stat, &seen, &err), -ASSAY_ESTOP);
	assert_string_equal(seen.why, "not counted: it did not run in this "
			    "interval");
	stat.delay_ms = 1000000000;
	seen.intervals = 0;
	assert_int_equal(count(&stat, &seen, &err), -ASSAY_ESTOP);
	assert_string_equal(seen.why, "not counted: counting was off in this "
			    "interval");
	end_sleeper(&s);
}

/* Four threads, and descriptors for fewer. */
static void a_sum_that_lacks_a_part_is_absent(void **ctx)
{
	struct sleeper s;
	const struct assay_stat stat = {
		.pids = s.pid, .interval_ms = 1, .events = "page-faults,"
		"minor-faults,major-faults,context-switches,cpu-migrations,"
		"alignment-faults,emulation-faults",
	};
	struct seen seen = { .enough = true };
	struct assay_error err = { 0 };
	struct rlimit old, few;
	int next;

	(void)ctx;
	start_sleeper(&s);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	next = dup(0);
	close(next);
	few = old;
	few.rlim_cur = (rlim_t)next + 10;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(count(&stat, &seen, &err), -ASSAY_ESTOP);
	setrlimit(RLIMIT_NOFILE, &old);
	end_sleeper(&s);
	assert_non_null(strstr(seen.why, "too many open files"));
}

/* ---- */

static int make_folder(void **ctx)
{
	snprintf(folder, sizeof(folder), "/tmp/assay-parts-XXXXXX");
	return mkdtemp(folder) ? usable_perf(ctx) : -1;
}

static int remove_folder(void **ctx)
{
	(void)ctx;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_add_up_to_the_total),
		cmocka_unit_test(each_new_thread_is_counted),
		cmocka_unit_test(signals_come_through),
		cmocka_unit_test(a_signal_before_exec_ends_the_program),
		cmocka_unit_test(a_sum_that_lacks_a_part_is_absent),
		cmocka_unit_test(what_did_not_run_is_not_counted),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
