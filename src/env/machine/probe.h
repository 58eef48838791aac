/* SPDX-License-Identifier: MIT */
/*
 * What a machine answers when it is asked rather than read: CPUID, and whether
 * perf_event_open works. On this machine it is asked; of a recorded one the
 * answers stand in SYSROOT/assay-probe, one per line:
 *
 *   cpuid LEAF SUBLEAF EAX EBX ECX EDX     (hexadecimal, of CPU 0)
 *   cpu N                                  (later cpuid lines are of CPU N)
 *   open hardware|software|kernel|breakpoint ok|ERRNO-NAME
 *   msr REGISTER VALUE                     (hexadecimal, of CPU 0)
 *   uid NUMBER
 */
#ifndef ENV_MACHINE_PROBE_H
#define ENV_MACHINE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

enum probe_open {
	PROBE_HARDWARE,		/* cycles, user code only */
	PROBE_SOFTWARE,		/* a software event, user code only */
	PROBE_KERNEL,		/* the same, in the kernel too */
	PROBE_BREAKPOINT,
	PROBE_OPENS
};

struct probe_cpuid {
	uint32_t leaf, subleaf, eax, ebx, ecx, edx;
	int cpu;		/* recorded: whose answer it is */
};

struct probe_register {
	uint32_t reg;
	uint64_t value;
};

#define PROBE_CPUIDS 256
#define PROBE_REGISTERS 8

struct probe {
	const char *sysroot;
	bool live;
	int cpu;		/* recorded: whose CPUID is asked */
	unsigned cpuids;	/* recorded ones */
	struct probe_cpuid cpuid[PROBE_CPUIDS];
	unsigned registers;	/* likewise */
	struct probe_register msr[PROBE_REGISTERS];
	int open[PROBE_OPENS];	/* 0: works; errno; -1: not known */
	int uid;		/* -1: not known */
};

/* _quiet: nothing is opened on the living machine, only CPUID will be asked. */
void probe_init(struct probe *out, const char *sysroot);
void probe_init_quiet(struct probe *out, const char *sysroot);

/* False: this machine has no CPUID, or the leaf is beyond its highest. */
bool probe_cpuid(const struct probe *probe, uint32_t leaf, uint32_t subleaf,
		 struct probe_cpuid *out);

/*
 * From now on that CPU's CPUID is asked; on this machine the calling thread
 * runs there until env_unpin(old). False: it may not, and nothing has changed.
 */
struct env_affinity;
bool probe_move(struct probe *probe, int cpu, struct env_affinity *old);

/* A model-specific register of CPU 0; false: not to be read here. */
bool probe_msr(const struct probe *probe, uint32_t reg, uint64_t *out);

/* "ENOENT", "ok"; a number for what has no name here. */
const char *probe_open_text(int error, char room[24]);

/* CPUID of the CPU that runs this; false where there is no such thing. */
bool arch_cpuid(uint32_t leaf, uint32_t subleaf, struct probe_cpuid *out);
/* "x86-64", "aarch64". */
const char *arch_isa(void);

#endif
