/* SPDX-License-Identifier: MIT */
/* Checks a record against the identities of its CPU. */
#include <stdlib.h>
#include <string.h>

#include "run/identities.h"
#include "run/target.h"
#include "base/text.h"

enum { FINDINGS = 512 };

/* The software PMU has no interrupts, so identities hold without slack. */
static bool is_exact(const struct assay_record *record)
{
	return strcmp(record->provider, sim_provider.name) == 0;
}

static int check(const struct identities *set,
		 const struct assay_record *record, assay_row_fn *fn,
		 void *ctx, unsigned *violations, struct assay_error *err)
{
	const struct identity_check check = {
		.exact = is_exact(record), .count = identity_record_count,
		.ctx = (void *)record,
	};
	struct identity_finding *f = calloc(FINDINGS, sizeof(*f));
	size_t n;
	int rc = 0;

	if (!f)
		return error_memory(err);
	n = identities_check(set, &check, f, FINDINGS);
	for (size_t i = 0; i < n && i < FINDINGS && rc == 0; i++) {
		*violations += f[i].state == IDENTITY_VIOLATED;
		rc = identity_row(&f[i], fn, ctx);
	}
	free(f);
	return rc;
}

int cpu_identities_load(struct identities **out, const struct assay *assay,
			const char *name, struct assay_error *err)
{
	struct cpu *cpu = NULL;
	int rc;

	if (*name)
		cpu_load(&cpu, name, assay->data_dir, NULL);
	rc = identities_load(out, name, cpu ? cpu->alias : NULL,
			     assay->data_dir, err);
	cpu_free(cpu);
	return rc;
}

int assay_check_identities(struct assay *assay,
			   const struct assay_record *record,
			   assay_row_fn *fn, void *ctx, unsigned *violations,
			   struct assay_error *err)
{
	struct identities *set;
	unsigned violated = 0;
	int rc = cpu_identities_load(&set, assay, record->machine.cpu, err);

	if (rc < 0)
		return rc;
	rc = check(set, record, fn, ctx, &violated, err);
	identities_free(set);
	if (rc == 0)
		*violations = violated;
	return rc;
}
