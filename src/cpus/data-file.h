/* SPDX-License-Identifier: MIT */
/*
 * The text files of one folder of data/: found by name or by path, read with a
 * size limit, and listed.
 */
#ifndef CPUS_DATA_FILE_H
#define CPUS_DATA_FILE_H

#include <stddef.h>

#include "assay/error.h"

struct source {
	char *file;		/* "data/cpus/x.yaml" or the path given */
	char *text;		/* NUL-terminated; may hold NUL bytes */
	size_t bytes;
};

/*
 * Opens FOLDER/NAME.yaml by name (case is ignored): data_dir (may be NULL)
 * first, then the built-in files. What holds a '/' or ends in .yaml or .yml is
 * a path instead ("-" is no path). Returns 0; -ASSAY_ENOENT with a suggestion;
 * -ASSAY_EIO; -ASSAY_ERANGE if it is larger than YAML_BYTES.
 */
int data_file_open(struct source *out, const char *folder,
		const char *name_or_path, const char *data_dir,
		struct assay_error *err);
void data_file_fini(struct source *source);

/* Is this a path rather than a name? */
int data_file_is_path(const char *name_or_path);

/*
 * The names of all files of a folder, sorted, each once, NULL-terminated.
 * *out is one allocation for free(). Returns 0 or -ASSAY_ENOMEM.
 */
int data_file_names(const char ***out, const char *folder, const char *data_dir,
		 struct assay_error *err);

#endif
