/* SPDX-License-Identifier: MIT */
/* The table of verdicts: of assay verify, and of what bare metal counted. */
#ifndef CLI_VERDICTS_H
#define CLI_VERDICTS_H

struct context;

/* Compares on that provider and shows it. Returns the exit code. */
int verdicts_show(struct context *context, const char *on);

#endif
