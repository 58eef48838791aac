/* SPDX-License-Identifier: MIT */
/*
 * libassay: kernels with known answers, counters, and verdicts about them.
 *
 * In pipeline order: open a library handle, list what there is, describe a job
 * (kernel, options, provider, events, formulas), run it over all its shapes,
 * look at the records, and compare them with what is predicted.
 *
 * The library never prints and never exits. All strings are UTF-8.
 *
 * Unless a function says otherwise: it returns 0, or a negative code and fills
 * *err, which may be NULL; outputs are untouched then. What is passed to it, or
 * by it to a callback, is borrowed for the call. A callback that returns
 * non-zero ends it with -ASSAY_ESTOP. Besides the codes that are named,
 * -ASSAY_ENOMEM may come from all, -ASSAY_EPARSE with file:line:col from those
 * that read files, and -ASSAY_EIO from those that read or write any.
 * libassay(3) has a whole program.
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stdbool.h>
#include <stdio.h>

#include "assay/ci.h"
#include "assay/class.h"
#include "assay/control.h"
#include "assay/count.h"
#include "assay/error.h"
#include "assay/expectation.h"
#include "assay/export.h"
#include "assay/mark.h"
#include "assay/quantity.h"
#include "assay/record.h"
#include "assay/row.h"
#include "assay/shape.h"
#include "assay/timing.h"
#include "assay/trust.h"

struct assay;

struct assay_options {
	const char *data_dir;	/* overrides the built-in data; or NULL */
	const char *sysroot;	/* where /proc and /sys are; NULL: "/" */
	const char *event_tables;	/* folders or files of event tables,
					 * ':' between; or NULL */
	const char *cert_dir;	/* certificates; NULL: assay/certificates of
				 * XDG_DATA_HOME, or of ~/.local/share */
};

/* "1.2.3" */
ASSAY_API const char *assay_version(void);
/*
 * Returns 0 and a handle for assay_close(); -ASSAY_ENOENT if data_dir or
 * sysroot is no folder; -ASSAY_ENOMEM. options may be NULL; its strings must
 * live as long as the handle. A handle is for one thread at a time.
 */
ASSAY_API int assay_open(struct assay **out,
			 const struct assay_options *options,
			 struct assay_error *err);
/* NULL is allowed. */
ASSAY_API void assay_close(struct assay *assay);

/* ---- what there is ------------------------------------------------------ */

enum assay_list {
	ASSAY_LIST_KERNELS, ASSAY_LIST_CPUS, ASSAY_LIST_FORMULAS,
	ASSAY_LIST_EVENTS, ASSAY_LIST_PROVIDERS, ASSAY_LIST_QUANTITIES,
	ASSAY_LIST_IDENTITIES, ASSAY_LIST_RECIPES, ASSAY_LIST_FAULTS,
	ASSAY_LIST_SIGNALS
};

/*
 * Rows about everything of a kind, of a type each ("kernel", "cpu", "formulas",
 * "event", "provider", "quantity", "law", "recipe", "fault", "signal"), or
 * about one thing: name = NULL lists all; EVENTS: name is a part of the name,
 * and `on` (a provider specification such as "sim:cortex-a72"; NULL: this
 * machine) says whose events; IDENTITIES: name is a CPU. Of one CPU the rows
 * "answer" {answer}, "asked" {quantity, event, how sure, remark, code,
 * certificate ("": this machine has none, or is another CPU): the event, or the
 * sum of two, that counts a quantity best} and "about" {about, text} sum up the
 * facts behind them. -ASSAY_ENOENT with "did you mean" if nothing is called so;
 * events that match nothing are no error.
 */
ASSAY_API int assay_list(struct assay *assay, enum assay_list what,
			 const char *name, const char *on, assay_row_fn *fn,
			 void *ctx, struct assay_error *err);

/*
 * What works on this machine and why not: a row "machine" {assay, host, cpu,
 * cpus, kernel, isa}, then rows "finding" {part, what, state (ok, info, warn,
 * bad), evidence, effect, cure}, and at last a row "answer" {answer, hardware
 * events (yes, no), why, next}: all of it in one sentence, and what to do.
 * *can_count: hardware events work.
 */
ASSAY_API int assay_doctor(struct assay *assay, bool *can_count,
			   assay_row_fn *fn, void *ctx,
			   struct assay_error *err);

/*
 * What an event or a code (any spelling that assay_job.events takes, and
 * 0xNNN) is and counts on the CPU of a CPU file; NULL: on this machine's, or
 * on all that have it. `cpu` may also be a name of the event tables. Rows:
 * "event" {asked, is, cpu, event, code}, "counts" {property, answer, known
 * from}, "field", "unit", "remark", "erratum", "meant", "elsewhere"; and
 * "warning" {warning}: of a table that cannot be read completely.
 * -ASSAY_ENOENT with "did you mean" if nothing is called so; after the rows, if
 * other CPUs have the name and the one that was asked for is not known to.
 */
ASSAY_API int assay_explain(struct assay *assay, const char *event,
			    const char *cpu, assay_row_fn *fn, void *ctx,
			    struct assay_error *err);

/*
 * Event tables held against each other and against themselves. A place is a
 * file or folder (of event tables, or of ours) or "libpfm4". Each entry of
 * `place` gets checked; those of `against` are witnesses. One row "audit"
 * {class, confidence, cpu, event, here, others, decide, source, file, line} for
 * each finding, the surest first.
 */
