/* SPDX-License-Identifier: MIT */
/* Words, numbers and sizes as people write them. */
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool text_equal(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

void text_copy(char *out, size_t room, const char *text)
{
	size_t n = strlen(text);

	if (!room)
		return;
	if (n >= room)
		n = room - 1;
	memmove(out, text, n);
	out[n] = '\0';
}

/* The shift of a size suffix (K, KiB, M ...); -1: no known suffix. */
static int suffix_shift(const char *suffix)
{
	static const char letters[] = "KMGT";
	const char *letter;

	if (!*suffix)
		return 0;
	letter = strchr(letters, toupper((unsigned char)*suffix));
	if (!letter)
		return text_equal(suffix, "B") ? 0 : -1;
	if (suffix[1] && !text_equal(suffix + 1, "iB"))
		return -1;
	return 10 * (int)(letter - letters + 1);
}

int text_count(uint64_t *out, const char *text, struct assay_error *err)
{
	const char *p = text;
	uint64_t value = 0;
	int shift;

	if (!*p)
		return error_set(err, -ASSAY_EINVAL, "a number is missing");
	if (!isdigit((unsigned char)*p))
		return error_set(err, -ASSAY_EINVAL,
				 "'%.60s' is not a whole number", text);
	for (; isdigit((unsigned char)*p); p++) {
		unsigned digit = *p - '0';

		if (value > (UINT64_MAX - digit) / 10)
			return error_set(err, -ASSAY_ERANGE,
					 "'%.60s' is too large", text);
		value = value * 10 + digit;
	}
	p += *p == ' ' && p[1];
	shift = suffix_shift(p);
	if (shift < 0)
		return error_set(err, -ASSAY_EINVAL,
				 "'%.60s' is not a number with K, M, G or T",
				 text);
	if (value > UINT64_MAX >> shift)
		return error_set(err, -ASSAY_ERANGE, "'%.60s' is too large",
				 text);
	*out = value << shift;
	return 0;
}

void text_bytes(char *out, size_t room, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	unsigned unit = 0;

	while (unit < 4 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	snprintf(out, room, "%llu %s", (unsigned long long)bytes, units[unit]);
}

void text_about_bytes(char *out, size_t room, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	unsigned unit = 0;

	while (unit < 4 && bytes >= 999.5) {
		bytes /= 1024;
		unit++;
	}
	snprintf(out, room, "%.3g %s", bytes, units[unit]);
}

void text_groups(char *out, size_t room, uint64_t value)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu",
			 (unsigned long long)value);
	size_t used = 0;

	for (int i = 0; i < n && used + 2 < room; i++) {
		if (i && (n - i) % 3 == 0)
			out[used++] = ' ';
		out[used++] = digits[i];
	}
	if (room)
		out[used] = '\0';
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

unsigned text_distance(const char *a, const char *b)
{
	enum { LONGEST = 255 };
	unsigned row[3][LONGEST + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return text_equal(a, b) ? 0 : 255;
	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3];
		unsigned *before = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			int x = tolower((unsigned char)a[i - 1]);
			int y = tolower((unsigned char)b[j - 1]);

			now[j] = least(now[j - 1] + 1, last[j] + 1,
				       last[j - 1] + (x != y));
			if (i > 1 && j > 1 && x != y &&
			    x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]))
				now[j] = least(now[j], before[j - 2] + 1, 255);
		}
	}
	return row[n % 3][m];
}

const char *text_nearest(const char *word, const char *const *words)
{
	const char *best = NULL;
	size_t n = strlen(word);
	unsigned nearest = n < 5 ? 1 : (unsigned)(n + 1) / 3;

	for (; *words; words++) {
		unsigned distance = text_distance(word, *words);

		if (distance < nearest || (!best && distance == nearest)) {
			nearest = distance;
			best = *words;
		}
	}
	return best;
}

bool text_part(const char *word, const char *text)
{
	const size_t n = strlen(word);

	for (; n >= 3 && strlen(text) >= n; text++)
		if (strncasecmp(text, word, n) == 0)
			return true;
	return false;
}

bool text_item(const char **list, char *out, size_t room)
{
	size_t n;

	if (!*list || !**list)
		return false;
	n = strcspn(*list, ",");
	snprintf(out, room, "%.*s", (int)n, *list);
	*list += n + ((*list)[n] == ',');
	return true;
}

void text_add(char *out, size_t room, const char *between, const char *format,
	      ...)
{
	size_t used = strlen(out);
	va_list args;

	if (used)
		used += (size_t)snprintf(out + used, room - used, "%s",
					 between);
	if (used >= room)
		return;
	va_start(args, format);
	vsnprintf(out + used, room - used, format, args);
	va_end(args);
}

void text_join(char *out, size_t room, const char *const *words,
	       const char *between)
{
	out[0] = '\0';
	for (; *words; words++)
		if (**words)
			text_add(out, room, between, "%s", *words);
}

bool error_meant(struct assay_error *err, const char *word,
		 const char *const *words)
{
	const char *near = text_nearest(word, words);

	if (near)
		error_add(err, "did you mean '%s'?", near);
	return near != NULL;
}

int error_unknown(struct assay_error *err, const char *what, const char *word,
		  const char *const *words, const char *hint)
{
	error_set(err, -ASSAY_ENOENT, "unknown %s '%.60s'", what, word);
	error_meant(err, word, words);
	error_add(err, "%s", hint);
	return -ASSAY_ENOENT;
}
