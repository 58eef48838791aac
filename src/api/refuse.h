/* SPDX-License-Identifier: MIT */
/* What a job asks for and its provider would pass over in silence. */
#ifndef API_REFUSE_H
#define API_REFUSE_H

#include "run/run.h"

/* 0; -ASSAY_EINVAL with what has no effect there. */
int refuse_job(const struct run *run, struct assay_error *err);

#endif
