/* SPDX-License-Identifier: MIT */
/*
 * The part "mitigations": the kernel's defences against speculation attacks
 * that empty caches, predictors or TLBs and so cause extra misses.
 */
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"

static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";

/*
 * part: of the text that the kernel writes into the folder's files (Linux
 * admin-guide, hw-vuln); then the finding, as in doctor_add().
 */
static const struct mitigation {
	const char *part, *what, *state, *effect, *cure;
} mitigations[] = {
	{ "cache flushes", "L1D flushes", "warn",
	  "the L1 data cache is emptied when a guest is entered: misses after "
	  "each exit", "run no guests meanwhile; kernel option l1tf=off" },
	{ "IBPB: always-on", "predictor flushes", "warn",
	  "the branch predictor is emptied at each change of process: the "
	  "first passes mispredict", "pin to an idle CPU, warm up, and "
	  "kernel option spectre_v2_user=off where that is safe" },
	{ "IBPB", "predictor flushes", "ok",
	  "the branch predictor is emptied when a process that asked for it "
	  "begins to run", "" },
	{ "Branch predictor hardening", "predictor flushes", "ok",
	  "the branch predictor is emptied at some changes of process", "" },
	{ "BHB", "branch history", "ok",
	  "the branch history is overwritten at each system call: branches "
	  "after one mispredict", "" },
	{ "PTI", "page tables", "ok",
	  "each system call switches page tables: more TLB misses without "
	  "PCID", "" },
	{ "Clear CPU buffers", "buffer clearing", "ok",
	  "fill and store buffers are cleared at each return to user code: "
	  "system calls and interrupts cost more", "" },
	{ "Safe RET", "return prediction", "ok",
	  "returns in the kernel are made to mispredict", "" },
	{ "Untrained return thunk", "return prediction", "ok",
	  "returns in the kernel are made to mispredict", "" },
};
#define MITIGATIONS (sizeof(mitigations) / sizeof(mitigations[0]))

struct seen {
	const char *root;
	char files[MITIGATIONS][160];	/* names, ", " between */
	int readable;
};

static void one_file(void *ctx, const char *name)
{
	struct seen *s = ctx;
	char text[512];

	if (sysfile_text(text, sizeof(text), s->root, "%s/%s", folder,
			 name) <= 0)
		return;
	s->readable++;
	for (size_t i = 0; i < MITIGATIONS; i++) {
		if (!strstr(text, mitigations[i].part))
			continue;
		text_add(s->files[i], sizeof(s->files[i]), ", ", "%s", name);
		if (!strncmp(mitigations[i].part, "IBPB", 4))
			break;	/* "IBPB" is a part of "IBPB: always-on" */
	}
}

void doctor_mitigation(struct doctor *d)
{
	struct seen s = { .root = d->probe.sysroot };
	unsigned added = 0;

	sysfile_list(s.root, folder, one_file, &s);
	for (size_t i = 0; i < MITIGATIONS; i++) {
		const struct mitigation *m = &mitigations[i];

		if (!s.files[i][0])
			continue;
		doctor_add(d, m->what, m->state, m->effect, m->cure,
			   "'%s' for %s", m->part, s.files[i]);
		added++;
	}
	if (!s.readable)
		doctor_add(d, "mitigations", "info", "", "",
			   "not visible: %s is not there", folder);
	else if (!added)
		doctor_ok(d, "mitigations", "none that empties caches, "
			  "predictors or TLBs");
}
