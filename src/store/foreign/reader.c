/* SPDX-License-Identifier: MIT */
/* What the readers of all foreign formats share. */
#include "store/foreign/reader.h"

#include <string.h>

#include "base/text.h"

#define EXCERPT 160

void reader_unused(struct reader *r, const char *why)
{
	const char *from = r->scan.text + r->scan.from;
	char excerpt[EXCERPT + 1];
	size_t n = 0;

	r->unused++;
	for (; n < EXCERPT && from[n] && from[n] != '\n'; n++)
		excerpt[n] = from[n] >= ' ' && from[n] < 0x7f ? from[n] : '?';
	excerpt[n] = '\0';
	if (r->fn)
		r->fn(r->ctx, r->scan.number, why, excerpt);
}

int reader_add(struct reader *r, const char *place, const char *event,
	       unsigned repeat, const struct assay_count *count)
{
	const int rc = build_add(&r->build, r->scan.number, place, event,
				 repeat, count);

	if (rc == -ASSAY_ENOMEM)
		return error_set(r->scan.err, rc, "out of memory");
	if (rc)
		reader_unused(r, "its name of an event or a place is empty or "
			      "has control characters");
	return 0;
}

bool reader_has_line(const char *text, const char *begin)
{
	const size_t n = strlen(begin);

	while (text && strncmp(text, begin, n)) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text != NULL;
}
