/* SPDX-License-Identifier: MIT */
/* Drawing a line plot with characters. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/report.h"

void plot_draw(const struct report_plot *plot,
	       const struct report_style *style, FILE *out);

#endif
