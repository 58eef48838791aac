/* SPDX-License-Identifier: MIT */
/* Where certificates lie, which one fits, and saving one. */
#ifndef VERIFY_CERTIFICATE_H
#define VERIFY_CERTIFICATE_H

#include "run/handle.h"
#include "store/certificate.h"

/*
 * Who would be counted on that provider. Returns 0; an error if there is no
 * such provider.
 */
int certificate_machine(struct certificate_machine *out,
			const struct assay *assay, const char *on,
			struct assay_error *err);

/* The folder. Returns 0, or -ASSAY_ENOENT: there is no home. */
int certificate_folder(char *out, size_t room, const struct assay *assay,
		       struct assay_error *err);

/* Is there such a folder? */
bool certificate_kept(const struct assay *assay);

/* 0: not of this CPU; more: a better fit. 4: the same in all. */
int certificate_fit(const struct certificate_machine *have,
		    const struct certificate_machine *want);

/*
 * The path of the best fitting, newest certificate in *out. Returns 1; 0 if
 * there is none. *unreadable: how many files could not be read.
 */
int certificate_find(struct certificate *out, char *path, size_t room,
		     const struct assay *assay,
		     const struct certificate_machine *want,
		     unsigned *unreadable);

/*
 * Completes (created, version, file) and writes the certificate, and the
 * records beside it. path: gets where it is. Never overwrites another one.
 */
int certificate_save(struct certificate *certificate,
		     struct assay_record *const *record, size_t records,
		     const struct assay *assay, char *path, size_t room,
		     struct assay_error *err);

#endif
