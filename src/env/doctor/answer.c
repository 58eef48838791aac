/* SPDX-License-Identifier: MIT */
/*
 * The doctor's rows: findings, and the conclusion after all findings: whether
 * this machine can count, if not why, and what to do next.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "env/doctor/doctor.h"

void doctor_add(struct doctor *d, const char *what, const char *state,
		const char *effect, const char *cure, const char *evidence,
		...)
{
	const char *shown = *effect && !strcmp(state, "ok") ? "info" : state;
	char text[512];
	va_list args;

	if (d->stopped)
		return;
	d->bad += !strcmp(shown, "bad");
	d->warnings += !strcmp(shown, "warn");
	va_start(args, evidence);
	vsnprintf(text, sizeof(text), evidence, args);
	va_end(args);

	const struct assay_field field[] = {
		field_text("part", d->part), field_text("what", what),
		field_text("state", shown), field_text("evidence", text),
		field_text("effect", effect), field_text("cure", cure),
	};

	d->stopped = ROW_EMIT(d->fn, d->ctx, "finding", field);
}

void doctor_blocks(struct doctor *d, const char *cure, const char *why, ...)
{
	va_list args;

	if (d->hardware || d->why[0])
		return;
	va_start(args, why);
	vsnprintf(d->why, sizeof(d->why), why, args);
	va_end(args);
	text_copy(d->cure, sizeof(d->cure), cure);
}

/* "; 2 things do not work and 3 disturb measurements" */
static void put_findings(char *out, size_t room, const struct doctor *d)
{
	char bad[48] = "", warnings[64] = "";

	if (d->bad)
		snprintf(bad, sizeof(bad), "%u thing%s not work", d->bad,
			 d->bad == 1 ? " does" : "s do");
	if (d->warnings)
		snprintf(warnings, sizeof(warnings), "%u %sdisturb%s or "
			 "limit%s measurements", d->warnings, d->bad ? "" :
			 d->warnings == 1 ? "thing " : "things ",
			 d->warnings == 1 ? "s" : "",
			 d->warnings == 1 ? "s" : "");
	snprintf(out, room, "%s%s%s", bad, *bad && *warnings ? ", " : "",
		 *bad || *warnings ? warnings :
		 "nothing that was seen disturbs measurements");
}

static void put_sentence(char *out, size_t room, const struct doctor *d)
{
	char rest[128];

	put_findings(rest, sizeof(rest), d);
	if (d->hardware)
		snprintf(out, room, "This machine can count hardware events "
			 "(PMU %s); %s.", d->pmus[0] ? d->pmus : "not named",
			 rest);
	else
		snprintf(out, room, "This machine cannot count hardware "
			 "events: %s; timing%s work.", d->why,
			 d->probe.open[PROBE_SOFTWARE] ? " and simulation" :
			 ", simulation and software events");
}

void doctor_answer(struct doctor *d)
{
	char error[24], sentence[400];

	doctor_blocks(d, "perf's manual page, under ERRORS, has the reasons",
		      "perf_event_open fails with %s",
		      probe_open_text(d->probe.open[PROBE_HARDWARE], error));
	put_sentence(sentence, sizeof(sentence), d);
	const struct assay_field field[] = {
		field_text("answer", sentence),
		field_text("hardware events", d->hardware ? "yes" : "no"),
		field_text("why", d->why),
		field_text("next", d->hardware ? "assay verify tells which "
			   "events of this CPU are right" : d->cure),
	};

	if (!d->stopped)
		d->stopped = ROW_EMIT(d->fn, d->ctx, "answer", field);
}
