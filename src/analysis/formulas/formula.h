/* SPDX-License-Identifier: MIT */
/*
 * Formula files (data/formulas/NAME.yaml): claims "quantity = expression over
 * events", and hypotheses, which are formulas that together give one pie. This
 * header loads them, lists them as rows, and evaluates them on records. The
 * schema is documented in docs/formula-file.md.
 */
#ifndef ANALYSIS_FORMULAS_FORMULA_H
#define ANALYSIS_FORMULAS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/error.h"
#include "assay/quantity.h"
#include "assay/record.h"
#include "assay/row.h"
#include "base/expr.h"

enum pie_part { PIE_L1, PIE_L2, PIE_L3, PIE_DRAM, PIE_TOTAL, PIE_PARTS };

#define FORMULA_USES 16
#define FORMULA_EVENTS 1024	/* most events of a file */

/*
 * A formula may name earlier formulas: its expression has their roots as
 * subtrees, and .uses remembers the formulas for the chain of reasons.
 */
struct formula {
	const char *name;	/* of the quantity or metric */
	int quantity;		/* enum assay_quantity, or -1: a metric */
	int claims;		/* the quantity that the formula claims to give:
				 * .quantity, or the one that a metric names; or
				 * -1 */
	struct expr_tree expr;	/* names: indices into formula_file.event */
	const short *event;	/* these indices, each once, also those of the
				 * formulas that it names */
	unsigned events;
	const char *source;
	const char *text;	/* as written */
	const char *differs;	/* known difference from the quantity; "": none,
				 * so the formula claims to be exact */
	const char *note;	/* or "" */
	const char *warning;	/* shown wherever the value is shown; or "" */
	const char *checked;	/* what the formula was compared with, and the
				 * result; "": never compared */
	const struct formula *uses[FORMULA_USES];	/* NULL: no more */
	unsigned terms;		/* nodes, with the shared ones as often as they
				 * are named */
	unsigned depth;		/* of named formulas in named formulas */
};

struct hypothesis {
	const char *name;	/* "h1" */
	const char *title;
	const char *source;
	const char *note;	/* the author's reasoning, or "" */
	struct formula part[PIE_PARTS];
};

struct formula_file {
	const char *name, *title, *source, *file;
	const char *checked;	/* default of its formulas; or "" */
	const char *note;	/* or "" */
	const char *const *cpu;		/* patterns, NULL-terminated */
	const char *const *event;	/* every event any formula names */
	size_t events;
	const struct formula *formula;
	size_t formulas;
	const struct hypothesis *hypothesis;
	size_t hypotheses;
	const char *const *variant;	/* "all", "reads": NULL-terminated */
	const char *chosen;	/* the variant loaded; "" if there are none */
	bool loads_only;	/* the chosen variant counts no stores */
	void *owned;		/* memory behind all pointers of this file */
};

/*
 * Loads a formula file by its name or path, as cpu_load() does. `variant`
 * chooses one of the file's event sets (NULL: the first), such as the _RD
 * events instead of the read+write ones; or, in a file without such a set, the
 * one formula with that name: the file then has this formula and its events
 * only. The caller frees *out.
 */
int formula_load(struct formula_file **out, const char *name_or_path,
		 const char *variant, const char *data_dir,
		 struct assay_error *err);
/* As formula_load(), from text in memory; `file` is its name in messages. */
int formula_parse(struct formula_file **out, const char *file,
		  const char *text, size_t bytes, const char *variant,
		  struct assay_error *err);
void formula_free(struct formula_file *file);
/* Rows of all formula files, and of one file with its parts. */
int formula_list(const char *data_dir, assay_row_fn *fn, void *ctx,
		 struct assay_error *err);
int formula_describe(const struct formula_file *file, assay_row_fn *fn,
		     void *ctx);

/* The event that the formula is, alone: an index into formula_file.event; else
 * -1. */
int formula_is_event(const struct formula *formula);

/*
 * A formula's value on a record: events are looked up by name. An absent event
 * makes the value absent: "needs l2_misses, which needs L2_MISS: not counted".
 * The reason is owned by the file.
 */
struct assay_value formula_value(const struct formula_file *file,
				 const struct formula *formula,
				 const struct assay_record *record);

/*
 * A pie: five values, and whether they agree. residual = total - sum of the
 * parts; consistent: the residual is 0 and no part is negative. No value is
 * clamped.
 */
struct pie {
	struct assay_value part[PIE_PARTS];
	struct assay_value residual;
	int negative;		/* a part that is negative, or -1 */
	bool consistent;
};
void hypothesis_pie(const struct formula_file *file,
		    const struct hypothesis *hypothesis,
		    const struct assay_record *record, struct pie *out);
/* The true pie, from record->truth; unknown parts are absent. */
void true_pie(const struct assay_record *record, struct pie *out);

#endif
