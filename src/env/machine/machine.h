/* SPDX-License-Identifier: MIT */
/*
 * Who a machine is, in the parts that the doctor and the record need.
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
	unsigned midr;		/* Arm; 0: not known */
	char name[64];		/* "Intel(R) Xeon(R) ...", "Arm Cortex-A72" */
	char flags[4096];	/* " fpu vme ... ", with blanks around; of Arm
				 * what /proc/cpuinfo calls Features */
};

void machine_identify(struct machine_id *out, const struct probe *probe);

bool machine_flag(const struct machine_id *id, const char *flag);

/* "KVM", "Xen" ...; "" if none was seen. */
void machine_hypervisor(char *out, size_t room, const struct probe *probe);

/* "docker", "podman", "a container" ...; "" if none was seen. */
void machine_container(char *out, size_t room, const struct probe *probe);

/* The Arm core of a MIDR, "Arm Cortex-A72"; NULL: not in the table. */
const char *machine_midr_name(unsigned midr);

/*
 * What this model number never has but this machine shows, as one sentence;
 * false if nothing contradicts it. l1d_kib, l2_kib: 0 if not known.
 */
bool machine_masked(char *out, size_t room, const struct machine_id *id,
		    unsigned l1d_kib, unsigned l2_kib);

#endif
