/* SPDX-License-Identifier: MIT */
/* Verify by three witnesses: how many shapes each witness bounded. */

#include "verify/verify.h"
#include "base/row.h"

int verify_witnesses(struct verify *v)
{
	int rc = 0;

	for (int w = 0; w < WITNESSES && rc == 0; w++) {
		const struct panel_witness *witness = &v->panel.witness[w];
		const struct assay_field field[] = {
			field_text("witness", witness_names[w]),
			field_count("shapes", witness->bounded),
			field_count("silent", witness->silent),
			field_text("why", witness->why ? witness->why : ""),
		};

		if (witness->bounded || witness->silent)
			rc = row_emit(v->fn, v->ctx, "witness", field, 4);
	}
	return rc;
}

int verify_find_model(struct verify *v, struct target *target,
		      struct assay_error *err)
{
	int rc = target_init(target, v->assay, "sim:host", NULL, false, err);

	if (rc < 0 && rc != -ASSAY_ENOMEM) {
		*target = (struct target){ .provider = NULL };
		return 0;	/* no model: two witnesses */
	}
	/* without a file of this CPU, the model's events are not the CPU's */
	if (rc == 0 && target->model_of[0])
		v->witness = target;
	/* closed forms allow for prefetchers; models run with and without */
	plan_prefetch(&target->geometry);
	/* the page map of a real machine is unknown */
	geometry_place(&target->geometry, &(struct page_map){
		.kind = PAGE_MAP_RANDOM, .size = target->geometry.page,
		.seed = 1 });
	return rc;
}
