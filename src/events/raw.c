/* SPDX-License-Identifier: MIT */
/* rNNN: the code that goes to the core PMU, in hexadecimal. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "events/source.h"

int raw_resolve(struct encoding *out, const char *name,
		const struct events_target *target, struct assay_error *err)
{
	const size_t digits = strlen(name) - (name[0] != '\0');

	(void)target;
	if (name[0] != 'r' || digits == 0 ||
	    strspn(name + 1, "0123456789abcdefABCDEF") != digits)
		return NOT_MINE;
	if (digits > 16)
		return error_set(err, -ASSAY_ERANGE, "'%s': a raw code has at "
				 "most 16 hexadecimal digits", name);
	out->family = ENCODING_RAW;
	out->config = strtoull(name + 1, NULL, 16);
	snprintf(out->code, sizeof(out->code), "0x%llx",
		 (unsigned long long)out->config);
	return FOUND;
}

int raw_names(const struct events_target *target, event_name_fn *fn, void *ctx)
{
	static const struct event_name names[] = {
		{ "rNNN", "raw", "", "code NNN (hexadecimal) of the core PMU",
		  NULL },
		{ "mem:ADDRESS/BYTES:rw", "breakpoint", "", "accesses to one "
		  "word of memory; 'mem:watched' is the kernel's own, and "
		  "for assay stat a symbol of the program may stand for the "
		  "address", NULL },
		{ "PMU/TERM=VALUE,.../", "raw", "", "a code of any PMU in "
		  "/sys/bus/event_source/devices, field by field", NULL },
	};
	struct event_name row;
	int rc = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !rc; i++) {
		row = names[i];
		if (i == 0 && !pmu_core(target->sysroot))
			row.absent = pmu_core_absent;
		rc = fn(ctx, &row);
	}
	return rc;
}
