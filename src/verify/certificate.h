/* SPDX-License-Identifier: MIT */
/* Certificates on disk: their folder, the best fitting one, saving one. */
#ifndef VERIFY_CERTIFICATE_H
#define VERIFY_CERTIFICATE_H

#include "run/handle.h"
#include "store/certificate.h"

/*
 * The machine that the provider `on` would count. Returns 0, or an error if
 * there is no provider of this name.
 */
int certificate_machine(struct certificate_machine *out,
			const struct assay *assay, const char *on,
			struct assay_error *err);

/* The folder. Returns 0, or -ASSAY_ENOENT: there is no home. */
int certificate_folder(char *out, size_t room, const struct assay *assay,
		       struct assay_error *err);

/* Does the folder of certificates exist? */
bool certificate_kept(const struct assay *assay);

/* 0: not of this CPU; more: a better fit. 4: the same in all. */
int certificate_fit(const struct certificate_machine *have,
		    const struct certificate_machine *want);

/*
 * Loads the best fitting, newest certificate into *out and its path into
 * `path`. Returns 1; 0 if none fits. *unreadable: number of files that could
 * not be read.
 */
int certificate_find(struct certificate *out, char *path, size_t room,
		     const struct assay *assay,
		     const struct certificate_machine *want,
		     unsigned *unreadable);

/*
 * Completes the certificate (created, version, file) and writes it and its
 * records into one folder. path: the certificate's path. Never overwrites
 * another certificate.
 */
int certificate_save(struct certificate *certificate,
		     struct assay_record *const *record, size_t records,
		     const struct assay *assay, char *path, size_t room,
		     struct assay_error *err);

#endif
