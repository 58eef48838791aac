/* SPDX-License-Identifier: MIT */
/*
 * The image's plan, any text: each run has a shape that its kernel accepts and
 * events within bounds, or the line that is wrong is named.
 */
#include "fuzz.h"

#include "../../bare/plan.h"

static void check_run(const struct plan *plan, const struct kernel *kernel,
		      const struct assay_shape *shape)
{
	need(strcmp(shape->kernel, kernel->name) == 0);
	need(kernel_check(kernel, shape, NULL) == 0);
	need(plan->group->events <= ASSAY_EVENTS);
	need(plan->repeats >= 1 && plan->repeats <= PLAN_REPEATS);
	for (unsigned e = 0; e < plan->group->events; e++)
		need(plan->group->event[e].name[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);
	const struct kernel *kernel;
	struct assay_shape shape;
	static struct group group;
	struct assay_error err = { 0 };
	struct plan plan;
	int rc;

	need(text);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	plan_begin(&plan, text, &group);
	while ((rc = plan_next(&plan, &kernel, &shape, &err)) > 0)
		check_run(&plan, kernel, &shape);
	need(rc == 0 || (rc < 0 && strncmp(err.text, "plan line ", 10) == 0));
	free(text);
	return 0;
}