struct assay_audit {
	const char *const *place;
	size_t places;
	const char *const *against;
	size_t againsts;
	const char *cpu;	/* a table's name; NULL: all */
	size_t entries, findings, high;	/* out: checked, rows, rows of high
					 * confidence */
	size_t twice;		/* out: files that are in two of the places,
				 * and are read once */
};
ASSAY_API int assay_audit(struct assay *assay, struct assay_audit *audit,
			  assay_row_fn *fn, void *ctx,
			  struct assay_error *err);

/*
 * The text of a CPU file that loads, for a CPU without one: of the event tables
 * at hand (assay_options.event_tables), or of this machine. Each guess has the
 * confidence G. *text is for free(). -ASSAY_ENOENT: no table has the CPU;
 * -ASSAY_EINVAL: the core must be named.
 */
struct assay_cpu_new {
	const char *cpu;	/* a name of the tables; NULL: this machine */
	const char *core;	/* "P", "E", "LP"; NULL: there is one kind */
	const char *like;	/* the CPU file whose expressions are taken over;
				 * NULL: the one of the CPU itself, or of the
				 * CPU with the most equal events */
	const char *name;	/* of the new CPU; NULL: as `cpu` */
	bool all;		/* all events that a CPU file can hold */
	size_t events, known;	/* out: events; those with an expression */
	char sibling[ASSAY_NAME];	/* out: `like` as found; "": none */
	char next[ASSAY_NAME];	/* out: the next nearest CPU file, if `like`
				 * was searched; "": none */
	char table[ASSAY_NAME];	/* out: whose events these are; "": the
				 * architecture's */
	char matches[ASSAY_NAME];	/* out: the file that describes the CPU
					 * already; "": none */
};
ASSAY_API int assay_cpu_new(struct assay *assay, struct assay_cpu_new *asked,
			    char **text, struct assay_error *err);

/*
 * What a name under which CPUs are sold stands for ("AWS Graviton4, 2024: ..."),
 * cut to the room; "": it is the name of a CPU file, or of nothing.
 */
ASSAY_API void assay_cpu_sold(const struct assay *assay, const char *name,
			      char *out, size_t room);

/*
 * What a CPU file that loads lacks, where it contradicts itself or another file,
 * and where its events differ from the event tables at hand. One row "finding"
 * {finding, where, what} for each: "contradiction", "table", "missing" or "known".
 */
struct assay_cpu_check {
	const char *cpu;	/* a CPU file, by name or path */
	char name[ASSAY_NAME];	/* out: of the CPU */
	char table[ASSAY_NAME];	/* out: the table that was compared; "": none */
	size_t events;		/* out: in the file */
	size_t contradictions, differences, missing;	/* out: rows */
};
ASSAY_API int assay_cpu_check(struct assay *assay,
			      struct assay_cpu_check *asked, assay_row_fn *fn,
			      void *ctx, struct assay_error *err);


/*
 * This machine as a text: all that assay reads of it and asks it, to be
 * unpacked below a root elsewhere (struct assay_options.sysroot). It holds the
 * host's name.
 */
ASSAY_API int assay_machine_write(struct assay *assay, FILE *out,
				  struct assay_error *err);

/*
 * Further findings, part "measured": noise as it is just now (clock, sharing of
 * the core and of the CPU), and the cache levels that timing shows, beside what
 * is reported (several seconds; see assay_levels).
 */
ASSAY_API int assay_doctor_levels(struct assay *assay, int cpu,
				  assay_row_fn *fn, void *ctx,
				  struct assay_error *err);

/*
 * The shape of this machine: rows "cache" {cache, size, ways, sets, line, of
 * them, shared by, from, kernel, CPUID, CPU file, finding}, "tlb" {TLB,
 * entries, ways, reach of 4 KiB pages, from, CPUID, CPU file} and "part" {part,
 * number, note}. Sizes in bytes. What a source does not report is absent, with
 * the reason; a finding says where sources differ, or where ways x sets x line
 * is not the size.
 */
ASSAY_API int assay_topo(struct assay *assay, assay_row_fn *fn, void *ctx,
			 struct assay_error *err);

/*
 * Makes a formula file of another tool's metrics: JSON files of perf and of
 * intel/perfmon, likwid's groups. One row "metric" {metric, name, is, claims}
 * for each, `is` being absent with the reason where a metric cannot be had;
 * "unknown" {event, why}; "assumed" {literal, value} for each fact about the
 * machine that a metric asks for and that is a guess. *text is for free().
 * -ASSAY_EINVAL if no metric can be had, or for a setting that is no number.
 */
struct assay_formulas_source {
	const char *path;	/* "-": stdin */
	const char *pattern;	/* a part of the metrics' names, or NULL */
	const char *cpu;	/* whose events are meant: a CPU file, "host", or
				 * NULL */
	const struct assay_setting *set;	/* facts about the machine:
				 * "smt_on", "num_packages" ... */
	size_t sets;
};

ASSAY_API int assay_formulas_import_from(struct assay *assay,
				const struct assay_formulas_source *source,
				char **text, assay_row_fn *fn, void *ctx,
				struct assay_error *err);
