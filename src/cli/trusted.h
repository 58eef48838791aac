/* SPDX-License-Identifier: MIT */
/* What certificates say of the events that were asked for. */
#ifndef CLI_TRUSTED_H
#define CLI_TRUSTED_H

#include "cli/context.h"

/*
 * Below the results, for people: which certificate was used, and every event
 * that it says is wrong or does not judge. Nothing without a certificate.
 */
void trusted_note(struct context *context);

#endif
