/* SPDX-License-Identifier: MIT */
/*
 * A machine as one text: every file that this room reads, "=== /path" and its
 * content, and as files too what it asks (/assay-probe, /assay-topology).
 * Unpacked below a root, it is that machine again.
 */
#ifndef ENV_MACHINE_DUMP_H
#define ENV_MACHINE_DUMP_H

#include <stdio.h>

#include "assay/error.h"

/* Returns 0, -ASSAY_ENOMEM, or -ASSAY_EIO if it cannot be written. */
int env_dump(FILE *out, const char *sysroot, struct assay_error *err);

#endif