/* The same without settings. */
ASSAY_API int assay_formulas_import(struct assay *assay, const char *path,
				    const char *pattern, const char *cpu,
				    char **text, assay_row_fn *fn, void *ctx,
				    struct assay_error *err);

/*
 * The levels of the memory hierarchy as timing shows them, needing no counter
 * (several seconds): rows "measured-level" {level, capacity, low, high,
 * reported, cycles, ns, finding}; bytes, and core cycles and ns per access.
 * cpu: -1: any. reported is what the operating system says; finding is where
 * the two disagree. Then rows "trait" {trait, value, reported, trust, evidence,
 * finding}: line size, ways, TLBs, page walks and prefetchers. trust is "high",
 * "medium", "low", "cannot tell here", "contradicted": ways x sets x line is
 * neither the reported size nor the timed one, or "not decided": the same, on a
 * busy CPU. A finding that begins with "not decided: " says how busy it was.
 * -ASSAY_ERANGE or -ASSAY_EINVAL for a CPU that is not here; -ASSAY_EUNAVAIL
 * if there is no way to time, or no memory to do it in.
 */
ASSAY_API int assay_levels(struct assay *assay, int cpu, assay_row_fn *fn,
			   void *ctx, struct assay_error *err);

/* ---- run ---------------------------------------------------------------- */

/* One option as the user gave it: "elements", "32..65536". */
struct assay_setting { const char *name, *text; };

/* Zero is a sensible value of every member but kernel and cpu. */
struct assay_job {
	const char *kernel;	/* its name, as assay_list() has it */
	const char *on;		/* "perf", "sim:CPU[,key=value...]",
				 * "replay:FILE", "time", "null"; NULL:
				 * "perf" if events are given, else "null" */
	const struct assay_setting *setting;	/* kernel options; each a
				 * value, a list "A,B,C", or a range "A..B"
				 * (doubling) or "A..B/N" (N per doubling) */
	size_t settings;
	const char *events;	/* "a,b,c"; NULL: what the formulas need, or
				 * the provider's default */
	const char *formulas;	/* "file[:variant],..." or NULL */
	const char *page_map;	/* sim: "identity", "random[:SEED]" ... */
	const char *pages;	/* native: "4K", "thp", "huge"; NULL: "4K" */
	unsigned repeats;	/* 0: 1 */
	unsigned warmup;
	bool warmup_given;
	int cpu;		/* -1: the best idle one */
	bool no_fast_forward;
	bool predict;		/* expectations only: nothing is run */
	bool pie;		/* native: also ask the timing witness which
				 * level served the accesses; for kernels that
				 * walk along pointers */
	bool slope;		/* also at 2n and 4n units of work */
	/*
	 * Asked often, between repetitions and while one is simulated. Once
	 * true, the shape ends there: what repetitions are complete are its
	 * result, if there are any, and assay_run() returns -ASSAY_ESTOP. Not
	 * asked within a native run of a kernel: assay_end_kernel(). NULL:
	 * never.
	 */
	bool (*stopped)(void *ctx);
	void *stopped_ctx;
};

/* One hypothesis's pie on one record. */
struct assay_pie {
	const char *file, *name, *title;	/* "arm-pies", "h4", ... */
	struct assay_value l1, l2, l3, dram, total;	/* accesses */
	struct assay_value residual;	/* total - (l1 + l2 + l3 + dram) */
	bool consistent;	/* residual 0 and no part negative */
	bool truth;		/* this is the true pie */
	bool bars;		/* shares are known within low .. high (95 %),
				 * of L1, L2, L3 and DRAM, 0..1 */
	double low[4], high[4];
	const char *note;	/* what else is known of it; or NULL */
};

/* One formula that is not part of a pie. */
struct assay_metric {
	const char *file, *name, *text;
	struct assay_value value;
	const char *warning;	/* what one must know of the value; or "" */
};

/*
 * A count as a line over the work (n, 2n, 4n passes, iterations ...): what one
 * unit of work adds, what is there without work (overhead), and how far the
 * middle point lies off the line (interference).
 */
enum assay_verdict {
	ASSAY_AGREES, ASSAY_DISAGREES, ASSAY_INCONCLUSIVE, ASSAY_UNAVAILABLE
};

struct assay_slope {
	const char *name;	/* event or quantity */
	struct assay_value per_unit, overhead, curvature;
	struct assay_value predicted;	/* per unit, by the closed form */
	/*
	 * Of per_unit: it agrees if it differs from what is predicted by no
	 * more than what lies off the line; if that is more than a hundredth
	 * of the rise, nothing can be said. UNAVAILABLE: nothing to compare.
	 */
	enum assay_verdict verdict;
};

struct assay_compared {
	enum assay_quantity quantity;
	const struct assay_expected *expected;	/* NULL: nothing predicted */
	struct assay_value measured;
	const char *from;	/* "INST_RETIRED", "truth", ... */
	const char *differs;	/* how the formula is known to differ from the
				 * quantity, or NULL; then a disagreement is
				 * only INCONCLUSIVE */
	enum assay_verdict verdict;
	char remark[96];	/* of a single event outside the band: how far,
				 * and whether it repeats; or "" */
};

