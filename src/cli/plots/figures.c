/* SPDX-License-Identifier: MIT */
/* The pictures of a run: memory, and all makers in turn. See figures.h. */
#define _GNU_SOURCE	/* vasprintf */
#include "cli/plots/figures.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plots/run-points.h"

/* Frees the pointer itself if there is no room to keep it. */
static void *own(struct figures *f, void *pointer)
{
	void **more = reallocarray(f->owned, f->owns + 1, sizeof(*more));

	if (more)
		f->owned = more;
	if (!more || !pointer) {
		free(pointer);
		f->no_memory = true;
		return NULL;
	}
	f->owned[f->owns++] = pointer;
	return pointer;
}

void *figures_own(struct figures *f, size_t n, size_t size)
{
	return own(f, calloc(n + 1, size));
}

char *figures_text(struct figures *f, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	return own(f, n < 0 ? NULL : text);
}

void figures_add(struct figures *f, enum figure kind,
		 const struct report_plot *plot)
{
	if (f->no_memory || f->plots == FIGURES_MOST || !plot_drawable(plot))
		return;
	f->kind[f->plots] = kind;
	f->plot[f->plots++] = *plot;
}

int figures_make(struct figures *out, const struct run_file *run,
		 const struct run_points *points)
{
	*out = (struct figures){ .plots = 0 };
	if (points)
		figures_of_points(out, points);
	figures_of_rows(out, run);
	if (!points || !points->x_name)
		figures_of_counts(out, run);
	if (out->no_memory)
		figures_fini(out);
	return out->no_memory;
}

void figures_fini(struct figures *f)
{
	for (size_t i = 0; i < f->owns; i++)
		free(f->owned[i]);
	free(f->owned);
	f->owned = NULL;
	f->owns = f->plots = 0;
}
