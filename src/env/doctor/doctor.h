/* SPDX-License-Identifier: MIT */
/*
 * The doctor's rounds: each looks at one part of the machine and reports
 * findings. States: "ok"; "info": neither good nor bad, or fine but with an
 * effect; "warn"; "bad".
 */
#ifndef ENV_DOCTOR_DOCTOR_H
#define ENV_DOCTOR_DOCTOR_H

#include "assay/row.h"
#include "base/geometry.h"
#include "env/machine/machine.h"
#include "env/machine/probe.h"

struct doctor {
	struct probe probe;
	struct machine_id id;
	struct geometry geometry;
	char hypervisor[32], container[64];
	const char *part;	/* of the round */
	bool hardware;
	int stopped;		/* what fn returned, if not 0 */
	assay_row_fn *fn;
	void *ctx;
};

/* effect, cure: "" if there is nothing to say; what is "ok" and has an effect is
 * "info". Evidence is printf-like. */
void doctor_say(struct doctor *d, const char *what, const char *state,
		const char *effect, const char *cure, const char *evidence,
		...) __attribute__((format(printf, 6, 7)));

void doctor_counters(struct doctor *d);
void doctor_permission(struct doctor *d);
void doctor_identity(struct doctor *d);
void doctor_noise(struct doctor *d);
void doctor_memory(struct doctor *d);
void doctor_caches(struct doctor *d);
void doctor_heat(struct doctor *d);
void doctor_throttle(struct doctor *d);
void doctor_mitigation(struct doctor *d);
void doctor_limits(struct doctor *d);
void doctor_log(struct doctor *d);
void doctor_control(struct doctor *d);

/* The set bits of Intel's thermal status in words, likewise. */
size_t doctor_therm_text(char *out, size_t room, uint64_t status);

/* The set bits of the Raspberry Pi's get_throttled in words. Returns the
 * length; 0 if there is nothing to say. */
size_t doctor_pi_text(char *out, size_t room, unsigned bits);

#endif