/* All about one shape. Borrowed for the call. */
struct assay_result {
	const struct assay_record *record;	/* NULL with .predict */
	const struct assay_shape *shape;
	const struct assay_expectation *expectation;
	uint64_t accesses;	/* of the counted region; 0: it has none */
	struct assay_value ns;	/* wall time, median; absent for sim */
	struct assay_value ns_per_access;
	struct assay_value cycles_per_access;	/* core cycles; an estimate if
				 * the clock moved during the run */
	const struct assay_timing *timing;	/* on "time"; else NULL */
	const struct assay_pie *pie;	/* the true one first, if known */
	size_t pies;
	const struct assay_metric *metric;
	size_t metrics;
	const struct assay_compared *compared;
	size_t compareds;
	const struct assay_slope *slope;	/* with .slope */
	size_t slopes;
	const char *work;	/* the option that was scaled, with .slope */
	/* the quantities that the kernel is run for */
	const enum assay_quantity *shows;
	unsigned shown;
	unsigned index, total;	/* this shape of so many */
	const char *guessed;	/* sim: caches whose size or ways the CPU file
				 * guesses, "l2, l3"; or "" */
};

/* Non-zero return stops with -ASSAY_ESTOP. */
typedef int assay_result_fn(void *ctx, const struct assay_result *result);

/*
 * Runs the job over the product of all its settings' values, in the order in
 * which they were given (the last varies fastest). All of the job is checked
 * before anything is run: -ASSAY_ENOENT for a kernel, option, event, CPU, file
 * or provider that is not known, with "did you mean"; -ASSAY_EINVAL or
 * -ASSAY_ERANGE for values that make no sense; -ASSAY_EUNAVAIL, with the
 * reason, if the provider does not work here or none of the events can be
 * counted there (a single one that cannot is absent in the record);
 * -ASSAY_EPERM if the machine forbids it.
 */
ASSAY_API int assay_run(struct assay *assay, const struct assay_job *job,
			assay_result_fn *fn, void *ctx,
			struct assay_error *err);

/*
 * For a signal handler that makes job->stopped return true: ends the native run
 * of a kernel in the thread that handles the signal, by a jump out of the
 * handler. Returns if no kernel runs there.
 */
ASSAY_API void assay_end_kernel(void);

/* How many shapes the job has, checked as by assay_run; runs nothing. */
ASSAY_API int assay_job_check(struct assay *assay, const struct assay_job *job,
			      unsigned *shapes, struct assay_error *err);

/* The record as one JSON line (docs/record.md) that "replay:" reads again. */
ASSAY_API int assay_record_write(FILE *out, const struct assay_record *record,
				 struct assay_error *err);

/*
 * A result as one flat row: the kernel's options, one field per event by the
 * name asked for, one per quantity, and the shares of each pie. The fields are
 * the same for every result of one job.
 */
ASSAY_API int assay_result_row(const struct assay_result *result,
			       assay_row_fn *fn, void *ctx);

/* Option rows of a kernel, for parsers of command lines; static strings. */
struct assay_kernel_option {
	const char *name, *help, *unit;	/* unit may be NULL */
	enum assay_option_kind kind;
	char words[160];	/* CHOICE: "a|b|c"; else "" */
	char initial[120];	/* as text, or "derived: ..." */
};
/* Returns the number of options and fills up to room; -ASSAY_ENOENT. */
ASSAY_API int assay_kernel_options(const char *kernel,
				   struct assay_kernel_option *out,
				   size_t room, struct assay_error *err);
/*
 * The option that a sweep varies if none is given, and its range; static
 * strings. -ASSAY_ENOENT.
 */
ASSAY_API int assay_kernel_sweep(const char *kernel, const char **option,
				 const char **range, struct assay_error *err);

/* ---- judge -------------------------------------------------------------- */

enum assay_effort { ASSAY_NORMAL, ASSAY_QUICK, ASSAY_THOROUGH };

struct assay_verification {
	const char *on;		/* as in struct assay_job; NULL: "perf".
				 * "sim:PATTERN": every CPU file that fits */
	const char *page_map;	/* sim; NULL: "identity" */
	const char *events;	/* "a,b,c": verdicts on these only; or NULL */
	bool all;		/* also on events that cannot be counted */
	enum assay_effort effort;
	bool save;		/* writes a certificate (docs/certificate.md) */
	bool slope;		/* rows "slope", too: counts per unit of work */
	unsigned seed;		/* of orders drawn at random; 0: the kernels'
				 * own */
	/* After each shape. Non-zero ends the running: verdicts are given on
	 * what was counted until then. Or NULL. */
	int (*progress)(void *ctx, unsigned done, unsigned total);
	void *ctx;		/* of progress */
	const char *truth;	/* of saved counts of a program: "EVENT=
				 * EXPRESSION;...", or a file whose record
				 * knows the truth; or NULL */
	const struct assay_setting *set;	/* names in the expressions */
	size_t sets;
};

