/* SPDX-License-Identifier: MIT */
/* See fixed.h. */
#include "program/fixed.h"

#include <string.h>

#include "base/text.h"

/* The model of i7-6700hq without the features that QEMU 7.2 does not emulate:
 * a feature that a later QEMU emulates stays off. */
static const char x86_64_guest[] =
	"Skylake-Client-v3,-pcid,-x2apic,-tsc-deadline,-invpcid,-rdseed,"
	"-spec-ctrl,-3dnowprefetch,-xsavec";

/* Models of QEMU that have the name of the simulated CPU; the first one stands
 * for all others. None of them has SVE. */
static const char *const aarch64_guests[] = {
	"neoverse-n1", "cortex-a72", "cortex-a76"
};

const char *fixed_guest(enum isa isa, const char *cpu_name)
{
	if (isa == ISA_X86_64)
		return x86_64_guest;
	for (size_t i = 1; i < sizeof(aarch64_guests) /
	     sizeof(*aarch64_guests); i++)
		if (cpu_name && !strcmp(aarch64_guests[i], cpu_name))
			return aarch64_guests[i];
	return aarch64_guests[0];
}

int fixed_path(char out[FIXED_PATH + 1], const char *path,
	       struct assay_error *err)
{
	const size_t n = strlen(path);

	if (n > FIXED_PATH)
		return error_set(err, -ASSAY_EUNAVAIL, "the path of '%.100s' "
				 "is longer than %d characters: its length "
				 "would change the counts", path, FIXED_PATH);
	memset(out, '/', FIXED_PATH - n);
	memcpy(out + FIXED_PATH - n, path, n + 1);
	return 0;
}
