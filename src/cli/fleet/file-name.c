/* SPDX-License-Identifier: MIT */
/* %h, %r, %j, %p and %t of -o. */
#include "cli/fleet/file-name.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

enum { PART = 300 };

/* A node's name is hostile: it must not lead to another folder. */
static void plain(char *text)
{
	for (char *c = text; *c; c++)
		if (*c == '/' || *c == ' ' || (c == text && *c == '.'))
			*c = '_';
}

/* False: no such letter. */
static bool part(char out[PART], char letter, const struct launcher *l)
{
	const time_t now = time(NULL);
	struct tm utc;

	switch (letter) {
	case 'h':
		snprintf(out, PART, "%s", *l->node ? l->node : "node");
		break;
	case 'r':
		snprintf(out, PART, "%d", l->rank < 0 ? 0 : l->rank);
		break;
	case 'j':
		snprintf(out, PART, "%s", *l->job ? l->job : "none");
		break;
	case 'p':
		snprintf(out, PART, "%ld", (long)getpid());
		break;
	case 't':
		return gmtime_r(&now, &utc) &&
		       strftime(out, PART, "%Y%m%dT%H%M%SZ", &utc);
	case '%':
		snprintf(out, PART, "%%");
		break;
	default:
		return false;
	}
	plain(out);
	return true;
}

int file_name_expand(char *out, size_t room, const char *pattern,
		     const struct launcher *launcher, struct assay_error *err)
{
	size_t used = 0;

	for (const char *p = pattern; *p; p++) {
		char text[PART] = { *p };

		if (*p == '%' && !part(text, *++p, launcher)) {
			error_set(err, -ASSAY_EINVAL, "option '--output': "
				  "'%%%.1s' in '%.200s' stands for nothing", p,
				  pattern);
			error_add(err, "known: %%h node, %%r rank, %%j job, "
				  "%%p process, %%t time, %%%% a percent sign");
			return -ASSAY_EINVAL;
		}
		if (used + strlen(text) >= room)
			return error_set(err, -ASSAY_EINVAL, "option "
					 "'--output': the name is too long");
		strcpy(out + used, text);
		used += strlen(text);
	}
	out[used] = '\0';
	return 0;
}

bool file_name_is_own(const char *pattern)
{
	for (const char *p = pattern; (p = strchr(p, '%')) && p[1]; p += 2)
		if (strchr("hrp", p[1]))
			return true;
	return false;
}