/*
 * Runs kernels at shapes whose answers are known. Every quantity that both
 * sides have is compared with its closed form; every event of the software PMU
 * is fitted as a sum of what is true of the shapes, the simplest explanation
 * first; a real machine's events are judged by intervals. Rows:
 *
 * "place" {on} before the rows of each CPU of a pattern;
 * "plan" {sweeps, shapes, repeats, accesses, seconds (an estimate)};
 * "finding" {finding, text, ...} about the PMU as a whole;
 * "slope" {kernel, shape, slope of, work, per unit, predicted, overhead, off
 * the line, verdict}, if asked for;
 * "comparison" {kernel, shape, quantity, from, predicted, low, high, measured,
 * error, verdict, reason, condition};
 * "verdict" {verdict, quantity, from, kernel, shapes, disagree, worst error, at,
 * note}, all comparisons of one quantity with one kernel;
 * "event" {event, verdict (enum assay_class), explains, shapes, good, bias,
 * spread, proof, fails, code, witnesses ("closed form 12 of 12, ...": in how
 * many shapes the count is what that witness says; where they contradict each
 * other nothing is claimed, and explains says so)};
 * "witness" {witness, shapes (that it spoke of), silent, why};
 * "formula" {formula, quantity, verdict, said, than, right, because of, file}:
 * saved records, a published formula with a wrong term;
 * "certificate" {file, events, records} if one was written.
 *
 * *disagreements counts comparisons that disagree, events whose class fails
 * (assay_class_fails), and findings. Returns 0; -ASSAY_EUNAVAIL if nothing can be
 * counted; errors as assay_run.
 */
ASSAY_API int assay_verify(struct assay *assay,
			   const struct assay_verification *verification,
			   assay_row_fn *fn, void *ctx,
			   unsigned *disagreements, struct assay_error *err);

/* Counts that others published, in long form (docs/table-file.md). */
struct assay_tables {
	const char *const *path;	/* "-": stdin */
	size_t paths;
	const char *map;	/* how columns are read: "count=Value;..."; or
				 * NULL: by their names */
	const char *experiment;	/* what is true of the programs; or NULL */
	const struct assay_setting *set;	/* names in its expressions */
	size_t sets;
	bool evidence;		/* rows "evidence", too */
	bool save;		/* writes a certificate for each machine and
				 * microcode; none is used for trust marks */
	const char *events;	/* "a,b*,c": verdicts on these only; what the
				 * others show counts all the same; or NULL */
};

/*
 * What each event of each machine of the tables counts. Rows: "evidence"
 * {table, machine, event, program, shape, quantity, label, readings, left out,
 * below 0, mean, deviation, half (of the 99 % interval), expected, low, high,
 * margin, per interrupt, per fault, scaled} if asked for; "judged" {table,
 * machine, event ("law:NAME": a law between events), scope ("all",
 * "program=NAME", "program=NAME;KEY=LOW..HIGH"), class (enum assay_class),
 * factor, constant, sure (high, medium, low), text, next}; at the end "summary"
 * {events, right, fail, inconclusive, text}, and "certificate" {file, events,
 * records} for each that was written.
 *
 * *disagreements counts the events that fail. -ASSAY_EINVAL for two tables of
 * one name, -ASSAY_ENOENT if none of the events is there.
 */
ASSAY_API int assay_verify_tables(struct assay *assay,
				  const struct assay_tables *tables,
				  assay_row_fn *fn, void *ctx,
				  unsigned *disagreements,
				  struct assay_error *err);

/*
 * Two certificates (names end in .json) event by event. One row "difference"
 * {what, where, first, second, state} for each; another microcode, kernel ...
 * is a row with state "warn" and is not counted in *differences. Returns 0, or
 * as reading the files; -ASSAY_EINVAL for two runs (assay_compare).
 */
ASSAY_API int assay_diff(struct assay *assay, const char *first,
			 const char *second, assay_row_fn *fn, void *ctx,
			 unsigned *differences, struct assay_error *err);

/*
 * Did it get worse: the first source against each other one. A source is a file
 * of records or of another tool's counts, or "sim:CPU" with job's kernel.
 * Exact counts (of simulators) are compared exactly, repeated ones by medians.
 */
struct assay_comparison {
	const char *const *source;
	size_t sources;		/* from 2 */
	const struct assay_job *job;	/* for "sim:CPU"; .on is not used. NULL:
					 * there is none */
	const char *const *limit;	/* "l1d_refills > +1%", in all, or
					 * "instructions@main > +1000" */
	size_t limits;
};

/* Sums over all sources but the first. */
struct assay_compared_counts {
	unsigned better, worse, changed, same, not_compared;
	unsigned exceeded, not_judged;	/* limits */
};

/*
 * Rows, for each other source `file`: "answer" {answer, place ("FUNCTION
 * (FILE:LINE)" or ""), better, worse, changed, same, not compared, file},
 * "limit" {limit, state (kept, exceeded, not judged), change, of, why, file},
 * "change" {quantity, of (the shape, if there are several), old, new, change,
 * low, high (95 %), state (better, worse, changed, same, not compared), basis,
 * chance, unit, why, file}, the largest change first, "place" {function, line,
 * quantity, old, new, change, state, object, file} for what changed by function
 * and line, and "differs" {what, old, new, file} for all that was not the same
 * around the runs. -ASSAY_EUNAVAIL, with the reason, if nothing could be
 * compared; then "answer" is missing. -ASSAY_EINVAL for a limit that makes no
 * sense.
 */
ASSAY_API int assay_compare(struct assay *assay,
			    const struct assay_comparison *comparison,
			    assay_row_fn *fn, void *ctx,
			    struct assay_compared_counts *counts,
			    struct assay_error *err);

