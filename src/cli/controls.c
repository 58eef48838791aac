/* SPDX-License-Identifier: MIT */
/* Changing the machine's settings around a command. */
#include "cli/context.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const struct option sysroot_option[] = {
	TEXT(0, "sysroot", "DIR", sysroot,
	  "a recorded or made-up machine: /proc, /sys and /dev/cpu below DIR"),
	{ 0 }
};

const struct option control_options[] = {
	TEXT(0, "prefetchers", "STATE", prefetchers,
	  "on, off, or the register's bits that turn them off, such as 0x3; "
	  "that they are off is checked by measuring"),
	TEXT(0, "governor", "NAME", governor,
	  "this frequency governor on all CPUs, such as performance"),
	NUMBER(0, "huge", "N", huge_pages, 1,
	  "see that N huge pages of 2 MiB are free (for --page-size huge)"),
	TEXT(0, "nice", "N", nice, "run with nice -20 .. 19"),
	TEXT(0, "realtime", "N", realtime,
	  "run with real-time priority 1 .. 99 (SCHED_FIFO)"),
	TEXT(0, "sysroot", "DIR", sysroot,
	  "for tests: the settings, /proc and /sys are those below DIR"),
	{ 0 }
};

const struct option pin_option[] = {
	NUMBER(0, "cpu", "N", cpu, 0, "run on this CPU"),
	{ 0 }
};

static bool has(const struct command *command, const struct option *table)
{
	for (const struct option *const *t = command->options; t && *t; t++)
		if (*t == table)
			return true;
	return false;
}

/* A command without a job pins its own process. */
static bool pins(const struct context *context)
{
	return has(context->command, pin_option) && context->settings.cpu >= 0;
}

static bool wishes(const struct settings *s)
{
	return s->prefetchers || s->governor || s->nice ||
	       s->huge_pages > 0 || s->realtime;
}

/* Settings of the machine have no effect on a simulation or a replay. */
static int check(const struct settings *s, struct assay_error *err)
{
	if (wishes(s) && s->on && (!strncmp(s->on, "sim", 3) ||
				   !strncmp(s->on, "replay", 6)))
		return error_set(err, -ASSAY_EINVAL, "the machine's settings "
				 "have no effect on --on %.60s", s->on);
	return 0;
}

/* Leaves *out unchanged if the option was not given. */
static int parse_priority(int *out, const char *option, const char *text,
			  int least, int most, struct assay_error *err)
{
	char *end;
	long n;

	if (!text)
		return 0;
	n = strtol(text, &end, 10);
	if (end == text || *end || n < least || n > most)
		return error_set(err, -ASSAY_EINVAL, "option '%s': '%.60s' is "
				 "not in %d .. %d", option, text, least, most);
	*out = (int)n;
	return 0;
}

static int parse_priorities(struct assay_wishes *out, const struct settings *s,
			    struct assay_error *err)
{
	int rc = parse_priority(&out->nice, "--nice", s->nice, -20, 19, err);

	out->nice_given = s->nice != NULL;
	return rc ? rc : parse_priority(&out->realtime, "--realtime",
					s->realtime,
					sched_get_priority_min(SCHED_FIFO),
					sched_get_priority_max(SCHED_FIFO),
					err);
}

static int begin(struct context *context, struct assay_control **out,
		 struct assay_error *err)
{
	const struct settings *s = &context->settings;
	struct assay_wishes w = {
		.prefetchers = s->prefetchers, .governor = s->governor,
		.huge_pages = s->huge_pages > 0 ? (unsigned)s->huge_pages : 0,
		.pin_given = pins(context), .pin = s->cpu,
	};
	int rc = parse_priorities(&w, s, err);

	if (!rc)
		rc = assay_control_begin(context->assay, &w, out, err);
	if (!rc && *assay_control_doubt(*out))
		report_say(stderr, "assay %s: %s\n", context->command->name,
			   assay_control_doubt(*out));
	return rc;
}

/* Undoes the settings of a killed run before the machine is measured. */
static int tidy_up(struct context *context, struct assay_error *err)
{
	unsigned undone = 0;
	int rc;

	if (!assay_left_over(context->assay))
		return 0;
	rc = assay_restore(context->assay, &undone, err);
	if (!rc && !context->settings.quiet)
		fprintf(stderr, "assay %s: a killed run had left %u setting%s "
			"changed: undone\n", context->command->name, undone,
			undone == 1 ? "" : "s");
	return rc;
}

int controls_run(struct context *context)
{
	struct assay_control *control = NULL;
	struct assay_error err = { 0 };
	int exit_code, rc;

	if (!has(context->command, control_options))
		return context->command->run(context);
	rc = check(&context->settings, &err);
	if (!rc)
		rc = tidy_up(context, &err);
	if (!rc && (wishes(&context->settings) || pins(context)))
		rc = begin(context, &control, &err);
	if (rc)
		return complain(context, &err);
	exit_code = context->command->run(context);
	if (assay_control_end(control, &err)) {
		rc = complain(context, &err);
		return exit_code == EXIT_OK ? rc : exit_code;
	}
	return exit_code;
}
