/* SPDX-License-Identifier: MIT */
/* A CPU in a few lines. */
#ifndef CPUS_CPU_ABOUT_H
#define CPUS_CPU_ABOUT_H

#include "cpus/cpu.h"

#define CPU_ABOUT_NAMES 1500	/* characters of events' names in one row */

/* A row "answer" {answer}, then rows "about" {about, text}. */
int cpu_about(const struct cpu *cpu, assay_row_fn *fn, void *ctx);

#endif