/*
 * Competing claims on the same records. Claims are the hypotheses of formula
 * files (pies of who served the accesses) and their formulas of quantities,
 * with the metrics that claim one.
 */
struct assay_judging {
	const char *files;	/* "file[:variant],..." */
	const char *on;		/* as in struct assay_job, NULL: "perf"; or
				 * "sim:PATTERN": each CPU file that fits and
				 * has any of the events */
	const char *page_map;	/* sim; or NULL */
	const char *claims;	/* "metric=quantity,...": what metrics of the
				 * files are answers to, where the files do not
				 * say (those of other tools); or NULL */
	assay_row_fn *row;
	void *ctx;
	const struct assay_tables *tables;	/* instead of .on: each machine
						 * of these; or NULL */
	bool (*stopped)(void *ctx);	/* as in struct assay_job */
	void *stopped_ctx;
};

/*
 * Runs kernels on both sides of every level (replay: takes the records as they
 * are), compares what each claim says with what is true (the software PMU's
 * own account, or the closed form), and hands out, per place:
 *
 * "size" {on, file, claim, kernel, shape, level, said, true, error, verdict}
 * "rank" {on, about, rank, file, claim, verdict, shapes, mean error, worst, at,
 *	said, note}: errors are shares of all accesses for pies, else of the
 *	larger number; equal errors are a tie. Verdicts: holds, fails, absent
 *	(an event that the claim needs), false zero (absent, and 0 where there
 *	is something if that event is read as 0), not judged, contradicts itself
 * "level" {on, file, claim, level, fails, shapes, where, worst at, said, true,
 *	error, because}: where a claim fails, and which terms sink it
 * "summary" {file, claim, holds on, least wrong on, false zero on}, at the end
 *	if there was more than one place
 * replay: "difference" between formulas of one quantity, "identity" as in
 *	assay_check_identities(); and where the records' truth is not known,
 *	the same claims on the software PMU of that CPU.
 * tables: each machine is a place, and what the table states is true. A claim
 *	holds within 1 % of the stated number, and fails beyond the margin of
 *	that number and 1 % more. A claim in between is not judged, nor a claim
 *	that lacks an event.
 *
 * A claim that needs an event that is absent has no rank, and the note has the
 * reason. Returns 0; -ASSAY_EUNAVAIL if nothing could be judged.
 */
ASSAY_API int assay_judge(struct assay *assay,
			  const struct assay_judging *judging,
			  struct assay_error *err);

struct assay_deriving {
	const char *quantity;
	const char *on;		/* as in struct assay_job; NULL: "perf" */
	const char *page_map;	/* sim; or NULL */
	const char *events;	/* "a,b,c"; NULL: all that the CPU file has
				 * (sim), that fitting formulas name (perf), or
				 * that were recorded (replay) */
	const char *withhold;	/* "a,b,c": not these; or NULL */
	bool all;		/* every exact formula that was found */
	assay_row_fn *row;
	void *ctx;
	const struct assay_tables *tables;	/* instead of .on: each machine
						 * of these; or NULL */
	bool (*stopped)(void *ctx);	/* as in struct assay_job */
	void *stopped_ctx;
};

/*
 * Finds the smallest sum of events that gives a quantity, from runs of kernels
 * where it is known. Row "search" {quantity, runs, kernels, events, silent,
 * noisy, twins, rank, best mean error, best worst error, at}: what was tried,
 * and the smallest errors that any sum of all these events has; a last field
 * "guessed" names caches of the CPU file ("l2, l3") whose sizes are guesses, if
 * the quantity depends on them. Then "derived"
 * {quantity, is, verdict (exact: no run is off by more than 0.1 %; close: 3 of
 * 4 runs are off by less than 2 %), right in (so many runs), held out (kernels
 * on which it is right though fitted without them), worst, at, weights (with
 * two standard errors), twins}, best first. *derived: there is one. Errors are
 * shares of the quantity, or of a hundredth of the accesses if that is more.
 *
 * tables: each machine that states the quantity is searched by itself, and the
 * rows have a last field "machine"; "skipped" {quantity, why, machine} where
 * nothing can be searched. *derived: there is a formula on each.
 */
ASSAY_API int assay_derive(struct assay *assay,
			   const struct assay_deriving *how, bool *derived,
			   struct assay_error *err);

/*
 * Runs a published experiment (docs/recipe-file.md): name or path of a recipe.
 * on (NULL: where the recipe says) and page_map override. Rows: "recipe"
 * {recipe, title, on, source, note}; "plot" {run, event}: what to plot;
 * "point" {run, the swept options, each event divided as the recipe says};
 * with formulas also "pie" {run, size, pie, l1, l2, l3, dram, total} and
 * "metric" {run, size, metric, value}; at the end "claim" {claim, verdict
 * (holds, fails, not judged), run, points, fails, low, high, worst, at, of, per
 * (what worst is divided by; "": a ratio), where (at, with the option)}. *fails
 * counts the claims that fail.
 *
 * name NULL: nothing is run; rows "recipe" {recipe, title, on, verdict, why,
 * source, note} of all recipes. The verdict is "sound", "doubtful" (an event is
 * absent, has an erratum, or is wrong by the certificate), or "cannot be
 * counted".
 */
ASSAY_API int assay_recipe(struct assay *assay, const char *name,
			   const char *on, const char *page_map,
			   assay_row_fn *fn, void *ctx, unsigned *fails,
			   struct assay_error *err);

