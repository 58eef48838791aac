/* SPDX-License-Identifier: MIT */
/*
 * This machine: its identity, caches and TLBs; memory, pinning and clocks for a
 * run; and the doctor's findings. `sysroot` is "/" normally, or the folder of a
 * recorded machine (base/sysfile.h). What is changed for a run and put back
 * afterwards is in env/settings/.
 */
#ifndef ENV_ENV_H
#define ENV_ENV_H

#include <stdio.h>

#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"
#include "base/arena.h"
#include "base/geometry.h"

/* ---- the machine (machine/) ---------------------------------------------- */

/* Host, kernel, CPU, instruction set and hypervisor. Always returns 0. */
int env_machine(struct assay_machine *out, const char *sysroot,
		struct assay_error *err);

/*
 * The CPU's stepping ("7", "r0p3") and microcode ("0x49"); "" if the system
 * does not show them.
 */
void env_revision(char *stepping, size_t stepping_room, char *microcode,
		  size_t microcode_room, const char *sysroot);

/*
 * Caches and TLBs of the first CPU, from /sys, hwloc and CPUID; those that none
 * of these shows have present == false. Always returns 0.
 */
int env_geometry(struct geometry *out, const char *sysroot,
		 struct assay_error *err);

/* Caches and TLBs of the first CPU from CPUID alone; none except on x86. */
void env_cpuid_geometry(struct geometry *out, const char *sysroot);

/*
 * Writes the machine as one text: every file that this room reads, as a line
 * "=== /path" and the content, and the answers of what is no file (CPUID, trial
 * openings, hwloc) as /assay-probe and /assay-topology. Unpacked into a folder,
 * the text is a sysroot. Returns 0, -ASSAY_ENOMEM, or -ASSAY_EIO if out cannot
 * be written.
 */
int env_dump(FILE *out, const char *sysroot, struct assay_error *err);

/* ---- a run: CPU, memory, clocks ------------------------------------------ */

/*
 * Pins the calling thread to one CPU; *old is the earlier affinity for
 * env_unpin. Returns 0; -ASSAY_ERANGE if this process may not use such a CPU;
 * or -ASSAY_EPERM.
 */
struct env_affinity { unsigned char mask[128]; bool changed; };
int env_pin(int cpu, struct env_affinity *old, struct assay_error *err);
void env_unpin(const struct env_affinity *old);

/*
 * Memory for a kernel: mapped, not touched yet. Returns 0, -ASSAY_ENOMEM, or
 * -ASSAY_EUNAVAIL with the remedy if there are no huge pages.
 */
int env_arena_map(struct arena *out, size_t bytes, enum arena_pages pages,
		  struct assay_error *err);
void env_arena_unmap(struct arena *arena);

/*
 * The frame numbers of the physical 4 KiB pages of an arena that was touched,
 * in frame[room]. Returns the number of pages; 0 if room is too small, if the
 * kernel hides the numbers (it shows them with CAP_SYS_ADMIN), or if a page is
 * not present.
 */
size_t env_arena_frames(const struct arena *arena, uint64_t *frame,
			size_t room);

/*
 * The page sizes that an arena really has, from /proc/self/smaps: "4K", "thp",
 * "thp 37 %, rest 4K", "huge", "4K (no huge page was given)"; "untouched" if no
 * page was touched; "" if the arena is empty. Returns 0 or -ASSAY_EUNAVAIL.
 * env_arena_pages_in reads smaps below another root.
 */
int env_arena_pages(const struct arena *arena, char *out, size_t room,
		    struct assay_error *err);
int env_arena_pages_in(const char *root, const struct arena *arena,
		       char *out, size_t room, struct assay_error *err);

/*
 * The settings of the machine that times depend on, as the kernel shows them,
 * each with a blank before it: " governor=powersave turbo=on smt=on
 * mitigations=9+1-5d3b2a90" (vulnerabilities that are mitigated, that are not,
 * and a digest of what the kernel says of all); and
 * " sysroot=yes" for a recorded machine. The governor is that of `cpu` (-1: CPU
 * 0), and is left out if the text `given` names one already. A setting that
 * does not fit into room is left out.
 */
void env_conditions(char *out, size_t room, const char *sysroot, int cpu,
		    const char *given);

uint64_t env_now_ns(void);	/* CLOCK_MONOTONIC_RAW: no daemon adjusts it */

/* The calling thread's times. The difference of two readings is the time
 * between them. */
struct env_thread_usage {
	uint64_t wall_ns;	/* env_now_ns */
	uint64_t cpu_ns;	/* the thread's time on a CPU */
	uint64_t preempted;	/* involuntary context switches */
	uint64_t waited;	/* voluntary context switches */
	int cpu;		/* the CPU of the thread */
};
/*
 * begin: call this last before the measured work; else call it first after the
 * work. The clocks are read in such an order that the span of cpu_ns contains
 * the span of wall_ns.
 */
void env_thread_usage(struct env_thread_usage *out, bool begin);

/*
 * The time in ns, since boot, that the hypervisor gave to other guests although
 * this CPU (-1: the sum of all CPUs) wanted to run. It counts in the kernel's
 * ticks. False if the kernel does not show it.
 */
bool env_stolen(uint64_t *ns, const char *sysroot, int cpu);
#define ENV_TICK_NS 10000000	/* one tick; a smaller difference is noise */

/* ---- the doctor (doctor/) ------------------------------------------------ */

/*
 * One row per finding about counters, permissions, identity, noise ...: {part,
 * what, state ok|info|warn|bad, evidence, effect, cure}. *hardware: hardware
 * events can be counted here. Returns 0, or -ASSAY_ESTOP if fn returned
 * non-zero.
 */
int env_doctor(const char *sysroot, bool *hardware, assay_row_fn *fn,
	       void *ctx, struct assay_error *err);

#endif
