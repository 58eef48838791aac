/* SPDX-License-Identifier: MIT */
/*
 * Settings of the machine (prefetchers, governor, huge pages) for the time of a
 * run: the API of src/env/settings/. The handle keeps the settings as text, and
 * each record of the handle has this text while they are in force.
 */
#include <stdlib.h>
#include <string.h>

#include "run/handle.h"
#include "base/text.h"
#include "env/settings/control.h"

struct assay_control {
	struct assay *assay;
	struct control *control;
};

int assay_control_begin(struct assay *assay, const struct assay_wishes *wishes,
			struct assay_control **out, struct assay_error *err)
{
	struct assay_control *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = control_begin(&c->control, wishes, assay->sysroot, err);
	if (rc) {
		free(c);
		return rc;
	}
	c->assay = assay;
	text_copy(assay->settings, sizeof(assay->settings),
		  control_text(c->control));
	*out = c;
	return 0;
}

const char *assay_control_text(const struct assay_control *control)
{
	return control_text(control->control);
}

const char *assay_control_doubt(const struct assay_control *control)
{
	return control_doubt(control->control);
}

int assay_control_end(struct assay_control *control, struct assay_error *err)
{
	int rc;

	if (!control)
		return 0;
	control->assay->settings[0] = '\0';
	rc = control_end(control->control, err);
	free(control);
	return rc;
}

bool assay_left_over(struct assay *assay)
{
	return control_left_over(assay->sysroot);
}

int assay_restore(struct assay *assay, unsigned *undone,
		  struct assay_error *err)
{
	return control_restore(assay->sysroot, undone, err);
}
