/* SPDX-License-Identifier: MIT */
/* Saying which library is missing; see library.h. */
#include "base/loading/library.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

const struct library_row libraries[] = {
#define X(name, file, package, need) { file, package, need, \
	"[" file " is not here: " package "]" },
#include "base/loading/libraries.def"
#undef X
};

bool library_is_here(enum library library)
{
	char why[8];

	return !load_fails(why, sizeof(why), library);
}

void library_cure(char *out, size_t room, const char *packages)
{
	if (load_is_static)
		snprintf(out, room, "use an assay that is linked dynamically");
	else
		snprintf(out, room, "apt install %s", packages);
}

void library_hint(enum library library, struct assay_error *err)
{
	struct assay_error why;

	if (library_need(library, &why))
		error_add(err, "%s", why.text);
}

int library_need(enum library library, struct assay_error *err)
{
	const struct library_row *l = &libraries[library];
	char room[400], cure[80];
	const char *why = load_fails(room, sizeof(room), library);

	if (!why)
		return 0;
	library_cure(cure, sizeof(cure), l->package);
	error_set(err, -ASSAY_EUNAVAIL, "%s is not here: %s needs it; %s",
		  l->file, l->need, cure);
	/* such as a library that this one needs in turn */
	if (strncmp(why, l->file, strlen(l->file)))
		error_add(err, "%s", why);
	return -ASSAY_EUNAVAIL;
}
