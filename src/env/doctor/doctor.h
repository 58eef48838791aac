/* SPDX-License-Identifier: MIT */
/*
 * The parts of `assay doctor`: each examines one part of the machine and adds
 * findings. The states of a finding: "ok"; "info": neither good nor bad, or
 * good with a side effect; "warn"; "bad".
 */
#ifndef ENV_DOCTOR_DOCTOR_H
#define ENV_DOCTOR_DOCTOR_H

#include "assay/row.h"
#include "base/geometry.h"
#include "env/machine/machine.h"
#include "env/machine/probe.h"

/* The facts that several parts need, and the receiver of findings. */
struct doctor {
	struct probe probe;
	struct machine_id id;
	struct geometry geometry;
	char hypervisor[32], container[64];
	const char *part;	/* the part that is examined */
	bool hardware;
	char pmus[128];		/* core PMUs that the kernel has; "": none */
	char why[160], cure[320];	/* why no hardware event can be counted,
					 * and the cure; "": not known yet */
	unsigned bad, warnings;	/* findings so far */
	int stopped;		/* not 0: fn wants no more rows */
	assay_row_fn *fn;
	void *ctx;
};

/* Adds one finding. effect, cure: "" if there is none; "ok" with an effect is
 * added as "info". The evidence is printf-like. */
void doctor_add(struct doctor *d, const char *what, const char *state,
		const char *effect, const char *cure, const char *evidence,
		...) __attribute__((format(printf, 6, 7)));

#define doctor_ok(d, what, ...) doctor_add(d, what, "ok", "", "", __VA_ARGS__)

/* Sets why hardware events cannot be counted; only the first call counts. */
void doctor_blocks(struct doctor *d, const char *cure, const char *why, ...)
	__attribute__((format(printf, 3, 4)));

/* The row "answer": the conclusion of all findings in one sentence. */
void doctor_answer(struct doctor *d);

void doctor_counters(struct doctor *d);
void doctor_permission(struct doctor *d);
void doctor_identity(struct doctor *d);
void doctor_noise(struct doctor *d);
void doctor_memory(struct doctor *d);
void doctor_caches(struct doctor *d);
void doctor_heat(struct doctor *d);
void doctor_mitigation(struct doctor *d);
void doctor_limits(struct doctor *d);
void doctor_libraries(struct doctor *d);
void doctor_control(struct doctor *d);

/* The set bits of Intel's thermal status (IA32_THERM_STATUS) as a text. False:
 * no bit is set. */
bool doctor_therm_text(char *out, size_t room, uint64_t status);

/* As doctor_therm_text(), for the bits of the Raspberry Pi's get_throttled. */
bool doctor_pi_text(char *out, size_t room, unsigned bits);

#endif