/*
 * Checks the laws between events (docs/identity-file.md) that fit the record's
 * CPU and of which the record has every event; no known answer is needed. One
 * row "identity" per law, the violated ones first: {identity, verdict (holds,
 * violated, unproven, open), left, right, law, doubt (the event to doubt
 * first), why, file, source, reason}. *violations counts those violated.
 */
ASSAY_API int assay_check_identities(struct assay *assay,
				     const struct assay_record *record,
				     assay_row_fn *fn, void *ctx,
				     unsigned *violations,
				     struct assay_error *err);

/* ---- simulate ----------------------------------------------------------- */

/* What misses are blamed on. */
enum assay_by {
	ASSAY_BY_NOTHING, ASSAY_BY_FUNCTION, ASSAY_BY_LINE, ASSAY_BY_OBJECT,
	ASSAY_BY_DATA
};

/*
 * A program's run whose counts do not depend on who runs it, where and how
 * often: QEMU's CPU, its seed, argv[0] and the length of the program's path are
 * fixed. The environment, streams and CPUs of the calling process are the
 * program's: the caller fixes them.
 */
struct assay_fixed {
	const char *guest;	/* QEMU's -cpu; NULL: a fixed model for the
				 * program's instruction set */
	const char *name;	/* argv[0]; NULL: program[0] */
	const char *preload;	/* "LD_PRELOAD=FILE" for the program; or NULL */
};

/* A trace, or a program that runs under QEMU, on the software PMU. */
struct assay_simulation {
	const char *cpu;	/* "cortex-a72" or a CPU file; ",key=value..."
				 * may follow as in "sim:"; NULL: of a program,
				 * this machine's, or one of the program's
				 * instruction set; of a trace: refused */
	const char *trace;	/* a file, or "-": stdin; NULL: a program */
	const char *format;	/* "din" or another of docs/trace-format.md;
				 * NULL: what the trace looks like */
	char *const *program;	/* arguments, NULL-terminated; or NULL */
	bool plain;		/* program: loads, stores and instructions are
				 * counted, and nothing is simulated */
	bool no_inherit;	/* program: what it starts runs as always, and
				 * is counted as not modelled */
	bool per_process;	/* program: rows of each that ran */
	enum assay_by by;	/* program */
	unsigned most;		/* rows of blame, the rest as one; 0: all */
	/* program: events count from this function's entry to its return:
	 * FUNCTION, FILE:FUNCTION or OBJECT:FUNCTION; or in the region of that
	 * name (assay/mark.h); NULL: all count. Caches and predictors are as
	 * they are then. */
	const char *from, *region;
	/* program: events count that the code of this function, source file or
	 * object causes; other quantities are absent. NULL: all */
	const char *only;
	bool per_region;	/* program: it is an -ASSAY_ENEVER if it marks
				 * no region */
	/* program: "N,M" numbers of steps, for which {n} stands in the
	 * arguments: the costs of one step; or NULL */
	const char *slope;
	FILE *callgrind;	/* program: gets the counts of lines in
				 * callgrind's format; or NULL */
	const char *events;	/* "a,b,c", or NULL */
	const char *page_map;
	bool no_fast_forward;
	bool why;		/* program: the reasons of misses, with .by */
	const char *plugin;	/* QEMU's plugin; NULL: the installed one */
	const struct assay_fixed *fixed;	/* program; or NULL */
	/* trace: asked for each piece that is read; true: -ASSAY_ESTOP, and no
	 * result, as it would be of a part. NULL: never. */
	bool (*stopped)(void *ctx);
	void *stopped_ctx;
	/* rows of blame: what they are sorted by, a column of theirs; NULL:
	 * lost_cycles, if the CPU file has latencies, else l1d_misses */
	const char *sort;
	double least;		/* a smaller share of it gets no own row */
	bool inline_at_call;	/* inlined code counts where it was called */
	bool fold_start;	/* the dynamic loader and libc's start are one
				 * row; not by object */
	const char *source_root;	/* absolute: sources below it are named
					 * relative to it; or NULL */
};

/*
 * Gives one result, its kernel being "trace" or "program", then rows:
 * "not-modelled" {what, count} for all that the trace or QEMU showed and the
 * model did not get, "started" {command, can_be_simulated} for the first
 * other program that was run and not simulated (1: it can be, by itself),
 * "simulated" {processes, programs} if there was more than one, "threads"
 * {threads, sharing} if a process had several, "model" {cpu, title, why,
 * sorted_by} of a program, "from" {function, object, entered} with .from,
 * "only" {code, instructions (the share that counts)} with .only, "region"
 * {region, entered, quantities, events, remark} for each region that the
 * program marked, "process" {pid, command, counts, end} for each if wanted,
 * "blame" {function, line, object, counts, lost_cycles, share, cumulative,
 * inlined}, the last one from all signals; by data {data, function, line,
 * object, counts, bytes, ...}. With .why, "why" {function, line, object,
 * inlined, level, misses, cold, capacity, conflict, ..., reason} for each level
 * behind the line's own row (docs/record.md).
 *
 * What a program starts is simulated, too, each process on a core of its own,
 * until the first one ends; counts are sums over all of them.
 *
 * With .slope there are results for N, M and 2M - N steps, the rows of the last
 * one, and rows "answer" {answer} and "slope" {of, work, per_unit, overhead
 * (of no step), curvature (2M - N steps less what the line gives),
 * off_the_line (its share in the rise from N to M)}. It is an -ASSAY_EIO if the
 * exit codes differ.
 *
 * *status: the program's exit code, or 128 + the signal that killed it.
 *
 * -ASSAY_EINVAL also for what would do nothing; -ASSAY_ENOENT if there is no
 * such CPU, event, trace or program; -ASSAY_EPERM if the program may not be
 * executed; -ASSAY_EUNAVAIL without QEMU or its plugin; -ASSAY_ENEVER if the
 * program never came to .from, .region or .only.
 */
