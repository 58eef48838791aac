/* SPDX-License-Identifier: MIT */
/* Prepares a job, and measures one shape of the job. */
#define _GNU_SOURCE	/* sched_getcpu */
#include "run/run.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/core-clock.h"
#include "run/ending.h"
#include "run/formulas.h"
#include "run/noise.h"
#include "base/record.h"
#include "base/text.h"
#include "counters/draws.h"
#include "env/idle.h"
#include "measure/measure.h"

/* What perf counts if the job names no events. */
static const char default_events[] =
	"instructions,cycles,cache-misses,page-faults,task-clock";

static int find_kernel(struct run *run, struct assay_error *err)
{
	if (!run->job->kernel)
		return error_set(err, -ASSAY_EINVAL, "no kernel is named");
	run->kernel = kernel_find(run->job->kernel);
	return run->kernel ? 0 : kernel_unknown(run->job->kernel, err);
}

static const char *default_on(const struct run *run)
{
	const struct assay_job *job = run->job;

	if (job->on)
		return job->on;
	return job->events || job->formulas || run->kernel->control ? "perf" :
								      "null";
}

/* The name that formula files are matched against. */
static const char *cpu_name(const struct run *run)
{
	if (run->target.model_of[0])
		return run->target.model_of;
	if (run->target.cpu)
		return run->target.cpu->name;
	if (run->target.saved.records)
		return run->target.saved.record[0]->machine.cpu;
	return "linux";
}

/* Without events, a replay shows the events that the file has for the
 * kernel. */
static int saved_events(struct run *run, struct assay_error *err)
{
	const struct store *saved = &run->target.saved;
	int rc = 0;

	for (size_t i = 0; i < saved->records; i++) {
		const struct assay_record *r = saved->record[i];

		if (strcmp(r->shape.kernel, run->kernel->name) != 0)
			continue;
		for (unsigned e = 0; e < r->events && rc == 0; e++)
			rc = events_parse(&run->group, r->event[e].name,
					  &run->target.events, err);
		break;
	}
	return rc;
}

static int find_events(struct run *run, struct assay_error *err)
{
	const char *list = run->job->events;
	int rc = 0;

	if (!list && !run->job->formulas &&
	    run->target.provider == &perf_provider)
		list = run->kernel->control ? run->kernel->control :
					      default_events;
	if (!list && !run->job->formulas)
		rc = saved_events(run, err);
	if (list)
		rc = events_parse(&run->group, list, &run->target.events, err);
	if (rc == 0)
		rc = formulas_add_events(run, err);
	return rc;
}

/* Every shape must be valid before the first one is run. */
static int check_shapes(struct run *run, struct assay_error *err)
{
	struct assay_shape shape;
	int rc = 0;

	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++)
		rc = sweep_shape(&run->sweep, i, &shape, err);
	return rc;
}

/* Chooses the CPU once for all shapes, so that shapes can be compared. */
static void choose_cpu(struct run *run)
{
	run->idle_cpu = -1;
	if (run->job->cpu >= 0 || run->job->predict ||
	    run->target.provider->drive != DRIVE_NATIVE)
		return;
	run->idle_cpu = env_idle_cpu(run->assay->sysroot);
	if (run->idle_cpu < 0)
		run->idle_cpu = sched_getcpu();
}

int run_init(struct run *out, const struct assay *assay,
	     const struct assay_job *job, struct assay_error *err)
{
	int rc;

	*out = (struct run){ .assay = assay, .job = job };
	rc = find_kernel(out, err);
	if (rc == 0)
		rc = sweep_init(&out->sweep, out->kernel, job->setting,
				job->settings, err);
	if (rc == 0)
		rc = check_shapes(out, err);
	if (rc == 0)
		rc = target_init(&out->target, assay, default_on(out),
				 job->page_map, job->no_fast_forward, err);
	if (rc == 0)
		rc = formulas_load_named(out, job->formulas, err);
	if (rc == 0)
		rc = formulas_load_fitting(out, cpu_name(out), err);
	if (rc == 0)
		rc = find_events(out, err);
	if (rc == 0)
		choose_cpu(out);
	if (rc < 0)
		run_fini(out);
	return rc;
}

void run_fini(struct run *run)
{
	for (unsigned i = 0; i < run->files; i++)
		formula_free(run->file[i]);
	run->files = run->asked = 0;
	target_fini(&run->target);
	sweep_fini(&run->sweep);
}

int run_parse_pages(enum arena_pages *out, const char *text,
		    struct assay_error *err)
{
	static const char *const words[] = { "4K", "thp", "huge", NULL };

