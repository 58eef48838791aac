/* SPDX-License-Identifier: MIT */
/* May an event be believed? What certificates say. */
#ifndef ASSAY_TRUST_H
#define ASSAY_TRUST_H

#include "assay/class.h"
#include "assay/error.h"
#include "assay/export.h"

struct assay;

/*
 * What certificates (docs/certificate.md) say of the events of one provider.
 * Look up once, then ask for each event.
 */
struct assay_trust;

enum assay_mark {
	ASSAY_MARK_UNKNOWN,	/* never judged, or without a result */
	ASSAY_MARK_VERIFIED,	/* counts what it claims */
	ASSAY_MARK_WRONG
};

struct assay_trusted {
	enum assay_mark mark;
	enum assay_class class_;	/* UNAVAILABLE if never judged */
	char sentence[480];	/* why, for people */
};

/* "unknown", "verified", "wrong" */
ASSAY_API const char *assay_mark_name(enum assay_mark mark);

/*
 * The newest certificate that fits the provider and its CPU; of those the one
 * for this microcode, stepping and kernel, if there is any. on: as in struct
 * assay_job; NULL: "perf". Having none is no error: then every event is
 * unknown. Returns 0 and a handle for assay_trust_close(); -ASSAY_ENOMEM. A
 * certificate that cannot be read is passed over and said in _about().
 */
ASSAY_API int assay_trust_open(struct assay_trust **out, struct assay *assay,
			       const char *on, struct assay_error *err);
ASSAY_API void assay_trust_close(struct assay_trust *trust);

/* Of one event, by its name or code. A modifier (":u") does not matter. */
ASSAY_API void assay_trust_of(const struct assay_trust *trust,
			      const char *event, struct assay_trusted *out);

/*
 * One sentence about the certificate: when it is from, and whether it is for
 * another microcode; or how to get one. Borrowed.
 */
ASSAY_API const char *assay_trust_about(const struct assay_trust *trust);
/* Its path, or NULL: there is none. */
ASSAY_API const char *assay_trust_path(const struct assay_trust *trust);

#endif
