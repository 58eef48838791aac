/* SPDX-License-Identifier: MIT */
/* A record as a line that the host's store reads: docs/record.md. */
#ifndef BARE_RECORD_H
#define BARE_RECORD_H

#include "assay/record.h"

void record_line(const struct assay_record *record);

#endif
