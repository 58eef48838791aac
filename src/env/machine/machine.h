/* SPDX-License-Identifier: MIT */
/*
 * The identity of a machine: its CPU, and the hypervisor and container around
 * it. From /proc, /sys and CPUID.
 */
#ifndef ENV_MACHINE_MACHINE_H
#define ENV_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "env/machine/probe.h"

enum machine_isa { MACHINE_X86, MACHINE_ARM, MACHINE_OTHER };

struct machine_id {
	enum machine_isa isa;
	char vendor[16];	/* x86: "GenuineIntel" ... */
	int family, model, stepping;	/* x86; -1: not known */
	unsigned midr;		/* Arm: MIDR_EL1; 0: not known */
	char name[64];		/* "Intel(R) Xeon(R) ...", "Arm Cortex-A72" */
	char flags[4096];	/* " fpu vme ... ", with blanks at both ends: of
				 * /proc/cpuinfo, flags or (Arm) Features */
};

void machine_identify(struct machine_id *out, const struct probe *probe);

/* Does the CPU have this flag? */
bool machine_flag(const struct machine_id *id, const char *flag);

/* "KVM", "Xen" ...; "" if no sign of a hypervisor was found. */
void machine_hypervisor(char *out, size_t room, const struct probe *probe);

/* "docker", "podman" ...; "" if no sign of a container was found. */
void machine_container(char *out, size_t room, const struct probe *probe);

/* The name of an Arm core by its MIDR_EL1, "Arm Cortex-A72"; NULL: unknown. */
const char *machine_midr_name(unsigned midr);

/*
 * Does a hypervisor show a model number that is not this CPU's? True if the CPU
 * has a feature or a cache size that this model never has; `out` is then one
 * sentence. l1d_kib, l2_kib: the sizes from /sys; 0 if not known.
 */
bool machine_masked(char *out, size_t room, const struct machine_id *id,
		    unsigned l1d_kib, unsigned l2_kib);

#endif
