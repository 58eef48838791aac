/* SPDX-License-Identifier: MIT */
/*
 * assay-ci.yaml: the benchmarks of a project and their budgets. docs/ci.md
 * describes the keys. Every mistake is reported as file:line:col.
 */
#ifndef CI_FILE_H
#define CI_FILE_H

#include "ci/ci.h"
#include "cpus/yaml.h"

#define CI_FILE "assay-ci.yaml"
#define CI_BASELINE "assay-ci.baseline.json"
#define CI_ARGUMENTS 256	/* words of a command, at most */

/* Texts are borrowed from the file's yaml. */
struct ci_benchmark {
	const char *name;
	char *word[CI_ARGUMENTS + 1];	/* the command, NULL-terminated;
					 * owned */
	const struct yaml_node *input;	/* first of a list of files; or NULL */
	const char *cpu;		/* NULL: by the program */
	const char *from, *region;	/* what counts; NULL: all */
	int status;
	struct ci_budget budget[CI_BUDGETS];
	size_t budgets;
};

struct ci_file {
	struct yaml *yaml;
	const char *guest;	/* NULL: the fixed one */
	char *environment[CI_ARGUMENTS + 1];	/* owned, NULL-terminated */
	struct ci_benchmark *benchmark;
	size_t benchmarks;
};

/*
 * Reads folder/assay-ci.yaml. ci: its .cpu and .layouts, if given, override
 * those of the file. Returns 0, -ASSAY_EPARSE, -ASSAY_ENOMEM or as
 * error_read(). Ends with ci_file_fini().
 */
int ci_file_read(struct ci_file *out, const struct assay_ci *ci,
		 struct assay_error *err);
/* The same from memory. */
int ci_file_parse(struct ci_file *out, const char *name, const char *text,
		  size_t bytes, const struct assay_ci *ci,
		  struct assay_error *err);
void ci_file_fini(struct ci_file *file);

#endif
