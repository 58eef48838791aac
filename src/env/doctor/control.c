/* SPDX-License-Identifier: MIT */
/* The part "control": settings that a run can change, and settings that a
 * killed run left changed. */
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "env/doctor/doctor.h"
#include "env/machine/sysfs-topology.h"
#include "env/settings/control.h"
#include "env/settings/setting.h"

static void add_left_over(struct doctor *d)
{
	if (control_left_over(d->probe.sysroot))
		doctor_add(d, "left-over settings", "bad",
			   "a run was killed together with its watcher: the "
			   "machine is not as it was",
			   "as root: assay doctor --restore",
			   "/run/assay/journal is there and nobody works "
			   "with it");
}

/* err.text is one sentence, and perhaps a hint on a line of its own. */
static void add_prefetchers(struct doctor *d)
{
	struct assay_error err = { 0 };
	enum setting_kind kind;
	char value[SETTING_VALUE], *hint;
	int rc = setting_prefetch_kind(&kind, &d->probe, &err);

	if (!rc)
		rc = setting_read(value, d->probe.sysroot, kind, 0, &err);
	if (rc) {
		hint = strchr(err.text, '\n');
		if (hint)
			*hint++ = '\0';
		doctor_add(d, "prefetchers", "info", "--prefetchers does not "
			   "work: misses include what they bring, or spare",
			   hint ? hint : "", "%s", err.text);
	} else if (strtoull(value, NULL, 16)) {
		doctor_add(d, "prefetchers", "warn",
			   "some are turned off: programs run slower than "
			   "usual", "--prefetchers on, or the firmware's "
			   "set-up", "%s = %s of 0x%llx (set bits are off)",
			   setting_name(kind), value,
			   (unsigned long long)setting_mask(kind));
	} else {
		doctor_ok(d, "prefetchers", "all on; --prefetchers can turn "
			  "them off");
	}
}

static void add_governors(struct doctor *d)
{
	char text[256];

	if (sysfile_text(text, sizeof(text), d->probe.sysroot,
			 SYSFS_CPUS "/cpu%d/cpufreq/"
			 "scaling_available_governors",
			 sysfs_first(d->probe.sysroot)) > 0)
		doctor_add(d, "governors", "info", "", "", "%s", text);
}

void doctor_control(struct doctor *d)
{
	add_left_over(d);
	add_prefetchers(d);
	add_governors(d);
}
