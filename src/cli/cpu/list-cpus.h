/* SPDX-License-Identifier: MIT */
/* `assay list cpus` for people: one screen. */
#ifndef CLI_CPU_LIST_CPUS_H
#define CLI_CPU_LIST_CPUS_H

#include "cli/context.h"

void list_cpus(struct context *context, const struct kept_rows *kept);

#endif
