/* SPDX-License-Identifier: MIT */
/*
 * See run.h. A worker is forked for each run, fixes what the program will see
 * of its process, and calls assay_simulate(). Results come back in shared
 * memory.
 */
#define _GNU_SOURCE	/* environ, memfd_create, sched_setaffinity, close_range */
#include "ci/run.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "ci/layout.h"
#include "ci/place.h"

#define TEXT_ROOM (64u << 20)	/* of lines; used pages need memory only */
enum { WORKERS = 64, SETTINGS = 256, STACK_MOST = 8192, PAUSE_NS = 2000000 };

/* Written by the worker. */
struct answer {
	int rc;
	struct assay_error err;
	struct run run;
	size_t bytes;		/* of text */
	bool cut;
	char text[];
};

/* A run that is under way. */
struct worker {
	pid_t pid;		/* 0: none */
	pid_t parent;
	int cpu;
	size_t job;
	struct answer *answer;
	char path[LAYOUT_PATH + 1];
};

struct pool {
	const struct run_job *job;
	size_t jobs, next;
	struct assay *assay;
	const struct assay_ci *ci;
	const char *folder;
	struct worker worker[WORKERS];
	size_t workers;
	bool own_place;		/* place_possible() */
};

/* ---- in the worker ------------------------------------------------------ */

static int on_result(void *ctx, const struct assay_result *result)
{
	struct answer *a = ctx;
	const struct assay_value *of = result->record->truth.of;

	for (int i = 0; i < ASSAY_QUANTITIES; i++) {
		a->run.number[i] = of[i].number;
		if (of[i].why)
			text_copy(a->run.why[i], RUN_WHY,
				  *of[i].why ? of[i].why : "it is not known");
	}
	return 0;
}

static const struct assay_field *find(const struct assay_row *row,
				      const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return &row->field[i];
	return NULL;
}

static uint64_t count_of(const struct assay_row *row, const char *name)
{
	const struct assay_field *f = find(row, name);

	return f && f->kind == ASSAY_FIELD_COUNT ? f->count : 0;
}

/* Appends the field's text without control characters, and a tab. */
static size_t put_text(char *out, size_t room, const struct assay_row *row,
		       const char *name)
{
	const struct assay_field *f = find(row, name);
	size_t n = 0;

	for (const char *t = f && f->text ? f->text : ""; *t && n + 2 < room;
	     t++)
		out[n++] = (unsigned char)*t < ' ' || *t == 127 ? '?' : *t;
	out[n++] = '\t';
	return n;
}

static void put_line(struct answer *a, const struct assay_row *row)
{
	static const char *const texts[] = { "function", "line", "object" };
	const size_t most = 8192;
	char *out = a->text + a->bytes;

	if (!strcmp(row->field[0].text, "total"))
		return;
	if (a->bytes + most > TEXT_ROOM) {
		a->cut = true;
		return;
	}
	for (int i = 0; i < 3; i++)
		out += put_text(out, most / 4, row, texts[i]);
	for (int i = 0; i < TALLY_COLUMNS; i++)
		out += sprintf(out, "%llu%c",
			       (unsigned long long)count_of(row,
						      ci_column_names[i]),
			       i == TALLY_COLUMNS - 1 ? '\n' : ' ');
	a->bytes = (size_t)(out - a->text);
}

static int on_row(void *ctx, const struct assay_row *row)
{
	struct answer *a = ctx;

	if (!strcmp(row->type, "threads"))
		a->run.threads = (unsigned)count_of(row, "threads");
	else if (!strcmp(row->type, "simulated"))
		a->run.processes = (unsigned)count_of(row, "processes");
	else if (!strcmp(row->type, "not-modelled"))
		a->run.left_out++;
	else if (!strcmp(row->type, "blame"))
		put_line(a, row);
	return 0;
}

/* Puts a setting in the place of one of its name, or behind all. */
static void set(const char **environment, const char *setting)
{
	const size_t name = strcspn(setting, "=") + 1;
	size_t i = 0;

	while (environment[i] && strncmp(environment[i], setting, name) != 0)
		i++;
	if (i < SETTINGS - 1)
		environment[i] = setting;
}

/* All that the program finds in its environment. */
struct surroundings {
	const char *variable[SETTINGS + 1];
	char filler[STACK_MOST + 32];	/* its length moves the stack */
};

static void fix_environment(struct surroundings *out,
			    const struct ci_program *p, unsigned stack)
{
	static const char *const always[] = {
		"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/", "TZ=UTC0",
		"PYTHONHASHSEED=0"
	};

	*out = (struct surroundings){ .filler = "ASSAY_FILLER=" };
	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
		set(out->variable, always[i]);
	for (size_t i = 0; p->environment && p->environment[i]; i++)
		set(out->variable, p->environment[i]);
	memset(out->filler + strlen(out->filler), 'x', stack);
	set(out->variable, out->filler);
	environ = (char **)out->variable;
}

/*
 * Limits that programs ask for. Linux does not enforce that of resident memory;
 * without it sort(1) asks how much memory is free.
 */
