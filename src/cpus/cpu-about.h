/* SPDX-License-Identifier: MIT */
/* A CPU in a few lines. */
#ifndef CPUS_CPU_ABOUT_H
#define CPUS_CPU_ABOUT_H

#include "cpus/cpu.h"

#define CPU_ABOUT_NAMES 1500	/* characters of events' names in one row */

/* A row "answer" {answer}, the rows of cpu_asked(), then rows "about" {about,
 * text}. */
int cpu_about(const struct cpu *cpu, assay_row_fn *fn, void *ctx);

/* For each quantity that people ask for a row "asked" {quantity, event, how
 * sure, remark, code}: the event, or the sum of two, that counts the quantity
 * or comes closest. The remark names the differing signals and the errata. */
int cpu_asked(const struct cpu *cpu, assay_row_fn *fn, void *ctx);

#endif
