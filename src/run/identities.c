/* SPDX-License-Identifier: MIT */
/* Checks a record against the identities of its CPU. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "run/identities.h"
#include "run/target.h"
#include "base/record.h"
#include "base/text.h"

enum { FINDINGS = 512 };

/* The software PMU has no interrupts, so identities hold without slack. */
static bool is_exact(const struct assay_record *record)
{
	return strcmp(record->provider, sim_provider.name) == 0;
}

/* Events of one record that perf wrote alike: all with ":u", for example. */
struct alike {
	const struct assay_record *record;
	const char *name;	/* one of them */
};

/* The count of the event that is called so and written as the others. */
static struct assay_value count_alike(void *ctx, const char *event)
{
	const struct alike *alike = ctx;
	const char *from;

	for (unsigned e = 0; e < alike->record->events; e++) {
		const char *name = alike->record->event[e].name;
		const size_t n = event_plain_name(name, &from);

		if (n == strlen(event) && !strncasecmp(from, event, n) &&
		    event_is_alike(name, alike->name))
			return assay_record_value(alike->record, e);
	}
	return (struct assay_value){ .why = "not in the record" };
}

static int check_alike(const struct identities *set, struct alike *alike,
		       assay_row_fn *fn, void *ctx, unsigned *violations,
		       struct assay_error *err)
{
	const struct identity_check check = {
		.exact = is_exact(alike->record), .count = count_alike,
		.ctx = alike,
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

/* Checks the events with each way of writing in turn. */
int cpu_identities_check(const struct identities *set,
			 const struct assay_record *record, assay_row_fn *fn,
			 void *ctx, unsigned *violations,
			 struct assay_error *err)
{
	int rc = 0;

	for (unsigned e = 0; e < record->events && rc == 0; e++) {
		struct alike alike = { record, record->event[e].name };
		bool done = false;

		for (unsigned i = 0; i < e && !done; i++)
			done = event_is_alike(record->event[i].name, alike.name);
		if (!done)
			rc = check_alike(set, &alike, fn, ctx, violations,
					 err);
	}
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
	rc = cpu_identities_check(set, record, fn, ctx, &violated, err);
	identities_free(set);
	if (rc == 0)
		*violations = violated;
	return rc;
}
