/* SPDX-License-Identifier: MIT */
/* Saved records instead of a program. */
#include "stat/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"

/* The events asked for, from one saved record. */
static struct assay_record *pick(const struct stat_plan *plan,
				 const struct assay_record *saved)
{
	const struct group *group = &plan->run.group;
	struct assay_record *r = record_new(group->events, saved->repeats);

	if (!r)
		return NULL;
	r->machine = saved->machine;
	r->settings = saved->settings;
	r->noise = saved->noise;
	r->shape = saved->shape;
	r->truth = saved->truth;
	text_copy(r->provider, sizeof(r->provider), saved->provider);
	memcpy(r->ns, saved->ns, saved->repeats * sizeof(*r->ns));
	for (unsigned e = 0; e < group->events; e++) {
		const int from = assay_record_find(saved,
						   group->event[e].name);

		if (from >= 0)
			r->event[e] = saved->event[from];
		text_copy(r->event[e].name, ASSAY_NAME, group->event[e].name);
		if (from < 0)
			text_copy(r->event[e].why, ASSAY_WHY, "not recorded: "
				  "the saved record has no such event");
		for (unsigned k = 0; k < saved->repeats && from >= 0; k++)
			r->counts[(size_t)k * r->events + e] =
				saved->counts[(size_t)k * saved->events +
					      (unsigned)from];
	}
	return r;
}

static int replay_one(struct stat_job *job, const struct assay_record *saved,
		      bool *counted, struct assay_error *err)
{
	struct assay_record *r = pick(&job->plan, saved);
	struct assay_stat_result frame = { .record = r };
	bool timed = saved->repeats > 0;
	double *ns = calloc(saved->repeats + 1, sizeof(*ns));
	int rc = -ASSAY_ENOMEM;

	if (!r || !ns || record_own_reasons(r)) {
		error_set(err, rc, "out of memory");
		goto out_record;
	}
	for (unsigned i = 0; i < saved->repeats; i++) {
		ns[i] = (double)saved->ns[i];
		timed = timed && saved->ns[i];
	}
	text_copy(job->title, sizeof(job->title), saved->settings.options[0] ?
		  saved->settings.options : saved->shape.kernel);
	frame.runs = saved->repeats;
	frame.elapsed = stat_mean_time(ns, saved->repeats, timed);
	frame.user = frame.system = stat_mean_time(NULL, 0, false);
	*counted |= stat_anything(r);
	rc = stat_hand_out(job, r, &frame, err);
out_record:
	free(ns);
	record_free(r);
	return rc;
}

int stat_replay(struct stat_job *job, struct assay_error *err)
{
	const struct store *saved = &job->plan.run.target.saved;
	bool counted = false;
	int rc = 0;

	for (size_t i = 0; i < saved->records && !rc; i++)
		rc = replay_one(job, saved->record[i], &counted, err);
	if (rc == 0 && !counted)
		rc = error_set(err, -ASSAY_EUNAVAIL, "the saved records have "
			       "none of these events");
	return rc;
}
