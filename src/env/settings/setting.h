/* SPDX-License-Identifier: MIT */
/*
 * The settings of a machine that assay may change: a fixed table of kinds, each
 * with its path below the root and its check of values. A journal names a
 * setting by kind and CPU, never by path, so that no journal can make assay
 * write to any other file.
 */
#ifndef ENV_SETTINGS_SETTING_H
#define ENV_SETTINGS_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "env/machine/machine.h"
#include "env/machine/probe.h"

enum setting_kind {
	SETTING_INTEL_PREFETCH,	/* MSR 0x1A4 */
	SETTING_AMD_PREFETCH,	/* MSR C000_0108 */
	SETTING_K10_PREFETCH,	/* MSR C001_1022 */
	SETTING_GOVERNOR,
	SETTING_HUGE_PAGES,
	SETTING_KINDS
};

#define SETTING_VALUE 32
#define SETTING_CPUS 4096

struct setting {
	enum setting_kind kind;
	int cpu;		/* -1: the setting is of the machine */
	char was[SETTING_VALUE];	/* the value before the change */
	char now[SETTING_VALUE];	/* the new value */
};

/* "intel-prefetch", "governor" ... */
const char *setting_name(enum setting_kind kind);
/* False if there is no such kind. */
bool setting_find(enum setting_kind *out, const char *name);

/* May the setting be written: is the CPU number valid, and the value? */
bool setting_valid(enum setting_kind kind, int cpu, const char *value);

/* The bits of the register that turn prefetchers off; 0: no register. */
uint64_t setting_mask(enum setting_kind kind);

/* Reads the present value. Returns 0, -ASSAY_EPERM or -ASSAY_EIO. */
int setting_read(char out[SETTING_VALUE], const char *sysroot,
		 enum setting_kind kind, int cpu, struct assay_error *err);

/*
 * Writes the value and reads it back: -ASSAY_EIO if the value read differs. Of
 * a register only the bits of setting_mask are changed. Allocates no memory.
 */
int setting_write(const char *sysroot, enum setting_kind kind, int cpu,
		  const char *value, struct assay_error *err);

/* Adds the shell command that sets the former value. */
void setting_advise(struct assay_error *err, const char *sysroot,
		    const struct setting *setting);

/*
 * The kind of setting that turns this CPU's prefetchers off. Returns 0, or
 * -ASSAY_EPERM with the reason if user space cannot turn them off.
 */
int setting_prefetch_kind(enum setting_kind *out, const struct probe *probe,
			  struct assay_error *err);

#endif
