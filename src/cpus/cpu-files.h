/* SPDX-License-Identifier: MIT */
/* CPU files kept in memory, for many questions in turn. */
#ifndef CPUS_CPU_FILES_H
#define CPUS_CPU_FILES_H

#include "cpus/cpu.h"

struct cpu_files;

/* data_dir (or NULL) is borrowed. NULL: no memory. */
struct cpu_files *cpu_files_new(const char *data_dir);
void cpu_files_free(struct cpu_files *files);

/* As cpu_each(), but each file is read once, when fn is first called for it. */
int cpu_files_each(struct cpu_files *files, cpu_fn *fn, void *ctx,
		   struct assay_error *err);

#endif
