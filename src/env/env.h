/* SPDX-License-Identifier: MIT */
/*
 * The machine: what it is, what it allows, and changes that are undone.
 */
#ifndef ENV_ENV_H
#define ENV_ENV_H

#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"
#include "base/arena.h"
#include "base/geometry.h"

/* What is known of this machine without measuring. sysroot "/" normally. */
int env_machine(struct assay_machine *out, const char *sysroot,
		struct assay_error *err);

/*
 * The CPU's stepping ("7", "r0p3") and microcode ("0x49"); "" where the system
 * does not tell.
 */
void env_revision(char *stepping, size_t stepping_room, char *microcode,
		  size_t microcode_room, const char *sysroot);

/* Cache and TLB sizes of this machine (hwloc / sysfs); absent parts are
 * present == false. */
int env_geometry(struct geometry *out, const char *sysroot,
		 struct assay_error *err);

/* The same as CPUID tells it; nothing on other CPUs than x86. */
void env_cpuid_geometry(struct geometry *out, const char *sysroot);

/*
 * Pins the calling thread; old is for env_unpin. Returns 0; -ASSAY_ERANGE if
 * there is no such CPU for this process; or -ASSAY_EPERM.
 */
struct env_affinity { unsigned char mask[128]; bool changed; };
int env_pin(int cpu, struct env_affinity *old, struct assay_error *err);
void env_unpin(const struct env_affinity *old);

/* Memory for a kernel: mapped, touched by nobody yet. */
int env_arena_map(struct arena *out, size_t bytes, enum arena_pages pages,
		  struct assay_error *err);
void env_arena_unmap(struct arena *arena);

/*
 * The physical 4 KiB frames of the arena's first pages, up to room, once they
 * were touched. Returns how many; 0 where the kernel hides them (that needs
 * CAP_SYS_ADMIN) or a page is not there.
 */
size_t env_arena_frames(const struct arena *arena, uint64_t *frame,
			size_t room);

/*
 * The pages that an arena really has, once it was touched, from smaps: "4K",
 * "thp", "thp 37 %, rest 4K", "huge", "4K (no huge page was given)";
 * "untouched" before; "" if it is empty. Returns 0 or -ASSAY_EUNAVAIL. _in: by
 * the smaps below another root.
 */
int env_arena_pages(const struct arena *arena, char *out, size_t room,
		    struct assay_error *err);
int env_arena_pages_in(const char *root, const struct arena *arena,
		       char *out, size_t room, struct assay_error *err);

/*
 * What the kernel tells of the settings that times depend on, each with a blank
 * before it: " governor=powersave turbo=on smt=on"; " sysroot=yes" if it is
 * another machine. Nothing of what `given` names already, and never a part of
 * one. cpu: whose governor; -1: the first.
 */
void env_conditions(char *out, size_t room, const char *sysroot, int cpu,
		    const char *given);

uint64_t env_now_ns(void);	/* CLOCK_MONOTONIC_RAW */

/* The calling thread at one moment; two of them show what happened between. */
struct env_thread_usage {
	uint64_t wall_ns, cpu_ns;	/* cpu_ns: that it ran */
	uint64_t preempted, waited;	/* times that it lost the CPU against
					 * its will, and by its own */
	int cpu;			/* that it is on */
};
/*
 * begin: the last thing before what is looked at; else the first thing after
 * it. So cpu_ns never spans less than wall_ns does.
 */
void env_thread_usage(struct env_thread_usage *out, bool begin);

/*
 * ns that the hypervisor has given that CPU (-1: all of them) to others since
 * the start, in the kernel's ticks; false where it is not told.
 */
bool env_stolen(uint64_t *ns, const char *sysroot, int cpu);
#define ENV_TICK_NS 10000000	/* less says nothing, and one may be old */

/*
 * What `assay doctor` says of counters, permissions and identity: one row per
 * finding {part, what, state ok|warn|bad, evidence, effect, cure}.
 * *hardware: true if hardware events can be counted here.
 */
int env_doctor(const char *sysroot, bool *hardware, assay_row_fn *fn,
	       void *ctx, struct assay_error *err);

#endif
