/* SPDX-License-Identifier: MIT */
/* Saved records against the closed forms: nothing is run. */
#include <stdlib.h>
#include <string.h>

#include "api/formulas.h"
#include "api/verify.h"
#include "base/text.h"

/* The shape with all of the kernel's options; false: it is none of ours. */
static bool complete_shape(struct assay_shape *out,
			   const struct kernel *kernel,
			   const struct assay_shape *saved)
{
	int rc = 0;

	kernel_defaults(kernel, out);
	for (unsigned i = 0; i < saved->options && !rc; i++) {
		const struct assay_shape_value *o = &saved->option[i];
		const struct kernel_option *option =
			kernel_option(kernel, o->name);
		int64_t value = o->value;

		for (int w = 0; option && o->kind == ASSAY_OPTION_CHOICE &&
		     option->kind == o->kind && option->words[w]; w++)
			if (strcmp(option->words[w], o->word) == 0)
				value = w;
		rc = kernel_set(kernel, out, o->name, value, NULL);
	}
	return rc == 0 && kernel->resolve(out, NULL) == 0 &&
	       kernel_check(kernel, out, NULL) == 0;
}

/* The events of the record; what is not counted has its reason there. */
static void take_group(struct group *group, const struct assay_record *record)
{
	group->events = record->events;
	for (unsigned e = 0; e < record->events; e++) {
		group->event[e] = (struct encoding){ .family = ENCODING_NAME };
		text_copy(group->event[e].name, sizeof(group->event[e].name),
			  record->event[e].name);
	}
}

static bool known_isa(const struct run *run, const struct assay_record *record)
{
	return text_equal(record->machine.isa, isa_names[run->target.isa]);
}

static int judge_record(struct verify *v, struct run *run,
			struct judgement *j, const struct assay_record *record)
{
	struct assay_shape shape;

	run->kernel = kernel_find(record->shape.kernel);
	if (!run->kernel || !known_isa(run, record) ||
	    !complete_shape(&shape, run->kernel, &record->shape))
		return 0;
	take_group(&run->group, record);
	judge(j, run, &shape, record);
	return verify_take(v, run, &j->result);
}

/* What machine.cpu says decides which formulas are meant. */
static int open_saved(struct run *run, const char *on, struct assay_error *err)
{
	int rc = target_init(&run->target, run->assay, on, NULL, false, err);

	if (rc == 0)
		rc = formulas_fitting(run, run->target.saved.record[0]->
				      machine.cpu, err);
	return rc;
}

int verify_saved(struct verify *v, struct assay_error *err)
{
	const struct assay_job job = { .on = v->on, .cpu = -1 };
	struct judgement *j = calloc(1, sizeof(*j));
	struct run *run = calloc(1, sizeof(*run));
	int rc = run && j ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc == 0) {
		run->assay = v->assay;
		run->job = &job;
		rc = open_saved(run, v->on, err);
	}
	for (size_t i = 0; rc == 0 && i < run->target.saved.records; i++)
		rc = judge_record(v, run, j, run->target.saved.record[i]);
	if (run)
		run_fini(run);
	free(run);
	free(j);
	return rc;
}