static void fix_limits(void)
{
	static const struct { int what; rlim_t most; } limits[] = {
		{ RLIMIT_RSS, 256 << 20 }, { RLIMIT_STACK, 8 << 20 },
		{ RLIMIT_NOFILE, 1024 }, { RLIMIT_CORE, 0 },
	};
	struct rlimit limit;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		getrlimit(limits[i].what, &limit);
		limit.rlim_cur = limits[i].most < limit.rlim_max ?
				 limits[i].most : limit.rlim_max;
		setrlimit(limits[i].what, &limit);
	}
}

/* No signal is ignored or blocked, as under nohup(1). */
static void fix_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Standard input is empty; the others are files in memory, as large as they
 * become. No other file of the caller's is open. Returns 0 or -1. */
static int fix_streams(void)
{
	const int in = open("/dev/null", O_RDONLY);
	const int out = memfd_create("stdout", 0);
	const int err = memfd_create("stderr", 0);

	if (in < 0 || out < 0 || err < 0)
		return -1;
	return dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ||
	       close_range(3, ~0u, 0) < 0 ? -1 : 0;
}

/* Enters the folder; *shows: under the folder's own path. A program that is
 * told of folders above its own needs these. */
static int enter(const struct ci_program *p, bool possible, bool *shows)
{
	const char *folder = p->folder && *p->folder ? p->folder : ".";

	*shows = !possible;
	for (size_t i = 0; p->argument && p->argument[i]; i++)
		*shows |= strstr(p->argument[i], "..") != NULL;
	return *shows ? chdir(folder) : place_enter(folder);
}

static int fix_process(const struct ci_program *p, const struct worker *w,
		       bool possible)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(w->cpu, &one);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != w->parent)
		return -1;
	fix_limits();
	fix_signals();
	if (enter(p, possible, &w->answer->run.shows) < 0)
		return -1;
	return sched_setaffinity(0, sizeof(one), &one) < 0 ||
	       personality(ADDR_NO_RANDOMIZE) < 0 ? -1 : fix_streams();
}

static void keep_last_line(struct answer *a)
{
	char text[RUN_SAID];
	const off_t end = lseek(2, 0, SEEK_END);
	const off_t from = end > RUN_SAID - 1 ? end - (RUN_SAID - 1) : 0;
	ssize_t n = end > 0 ? pread(2, text, RUN_SAID - 1, from) : 0;

	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n > 0 ? n : 0] = '\0';
	text_copy(a->run.said, RUN_SAID,
		  strrchr(text, '\n') ? strrchr(text, '\n') + 1 : text);
	for (char *t = a->run.said; *t; t++)
		if ((unsigned char)*t < ' ' || *t == 127)
			*t = '?';
}

/* The program's command: its path, and its arguments. NULL: no memory. */
static char **command(const struct ci_program *p, char *path)
{
	size_t n = 0;
	char **out;

	while (p->argument && p->argument[n])
		n++;
	out = calloc(n + 2, sizeof(*out));
	if (!out)
		return NULL;
	out[0] = path;
	if (n)
		memcpy(out + 1, p->argument, n * sizeof(*out));
	return out;
}

static void simulate(const struct pool *pool, struct worker *w,
		     const struct layout *layout, const char *preload)
{
	const struct run_job *job = &pool->job[w->job];
	const struct ci_program *p = job->program;
	const struct assay_fixed fixed = {
		.guest = p->guest, .name = p->name,
		.preload = *preload ? preload : NULL,
	};
	const struct assay_simulation simulation = {
		.cpu = p->cpu, .program = command(p, w->path),
		.by = job->lines ? ASSAY_BY_LINE : ASSAY_BY_NOTHING,
		.page_map = layout->page_map, .plugin = p->plugin,
		.from = p->from, .region = p->region, .fixed = &fixed,
	};
	struct surroundings surroundings;
	struct answer *a = w->answer;

	if (!simulation.program)
		a->rc = error_memory(&a->err);
	else if (fix_process(p, w, pool->own_place) < 0)
		a->rc = error_set(&a->err, -ASSAY_EUNAVAIL, "cannot fix what "
				  "the program sees: %s", strerror(errno));
	else
		fix_environment(&surroundings, p, layout->stack);
	if (a->rc == 0)
		a->rc = assay_simulate(pool->assay, &simulation, on_result,
				       on_row, a, &a->run.status, &a->err);
	keep_last_line(a);
}

/* ---- the pool ----------------------------------------------------------- */

static size_t answer_bytes(const struct run_job *job)
{
	return sizeof(struct answer) + (job->lines ? TEXT_ROOM : 0);
}

