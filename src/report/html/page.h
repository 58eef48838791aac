/* SPDX-License-Identifier: MIT */
/*
 * A page of HTML in one file: sections, sentences, tables, plots and data. All
 * text is escaped here.
 */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"
#include "report/table.h"

/* A table under construction. Zeroed: no rows. */
struct page_table {
	const char *caption;
	bool filtered;		/* people can look for rows */
	bool folded;		/* shut until it is asked for */
	struct table table;
	struct remarks remarks;
	bool no_memory;
};

struct page {
	FILE *out;
	const char *css, *js;	/* the page's own, besides plot_css */
	bool open;		/* a section is */
};

/* The head, the title, and the answer as the first sentence. */
void page_begin(struct page *page, const char *title, const char *answer);
void page_section(struct page *page, const char *title);
/* A title within the section. */
void page_part(struct page *page, const char *title);
void page_text(struct page *page, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A picture, and its data as a table. */
void page_plot(struct page *page, const struct report_plot *plot);
void page_end(struct page *page);

/* An assay_row_fn; ctx is a struct page_table *. */
int page_row(void *ctx, const struct assay_row *row);
/* Draws the table, if it has rows, and frees it. */
void page_table_end(struct page *page, struct page_table *table);

/* Lines of source code with `counts` numbers each. */
void page_source_begin(struct page *page, const char *file,
		       const char *const *count, size_t counts);
/*
 * line: 0: lines are left out here; value: NULL: no code of the line was
 * counted; text: n bytes; why: or NULL.
 */
void page_source_line(struct page *page, int line, const double *value,
		      size_t counts, const char *text, size_t n,
		      const char *why);
void page_source_end(struct page *page);

/* Data for programs: JSON that is written in between. */
FILE *page_data_begin(struct page *page);
void page_data_end(struct page *page);

#endif
