/* SPDX-License-Identifier: MIT */
/*
 * The text files of one folder of data/ (FOLDER/NAME.yaml): found by name or by
 * path, read with a size limit, and listed. A directory of the user's (--data)
 * comes before the files that are compiled in.
 */
#ifndef CPUS_DATA_FILE_H
#define CPUS_DATA_FILE_H

#include <stddef.h>

#include "assay/error.h"

/* A file's content; data_file_fini frees it. */
struct data_text {
	char *file;		/* "data/cpus/x.yaml", or the path given */
	char *text;		/* NUL-terminated; may hold NUL bytes */
	size_t bytes;
};

/*
 * Reads a file by its name (case is ignored), from data_dir (may be NULL) or
 * from the built-in files; or by its path, if the name holds a '/' or ends in
 * .yaml or .yml. Returns 0; -ASSAY_ENOENT with a suggestion; -ASSAY_EIO;
 * -ASSAY_ENOMEM; -ASSAY_ERANGE if the file is larger than YAML_BYTES.
 */
int data_file_open(struct data_text *out, const char *folder,
		   const char *name_or_path, const char *data_dir,
		   struct assay_error *err);
void data_file_fini(struct data_text *text);

/* Does data_file_open take the text for a path? */
int data_file_is_path(const char *name_or_path);

/*
 * The names of all files of a folder, sorted, each once, NULL-terminated.
 * *out is one allocation for free(). Returns 0 or -ASSAY_ENOMEM.
 */
int data_file_names(const char ***out, const char *folder, const char *data_dir,
		    struct assay_error *err);

#endif