static int start(struct pool *pool, struct worker *w, struct assay_error *err)
{
	const struct run_job *job = &pool->job[pool->next];
	struct layout layout;
	char preload[128];
	int rc;

	layout_draw(&layout, job->layout);
	rc = layout_place(job->program, &layout, job->layout, pool->folder,
			  job->tag, w->path, preload, err);
	if (rc < 0)
		return rc;
	w->answer = mmap(NULL, answer_bytes(job), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (w->answer == MAP_FAILED)
		return error_memory(err);
	w->job = pool->next++;
	w->parent = getpid();
	w->pid = fork();
	if (w->pid == 0) {
		simulate(pool, w, &layout, preload);
		_exit(0);
	}
	if (w->pid > 0)
		return 0;
	w->pid = 0;
	munmap(w->answer, answer_bytes(job));
	return error_set(err, -ASSAY_EIO, "cannot fork: %s", strerror(errno));
}

static int check_status(const struct run_job *job, const struct run *run,
			struct assay_error *err)
{
	const struct ci_program *p = job->program;

	if (run->status == p->status)
		return 0;
	error_set(err, -ASSAY_EIO, "'%.200s' ended with %d, not with %d",
		  p->path, run->status, p->status);
	if (*run->said)
		error_add(err, "its last words: %s", run->said);
	return -ASSAY_EIO;
}

/* Is the output one of the sources of the lines? */
static int check_sources(const struct run_job *job, struct assay_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < job->lines->n && !rc; i++)
		rc = ci_program_reads(job->program, job->lines->of[i].file,
				      err);
	return rc;
}

/* Takes over the answer of a worker that has ended. */
static int take(const struct pool *pool, const struct worker *w, int status,
		struct assay_error *err)
{
	const struct run_job *job = &pool->job[w->job];
	const struct answer *a = w->answer;
	char *text;
	int rc;

	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return error_set(err, -ASSAY_EIO, "a run of '%.200s' was ended "
				 "from outside", job->program->path);
	if (a->rc < 0) {
		if (err)
			*err = a->err;
		return a->rc;
	}
	*job->run = a->run;
	if (!job->lines)
		return check_status(job, job->run, err);
	job->lines->cut = a->cut;
	text = strndup(a->text, a->bytes);
	if (!text)
		return error_memory(err);
	rc = ci_lines_read(job->lines, text, w->path, err);
	rc = rc ? rc : check_sources(job, err);
	return rc ? rc : check_status(job, job->run, err);
}

/* A worker that has ended; NULL: all still run. Other children of this process
 * are not waited for. */
static struct worker *ended(struct pool *pool, int *status)
{
	for (size_t i = 0; i < pool->workers; i++) {
		struct worker *w = &pool->worker[i];

		if (w->pid && waitpid(w->pid, status, WNOHANG) == w->pid)
			return w;
	}
	return NULL;
}

/* Waits for any worker; frees its place. */
static int collect(struct pool *pool, struct assay_error *err)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	const struct assay_ci *ci = pool->ci;
	struct worker *w;
	int status, rc;

	while (!(w = ended(pool, &status))) {
		if (ci->stopped && ci->stopped(ci->stopped_ctx))
			return error_set(err, -ASSAY_ESTOP, "stopped");
		nanosleep(&pause, NULL);
	}
	rc = take(pool, w, status, err);
	munmap(w->answer, answer_bytes(&pool->job[w->job]));
	w->pid = 0;
	return rc;
}

/* Ends the workers that still run; their programs' keepers (process.h) then end
 * the programs. */
static void end_all(struct pool *pool)
{
	for (size_t i = 0; i < pool->workers; i++)
		if (pool->worker[i].pid)
			kill(pool->worker[i].pid, SIGKILL);
	for (size_t i = 0; i < pool->workers; i++) {
		struct worker *w = &pool->worker[i];

		if (!w->pid)
			continue;
		waitpid(w->pid, NULL, 0);
		munmap(w->answer, answer_bytes(&pool->job[w->job]));
	}
}

/* One worker for each CPU of this process. */
static void find_cpus(struct pool *pool)
{
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (int cpu = 0; cpu < CPU_SETSIZE && pool->workers < WORKERS; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			pool->worker[pool->workers++].cpu = cpu;
}

unsigned ci_run_workers(void)
{
	cpu_set_t allowed;
	int n;

	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	n = CPU_COUNT(&allowed);
	return n < 1 ? 1 : n > WORKERS ? WORKERS : (unsigned)n;
}

int ci_run_jobs(const struct run_job *job, size_t jobs, struct assay *assay,
	     const struct assay_ci *ci, const char *folder,
	     struct assay_error *err)
{
	struct pool pool = { .job = job, .jobs = jobs, .assay = assay,
			     .ci = ci, .folder = folder };
	size_t busy = 0;
	int rc = 0;

	find_cpus(&pool);
	pool.own_place = place_possible();
	while (rc == 0 && (pool.next < jobs || busy)) {
		size_t i = 0;

		while (i < pool.workers && pool.worker[i].pid)
			i++;
		if (pool.next < jobs && i < pool.workers) {
			rc = start(&pool, &pool.worker[i], err);
			busy += rc == 0;
			continue;
		}
		rc = collect(&pool, err);
		busy--;
	}
	end_all(&pool);
	return rc;
}
