/* SPDX-License-Identifier: MIT */
/*
 * Breakpoints, mem:ADDRESS|SYMBOL[/BYTES][:ACCESS]. Defaults as in perf: 4
 * bytes, reads and writes. The symbol "watched" is the 8-byte word that assay's
 * kernels offer to be watched. An execute breakpoint has the length of a long.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "events/resolvers.h"

enum { ACCESS_R = 1, ACCESS_W = 2, ACCESS_X = 4 };

static int bad(struct assay_error *err, const char *name, const char *why)
{
	return error_set(err, -ASSAY_EINVAL, "'%s': %s; write "
			 "mem:ADDRESS[/BYTES][:r|w|rw|x]", name, why);
}

static int parse_access(struct encoding *out, const char *text)
{
	unsigned type = 0;

	for (; *text; text++) {
		const unsigned bit = *text == 'r' ? ACCESS_R :
				     *text == 'w' ? ACCESS_W :
				     *text == 'x' ? ACCESS_X : 0;

		if (!bit || type & bit)
			return -1;
		type |= bit;
	}
	if (!type || (type & ACCESS_X && type != ACCESS_X))
		return -1;
	out->bp_type = type;
	return 0;
}

static int parse_place(struct encoding *out, const char *text)
{
	char *end;

	if (isdigit((unsigned char)*text)) {
		errno = 0;
		out->bp_addr = strtoull(text, &end, 0);
		return *end || errno ? -1 : 0;
	}
	if (!isalpha((unsigned char)*text) && *text != '_')
		return -1;
	for (const char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_.$@+", *c))
			return -1;
	text_copy(out->bp_symbol, sizeof(out->bp_symbol), text);
	return 0;
}

static uint64_t default_bytes(const struct encoding *out)
{
	if (out->bp_type == ACCESS_X)
		return sizeof(long);
	return strcmp(out->bp_symbol, "watched") ? 4 : 8;
}

int breakpoint_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err)
{
	char text[ASSAY_NAME];
	char *access, *bytes;

	(void)target;
	if (strncmp(name, "mem:", 4))
		return NOT_MINE;
	text_copy(text, sizeof(text), name + 4);
	out->family = ENCODING_BREAKPOINT;
	out->bp_type = ACCESS_R | ACCESS_W;
	access = strchr(text, ':');
	if (access)
		*access++ = '\0';
	bytes = strchr(text, '/');
	if (bytes)
		*bytes++ = '\0';
	if (access && parse_access(out, access))
		return bad(err, name, "the access is r, w, rw or x");
	if (parse_place(out, text))
		return bad(err, name, "neither an address nor a symbol");
	out->bp_len = default_bytes(out);
	if (bytes && (text_count(&out->bp_len, bytes, NULL) ||
		      out->bp_len < 1 || out->bp_len > 8))
		return bad(err, name, "a breakpoint has 1 to 8 bytes");
	snprintf(out->code, sizeof(out->code), "%.32s/%u", text,
		 (unsigned)out->bp_len);
	return FOUND;
}
