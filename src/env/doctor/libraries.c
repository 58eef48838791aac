/* SPDX-License-Identifier: MIT */
/* The part "libraries": those that assay loads on first use. */
#include <string.h>

#include "base/loading/library.h"
#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"

void doctor_libraries(struct doctor *d)
{
	char names[400] = "", needs[800] = "", packages[400] = "";
	char cure[420];

	/* those of a recorded machine are not known */
	if (!sysroot_is_live(d->probe.sysroot))
		return;
	for (int i = 0; i < LIBRARIES; i++) {
		const struct library_row *l = &libraries[i];

		if (library_is_here(i))
			continue;
		text_add(names, sizeof(names), ", ", "%s", l->file);
		text_add(packages, sizeof(packages), " ", "%s", l->package);
		if (!strstr(needs, l->need))
			text_add(needs, sizeof(needs), "; ", "%s%s", *needs ?
				 "" : "needed for: ", l->need);
	}
	library_cure(cure, sizeof(cure), packages);
	if (*names)
		doctor_add(d, "libraries", "warn", needs, cure, "not here: %s",
			   names);
	else
		doctor_ok(d, "libraries", "all %d that assay loads on first "
			  "use are here", LIBRARIES);
}