	for (int i = 0; text && words[i]; i++) {
		if (text_equal(words[i], text)) {
			*out = (enum arena_pages)i;
			return 0;
		}
	}
	*out = ARENA_4K;
	return text ? error_set(err, -ASSAY_EINVAL, "pages '%.60s' is none of "
				"4K, thp, huge", text) : 0;
}

static int map_arena(struct run *run, const struct assay_shape *shape,
		     struct arena *out, struct assay_error *err)
{
	uint64_t bytes = run->kernel->arena_bytes(shape);
	enum arena_pages pages;
	int rc = run_parse_pages(&pages, run->job->pages, err);

	*out = (struct arena){ 0 };
	if (rc < 0 || !bytes || run->target.provider->drive == DRIVE_NOTHING)
		return rc;
	if (bytes > SIZE_MAX / 2)
		return error_set(err, -ASSAY_ERANGE, "the shape needs %llu "
				 "bytes", (unsigned long long)bytes);
	rc = env_arena_map(out, bytes, pages, err);
	if (rc == 0)
		rc = ending_prepare(run->kernel, shape, out, err);
	if (rc < 0)
		env_arena_unmap(out);
	return rc;
}

/* A replayed record keeps its own machine, settings and times. */
static void copy_saved(struct assay_record *r, const struct assay_record *saved)
{
	r->machine = saved->machine;
	r->place = saved->place;
	r->settings = saved->settings;
	r->noise = saved->noise;
	r->fast_forwarded = saved->fast_forwarded;
	r->random_replacement = saved->random_replacement;
	for (unsigned i = 0; i < r->repeats; i++)
		r->ns[i] = i < saved->repeats ? saved->ns[i] : 0;
}

/* The machine's settings: those that assay changed, and the others as found. */
static void describe_native(const struct run *run, struct assay_record *r,
			    int cpu)
{
	const char *changed = run->assay->settings;
	char found[128];

	env_conditions(found, sizeof(found), run->assay->sysroot, cpu,
		       changed);
	snprintf(r->settings.options, sizeof(r->settings.options), "%s%s",
		 changed, found + (*changed ? 0 : *found == ' '));
}

void run_describe(const struct run *run, struct assay_record *r, int cpu)
{
	r->machine = run->assay->machine;
	r->place = run->assay->place;
	r->settings.cpu = cpu;
	if (run->target.provider->drive == DRIVE_NATIVE)
		describe_native(run, r, cpu);
	if (!run->target.cpu)
		return;
	memset(&r->machine, 0, sizeof(r->machine));
	text_copy(r->machine.cpu, sizeof(r->machine.cpu),
		  run->target.cpu->name);
	/* sim:host differs from machine to machine: the record names it */
	if (!strcmp(run->target.cpu->name, "host"))
		text_copy(r->machine.host, sizeof(r->machine.host),
			  run->assay->machine.host);
	text_copy(r->machine.isa, sizeof(r->machine.isa),
		  isa_names[run->target.isa]);
	r->random_replacement = draws_possible(&run->target.geometry);
	text_copy(r->settings.page_map, sizeof(r->settings.page_map),
		  run->target.page_map);
	target_options_text(r->settings.options, sizeof(r->settings.options),
			    &run->target);
}

static int find_saved(struct run *run, const struct assay_shape *shape,
		      struct assay_error *err)
{
	if (run->target.provider != &replay_provider)
		return 0;
	run->target.config.saved = store_find(&run->target.saved, shape);
	if (run->target.config.saved)
		return 0;
	return error_set(err, -ASSAY_ENOENT, "the file holds no record of "
			 "kernel '%s' with these options", shape->kernel);
}

int run_pin(const struct run *run, struct env_affinity *old, int *cpu,
	    struct assay_error *err)
{
	int rc;

	*cpu = -1;
	if (run->target.provider->drive != DRIVE_NATIVE)
		return 0;
	*cpu = run->job->cpu >= 0 ? run->job->cpu : run->idle_cpu;
	rc = *cpu < 0 ? -ASSAY_EPERM : env_pin(*cpu, old, err);
	if (rc == 0 || run->job->cpu >= 0)
		return rc;
	*cpu = -1;
	return 0;
}

/*
 * The size of the pages that the arena really has, and their physical frames
 * where the operating system shows them (to root).
 */
static int record_memory(struct assay_record *record,
			 const struct arena *arena)
{
	uint64_t *frame = calloc(RECORD_FRAMES, sizeof(*frame));
	size_t frames;
	int rc = 0;

	if (!frame)
		return -ASSAY_ENOMEM;
	env_arena_pages(arena, record->settings.pages,
			sizeof(record->settings.pages), NULL);
	frames = env_arena_frames(arena, frame, RECORD_FRAMES);
	if (frames)
		rc = record_set_frames(record, frame, frames);
	free(frame);
	return rc;
}

