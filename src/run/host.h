/* SPDX-License-Identifier: MIT */
/*
 * This machine in terms of CPU files: the file that matches, the layout of its
 * event codes, and a model for the simulator ("sim:host"). The model has the
 * caches and TLBs that the kernel and CPUID report, and the rest from the file
 * that matches. If no file matches, the rest is guessed (confidence G).
 */
#ifndef RUN_HOST_H
#define RUN_HOST_H

#include "run/handle.h"
#include "cpus/cpu.h"
#include "events/code.h"

/*
 * The CPU file whose `match` fits the machine's CPUID or MIDR. The caller frees
 * it with cpu_free(). NULL: no file matches, or it cannot be read.
 */
struct cpu *host_cpu(const struct assay *assay);
/* The CPU file of an Arm core with that MIDR; as host_cpu(). */
struct cpu *host_cpu_by_midr(const struct assay *assay, unsigned midr);
/* The CPU file of the cores with Linux's PMU of that name, cpu_atom among them. */
struct cpu *host_cpu_by_pmu(const struct assay *assay, const char *pmu);

/* This machine's identification registers, for the CPU's name in event tables;
 * false: they cannot be read. */
bool host_match(struct cpu_match *out, const struct assay *assay);

/* How this machine's PMU lays out event codes. */
enum code_layout host_layout(const struct assay *assay);

/*
 * Makes *out, named "host"; free it with cpu_free(). file: gets the name of the
 * CPU file that *out is based on, or "". Returns 0, -ASSAY_ENOMEM, or
 * -ASSAY_ENOENT if no file matches and the machine reports no caches.
 */
int host_model(struct cpu **out, char *file, size_t room,
	       const struct assay *assay, struct assay_error *err);

#endif