ASSAY_API int assay_simulate(struct assay *assay,
			     const struct assay_simulation *simulation,
			     assay_result_fn *result, assay_row_fn *row,
			     void *ctx, int *status, struct assay_error *err);

/*
 * Writes what the counted region of the job's only shape does as a trace in
 * assay's own format. job->on says whose instructions are counted.
 */
ASSAY_API int assay_trace_write(struct assay *assay,
				const struct assay_job *job, const char *path,
				struct assay_error *err);

/* ---- bare metal --------------------------------------------------------- */

/*
 * An image that runs a job's kernels without an operating system and writes
 * records on a UART. See docs/bare.md.
 */
struct assay_bare {
	const char *board;	/* "qemu-virt", "rpi4", ..., or a board file
				 * with a slash; NULL: "qemu-virt" */
	const char *cpu;	/* "cortex-a72": QEMU's, and whose event names
				 * are meant */
	unsigned level;		/* exception level 1 .. 3; 0: 3 */
	unsigned from;		/* level to start at and go down from; 0: the
				 * board's, or level */
	const char *kernel;	/* NULL: a plan of several */
	const struct assay_setting *setting;	/* as in struct assay_job */
	size_t settings;
	const char *events;	/* "INST_RETIRED,r11"; NULL: a few */
	unsigned repeats;	/* 0: 1 */
	unsigned warmup;
	bool warmup_given;
	const char *plant;	/* a mistake made on purpose, or NULL */
	unsigned shift;		/* QEMU: an instruction takes 2^shift ns */
	const char *model;	/* run: the CPU that the software PMU simulates
				 * beside the image; NULL: none */
	/* run, with .model: called after the image's end for each record of the
	 * image and what the model counted meanwhile; borrowed. Non-zero
	 * stops. */
	int (*beside)(void *ctx, const struct assay_record *image,
		      const struct assay_record *model);
	void *beside_ctx;
	/* Asked when a signal interrupts the waiting for the compiler or QEMU:
	 * true ends it. NULL: never. */
	bool (*stopped)(void *ctx);
	void *stopped_ctx;
};

/* Non-zero return stops the image. */
typedef int assay_progress_fn(void *ctx, unsigned run, unsigned runs);

/*
 * Compiles the image into the file `path`. Returns 0; -ASSAY_EUNAVAIL with the
 * package if there is no compiler; mistakes in the job as assay_run.
 */
ASSAY_API int assay_bare_build(struct assay *assay,
			       const struct assay_bare *bare, const char *path,
			       struct assay_error *err);
/*
 * Runs an image under QEMU and writes all that it sends to `log`. *status: the
 * image's exit status. -ASSAY_EUNAVAIL: no QEMU, or with .model no plugin.
 */
ASSAY_API int assay_bare_run(struct assay *assay,
			     const struct assay_bare *bare, const char *image,
			     FILE *log, assay_progress_fn *fn, void *ctx,
			     int *status, struct assay_error *err);

/* What a UART log gave. */
struct assay_import {
	unsigned lines, records, damaged, noise, faults, errors;
	bool ended;		/* the image said that it was done */
	unsigned status, promised;	/* then: its status and records */
	const char *format;	/* "uart", "records", "perf-csv" ...; static */
	const char *lost;	/* what the format does not say, or NULL */
	unsigned unused;	/* lines of another tool's file without a
				 * count */
};

struct assay_importing {
	const char *path;	/* "-": stdin */
	const char *from;	/* the format; NULL: the content says which */
	const char *cpu;	/* who counted, where the file does not say
				 * that; or NULL */
	const char *map;	/* of a table: as in struct assay_tables */
	const struct assay_setting *set;
	size_t sets;
};

typedef int assay_record_fn(void *ctx, const struct assay_record *record);

/*
 * Reads the records of a file: of assay's own, of the UART log of an image, or
 * of another tool's counts. A row "mark" {line, what, why, text} stands for each
 * line that is damaged, noise, a complaint of the image, or not used; then
 * `record` gets each record. -ASSAY_EINVAL: the file is of no known format.
 */
ASSAY_API int assay_import_as(struct assay *assay,
			      const struct assay_importing *ask,
			      assay_record_fn *record, assay_row_fn *row,
			      void *ctx, struct assay_import *out,
			      struct assay_error *err);
/* Imports one file ("-": stdin), whose format is found by its content. */
ASSAY_API int assay_import(struct assay *assay, const char *path,
			   assay_record_fn *record, assay_row_fn *row,
			   void *ctx, struct assay_import *out,
			   struct assay_error *err);

#endif
