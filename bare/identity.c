/* SPDX-License-Identifier: MIT */
/* Names by implementer and part number: the cores' reference manuals. */
#include "identity.h"

#include <stdio.h>

static const struct { uint64_t implementer, part; const char *name; }
cores[] = {
	{ 0x41, 0xd03, "cortex-a53" }, { 0x41, 0xd04, "cortex-a35" },
	{ 0x41, 0xd05, "cortex-a55" }, { 0x41, 0xd07, "cortex-a57" },
	{ 0x41, 0xd08, "cortex-a72" }, { 0x41, 0xd09, "cortex-a73" },
	{ 0x41, 0xd0a, "cortex-a75" }, { 0x41, 0xd0b, "cortex-a76" },
	{ 0x41, 0xd0c, "neoverse-n1" }, { 0x41, 0xd40, "neoverse-v1" },
	{ 0x41, 0xd4f, "neoverse-v2" }, { 0x46, 0x001, "a64fx" },
};

void identity_name(char *out, size_t room, uint64_t midr)
{
	for (size_t i = 0; i < sizeof(cores) / sizeof(*cores); i++) {
		if (cores[i].implementer != (midr >> 24 & 0xff) ||
		    cores[i].part != (midr >> 4 & 0xfff))
			continue;
		snprintf(out, room, "%s", cores[i].name);
		return;
	}
	snprintf(out, room, "midr-0x%08x", (unsigned)midr);
}
