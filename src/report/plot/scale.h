/* SPDX-License-Identifier: MIT */
/* Axes: ranges, positions and ticks, for all writers. */
#ifndef REPORT_PLOT_SCALE_H
#define REPORT_PLOT_SCALE_H

#include "report/plot/plot.h"

struct scale { double low, high; enum plot_scale kind; };

/* Is the point a finite one that the axes can show? */
bool scale_shows(const struct report_plot *plot, const struct report_series *s,
		 size_t i);
/* The axes of curves; false: there is no point. */
bool scale_find(const struct report_plot *plot, struct scale *x,
		struct scale *y);
/* The axis of bars: from 0 to the largest value. */
bool scale_find_bars(const struct report_plot *plot, struct scale *out);
/* 0 .. 1 within the scale. */
double scale_along(const struct scale *scale, double value);
bool scale_has(const struct scale *scale, double value);
/* The values of ticks, rising. Returns how many, up to SCALE_TICKS. */
#define SCALE_TICKS 64
size_t scale_ticks(const struct scale *scale, double out[SCALE_TICKS]);
/* "4K", "1M": powers of 1024; bytes below 1K have a "B". */
void scale_binary(char *out, size_t room, double value, bool bytes);
/* A tick of that axis. */
void scale_tick(char *out, size_t room, const struct scale *scale,
		const char *unit, double value);
/* The share of the row's part in its sum: 0 if it takes no room. */
double scale_share(const struct report_bars *bars, size_t row, size_t part);

#endif
