/* SPDX-License-Identifier: MIT */
/*
 * Certificates <-> JSON files, and the hashes of the record files that a
 * certificate names. docs/certificate.md describes the schema.
 */
#ifndef STORE_CERTIFICATE_H
#define STORE_CERTIFICATE_H

#include <stdio.h>

#include "assay/error.h"
#include "base/certificate.h"

/* Returns 0, -ASSAY_EIO or -ASSAY_ENOMEM. */
int certificate_write(FILE *out, const struct certificate *certificate,
		      struct assay_error *err);

/*
 * Reads a file of at most 16 MiB. Returns 0, -ASSAY_EPARSE with file:line:col,
 * -ASSAY_ENOMEM, or as error_read(). The caller ends the certificate with
 * certificate_fini().
 */
int certificate_read(struct certificate *out, const char *path,
		     struct assay_error *err);
/* The same from memory; `name` stands for the file in messages. */
int certificate_parse(struct certificate *out, const char *name,
		      const char *text, size_t bytes, struct assay_error *err);
void certificate_fini(struct certificate *certificate);

/* The SHA-256 of a file as 64 hexadecimal digits. 0, or as error_read(). */
int certificate_hash(char out[65], const char *path, struct assay_error *err);

#endif
