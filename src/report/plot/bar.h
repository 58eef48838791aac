/* SPDX-License-Identifier: MIT */
/* Bars of characters: see report_bar(), too. */
#ifndef REPORT_PLOT_BAR_H
#define REPORT_PLOT_BAR_H

#include "report/plot/plot.h"

/* Bars, shares and pies: a line for each row, or for each part of a row. */
void bars_draw(const struct report_plot *plot, const struct report_style *style,
	       FILE *out);

#endif
