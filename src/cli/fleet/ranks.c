/* SPDX-License-Identifier: MIT */
/*
 * One file a rank, one rank a node that measures, and a last line in each file
 * of JSON Lines: a file without this line is not complete.
 */
#define _GNU_SOURCE
#include "cli/fleet/ranks.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/fleet/file-name.h"
#include "cli/fleet/turns.h"

enum { WAIT_SECONDS = 60 };

struct ranks {
	struct launcher launcher;
	char output[4096];	/* -o with its %h, %r ... replaced */
	const char *pattern;	/* -o as it was */
	char own[64];	/* a pattern of the command's */
	bool named;		/* the user gave no -o, but ranks need one */
};

const struct option rank_options[] = {
	FLAG(0, "all-ranks", all_ranks,
	  "in a parallel job: all ranks measure, not only the first one of "
	  "each node"),
	{ 0 }
};

/* Does the command measure, so that a second one on the node disturbs it? */
static bool is_measuring(const struct command *command)
{
	for (const struct option *const *t = command->options; t && *t; t++)
		if (*t == rank_options)
			return true;
	return false;
}

/* ---- the name of the file ------------------------------------------------ */

static bool is_regular(const char *path)
{
	struct stat s;

	return strcmp(path, "-") && (stat(path, &s) || S_ISREG(s.st_mode));
}

static int one_file(const char *path, int ranks, struct assay_error *err)
{
	error_set(err, -ASSAY_EINVAL, "%d ranks would write one file, '%.200s'",
		  ranks, path);
	error_add(err, "try: -o with %%r (rank) or %%h (node) in the name, or "
		  "--append");
	return -ASSAY_EINVAL;
}

/* "sweep-%h-%r.jsonl" for the ranks of a job that name no file. */
static void default_name(char *out, size_t room, const struct context *context)
{
	const struct settings *s = &context->settings;

	snprintf(out, room, "%s-%%h-%%r%s", context->command->name,
		 s->separator ? ".csv" : s->format && strcmp(s->format, "json")
		 ? "" : ".jsonl");
}

static int name_output(struct context *context, struct assay_error *err)
{
	struct settings *s = &context->settings;
	struct ranks *r = context->ranks;
	const bool many = r->launcher.ranks > 1;

	r->pattern = s->output;
	if (many && !r->pattern && is_measuring(context->command) &&
	    !s->predict) {
		default_name(r->own, sizeof(r->own), context);
		r->pattern = r->own;
		r->named = true;
	}
	if (!r->pattern)
		return 0;
	if (many && !s->append && is_regular(r->pattern) &&
	    !file_name_is_own(r->pattern))
		return one_file(r->pattern, r->launcher.ranks, err);
	s->output = r->output;
	return file_name_expand(r->output, sizeof(r->output), r->pattern,
				&r->launcher, err);
}

int ranks_open(struct context *context, struct assay_error *err)
{
	struct ranks *r = calloc(1, sizeof(*r));

	if (!r)
		return error_memory(err);
	launcher_read(&r->launcher);
	context->ranks = r;
	return name_output(context, err);
}

const char *ranks_pattern(const struct context *context)
{
	return context->ranks ? context->ranks->pattern :
				context->settings.output;
}

void ranks_close(struct context *context)
{
	free(context->ranks);
	context->ranks = NULL;
}

/* ---- a part of a node ---------------------------------------------------- */

static bool is_native(const struct settings *s)
{
	return !s->on || (strncmp(s->on, "sim", 3) &&
			  strncmp(s->on, "replay", 6));
}

/* CPUs of the node that this process may use; others may disturb it. */
static void warn_of_part(const struct context *context)
{
	const struct launcher *l = &context->ranks->launcher;
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	long own = l->cpus;
	cpu_set_t set;

	if (own < 0)
		own = sched_getaffinity(0, sizeof(set), &set) ? online :
		      CPU_COUNT(&set);
	if (own < online && !context->settings.quiet)
		report_say(stderr, "assay %s: this job has %ld of the %ld CPUs "
			   "of node %s: what runs on the others disturbs it; "
			   "try: srun --exclusive\n", context->command->name,
			   own, online, l->node);
}

/* ---- running ------------------------------------------------------------- */

static void put_rank(struct context *context, const char *measured,
		     const char *why, int exit_code)
{
	const struct launcher *l = &context->ranks->launcher;
	const struct assay_field field[] = {
		field_text("node", l->node),
		field_value("rank", (struct assay_value){
			.number = l->rank, .why = l->rank < 0 ?
				"the launcher does not tell" : NULL }),
		field_text("job", l->job),
		field_text("measured", measured),
		field_text("why", why),
		field_count("exit", (uint64_t)exit_code),
	};

	ROW_EMIT(report_row, context->report, "rank", field);
}

/* The file of a rank that leaves the measuring to another one. */
static int leave_out(struct context *context, int fd)
{
	static const char *const why[] = {
		[TURNS_MEASURED] = "not measured: rank 0 of this node did",
		[TURNS_FAILED] = "not measured: rank 0 of this node was to, "
				 "and failed",
		[TURNS_NOT_SEEN] = "not measured: rank 0 of this node was to, "
				   "and was not seen",
	};
	const enum turns_end end = turns_wait(fd, &context->ranks->launcher,
					      WAIT_SECONDS);
	const int code = end == TURNS_MEASURED ? EXIT_OK : EXIT_FAILED;

	context->partial = true;
	if (report_has(context->report, REPORT_PROSE))
		report_note(context->report, "%s", why[end]);
	else
		put_rank(context, "no", why[end], code);
	if (code)
		complain_text(context->command->name, code, "%s", why[end]);
	return code;
}

/* Runs the command, and ends the file of a job: the file is complete. */
static int measure(struct context *context)
{
	const struct launcher *l = &context->ranks->launcher;
	const int code = controls_run(context);

	if ((l->kind || *l->job) && context->settings.output &&
	    report_has(context->report, REPORT_RECORDS) &&
	    (code == EXIT_OK || code == EXIT_CHECK || code == EXIT_NO_COUNTERS))
		put_rank(context, "yes", "", code);
	return code;
}

/* Takes this rank's turn, so that no other one measures meanwhile. */
static int take_turn(struct context *context, int fd)
{
	const struct launcher *l = &context->ranks->launcher;
	int code;

	if (!turns_take(fd, l) && !context->settings.quiet)
		report_say(stderr, "assay %s: other ranks of node %s may "
			   "measure now, too: no file for locks can be had\n",
			   context->command->name, l->node);
	code = measure(context);
	if (code == EXIT_OK || code >= EXIT_CHECK)
		turns_done(fd, l);
	return code;
}

/* Without a name of its job, a rank does not know the others' turns. */
int ranks_run(struct context *context)
{
	const struct settings *s = &context->settings;
	const struct launcher *l = &context->ranks->launcher;
	const bool named = *l->job || *l->step;
	int fd, code;

	if (!l->kind || !is_measuring(context->command) || s->predict)
		return measure(context);
	if (context->ranks->named && !s->quiet)
		report_say(stderr, "assay %s: rank %d of %d writes %s\n",
			   context->command->name, l->rank, l->ranks,
			   s->output);
	if (is_native(s))
		warn_of_part(context);
	if (s->all_ranks)
		return measure(context);
	fd = turns_open(l);
	code = l->local_rank > 0 && named ? leave_out(context, fd) :
					    take_turn(context, fd);
	if (fd >= 0)
		close(fd);
	return code;
}
