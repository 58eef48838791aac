/* SPDX-License-Identifier: MIT */
/*
 * Answers of a machine that are in no file: CPUID, model-specific registers,
 * the user, and whether perf_event_open works. On this machine the probe asks;
 * a recorded machine has the answers in SYSROOT/assay-probe, one per line:
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
	PROBE_KERNEL,		/* a software event, in the kernel too */
	PROBE_BREAKPOINT,	/* writes to one word, user code only */
	PROBE_OPENS
};
extern const char *const probe_open_names[PROBE_OPENS];	/* "hardware" ... */

struct probe_cpuid {
	uint32_t leaf, subleaf, eax, ebx, ecx, edx;
	int cpu;		/* recorded: the CPU that answered */
};

struct probe_register {
	uint32_t reg;
	uint64_t value;
};

#define PROBE_CPUIDS 256
#define PROBE_REGISTERS 8

struct probe {
	const char *sysroot;
	bool live;		/* this machine, not a recorded one */
	int cpu;		/* recorded: the CPU whose CPUID is asked */
	unsigned cpuids;	/* recorded answers */
	struct probe_cpuid cpuid[PROBE_CPUIDS];
	unsigned registers;	/* recorded registers */
	struct probe_register msr[PROBE_REGISTERS];
	int open[PROBE_OPENS];	/* 0: works; an errno; -1: not known */
	int uid;		/* -1: not known */
};

/* probe_init tries all openings; _quiet tries none (open is -1): CPUID only. */
void probe_init(struct probe *out, const char *sysroot);
void probe_init_quiet(struct probe *out, const char *sysroot);

/* False: the CPU has no CPUID, or the leaf is above its highest. */
bool probe_cpuid(const struct probe *probe, uint32_t leaf, uint32_t subleaf,
		 struct probe_cpuid *out);

/*
 * Makes this CPU the one whose CPUID is asked. On this machine the calling
 * thread is pinned to it until env_unpin(old). False, and nothing is changed,
 * if the thread may not run there.
 */
struct env_affinity;
bool probe_move(struct probe *probe, int cpu, struct env_affinity *old);

/* A model-specific register of the first CPU; false if it cannot be read. */
bool probe_msr(const struct probe *probe, uint32_t reg, uint64_t *out);

/* "ok", "ENOENT", "not tried"; "errno N", in room, if the table has no name. */
const char *probe_open_text(int error, char room[24]);

/* CPUID of the CPU that runs the calling thread; false if it has none. */
bool arch_cpuid(uint32_t leaf, uint32_t subleaf, struct probe_cpuid *out);
/* "x86-64", "aarch64". */
const char *arch_isa(void);

#endif