struct measuring {
	const struct measure_job *job;
	struct assay_record *record;
	struct assay_error *err;
};

static int measure(void *ctx)
{
	const struct measuring *m = ctx;

	return measure_run(m->job, m->record, m->err);
}

/* As measure_run(), but also a signal handler can end a repetition. */
static int measure_endable(const struct measure_job *job,
			   struct assay_record *record, struct assay_error *err)
{
	const struct kernel kernel = ending_kernel(job->kernel);
	struct measure_job endable = *job;
	struct measuring m = { &endable, record, err };
	int rc;

	endable.kernel = &kernel;
	rc = ending_call(measure, &m);
	if (rc != -ASSAY_ESTOP)
		return rc;
	return record->repeats ? 0 : error_set(err, rc, "stopped");
}

/* A native run, with its noise; disturbed repetitions are done again. */
static int measure_watched(struct run *run, struct measure_job *m,
			   struct assay_record *record, int cpu,
			   struct assay_error *err)
{
	const struct noise_port port = noise_machine(run->assay->sysroot);
	struct noise_watch noise;
	const struct measure_watch watch = {
		.before = noise_before, .after = noise_after, .ctx = &noise,
	};
	int rc;

	noise_begin(&noise, &port, &record->noise, cpu, m->warmup > 0,
		    run->most_adds);
	m->watch = &watch;
	rc = measure_endable(m, record, err);
	m->watch = NULL;
	core_clock_note(&record->settings, noise.first_ghz, noise.ghz);
	run->most_adds = noise.most_adds;
	return rc;
}

/* The provider is open and the arena is mapped: pins the thread and runs. */
static int measure_open(struct run *run, struct measure_job *m,
			struct assay_record *record, struct assay_error *err)
{
	struct env_affinity old = { .changed = false };
	int cpu, rc = run_pin(run, &old, &cpu, err);

	if (rc < 0)
		return rc;
	run_describe(run, record, cpu);
	rc = run->target.provider->drive == DRIVE_NATIVE ?
	     measure_watched(run, m, record, cpu, err) :
	     measure_run(m, record, err);
	env_unpin(&old);
	if (rc == 0 && run->target.provider->drive == DRIVE_NATIVE &&
	    record_memory(record, m->arena) < 0)
		rc = error_memory(err);
	if (rc == 0 && run->target.config.saved)
		copy_saved(record, run->target.config.saved);
	return rc;
}

unsigned run_repeats(const struct run *run)
{
	const struct assay_record *saved = run->target.config.saved;

	if (saved)
		return saved->repeats;
	return run->job->repeats ? run->job->repeats : 1;
}

unsigned run_warmup(const struct run *run)
{
	return run->job->warmup_given ? run->job->warmup : 1;
}

int run_measure(struct run *run, const struct assay_shape *shape,
		struct assay_record **out, struct assay_error *err)
{
	const struct provider *p = run->target.provider;
	struct assay_record *record = NULL;
	struct arena arena = { 0 };
	struct measure_job m = {
		.provider = p, .group = &run->group, .kernel = run->kernel,
		.shape = shape, .arena = &arena, .isa = run->target.isa,
		.warmup = run_warmup(run),
		.now_ns = p->drive == DRIVE_NATIVE ? env_now_ns : NULL,
		.stopped = run->job->stopped,
		.stopped_ctx = run->job->stopped_ctx,
	};
	int rc = find_saved(run, shape, err);

	if (rc < 0)
		return rc;
	m.repeats = run_repeats(run);
	rc = map_arena(run, shape, &arena, err);
	if (rc < 0)
		return rc;
	run->target.config.watched = (const char *)arena.base;
	m.state = calloc(1, p->state_size ? p->state_size : 1);
	record = record_new(run->group.events, m.repeats);
	if (!m.state || !record) {
		rc = error_memory(err);
		goto out_state;
	}
	rc = p->open(m.state, &run->target.config, &run->group, err);
	if (rc < 0)
		goto out_state;
	rc = measure_open(run, &m, record, err);
	if (rc == 0 && record_own_reasons(record) < 0)
		rc = error_memory(err);
	if (rc == 0) {
		*out = record;
		record = NULL;
	}
	p->close(m.state);
out_state:
	record_free(record);
	free(m.state);
	env_arena_unmap(&arena);
	return rc;
}
