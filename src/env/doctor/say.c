/* SPDX-License-Identifier: MIT */
/* One finding of the doctor as a row. */
#include "env/doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void doctor_say(struct doctor *d, const char *what, const char *state,
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
		{ .name = "part", .text = d->part },
		{ .name = "what", .text = what },
		{ .name = "state", .text = shown },
		{ .name = "evidence", .text = text },
		{ .name = "effect", .text = effect },
		{ .name = "cure", .text = cure },
	};
	const struct assay_row row = {
		.type = "finding", .field = field,
		.fields = sizeof(field) / sizeof(field[0]),
	};

	d->stopped = d->fn(d->ctx, &row);
}
