/* SPDX-License-Identifier: MIT */
/* UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

/* Bytes of the UTF-8 sequence at p; 0: p holds no valid sequence. */
static inline unsigned utf8_bytes(const unsigned char *p)
{
	static const struct { unsigned char low, high, n; } first[] = {
		{ 0x01, 0x7f, 1 }, { 0xc2, 0xdf, 2 }, { 0xe0, 0xef, 3 },
		{ 0xf0, 0xf4, 4 },
	};
	unsigned n = 0;

	for (unsigned i = 0; i < 4; i++)
		if (*p >= first[i].low && *p <= first[i].high)
			n = first[i].n;
	for (unsigned i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/* Bytes at p that are printable ASCII and, in a string of JSON, need no
 * escape. */
static inline unsigned utf8_plain(const unsigned char *p)
{
	unsigned n = 0;

	while (p[n] >= 0x20 && p[n] < 0x7f && p[n] != '"' && p[n] != '\\')
		n++;
	return n;
}

/*
 * The code point of the sequence of n bytes at p if a terminal or a reader of
 * text would act on the sequence instead of showing it: control characters (C1
 * too), line separators, and marks that turn the direction of writing. Else 0.
 */
static inline unsigned utf8_acts(const unsigned char *p, unsigned n)
{
	static const struct { unsigned low, high; } acting[] = {
		{ 0x01, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c },
		{ 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
		{ 0xfeff, 0xfeff },
	};
	unsigned code = n == 1 ? p[0] :
			n == 2 ? (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu) :
			n == 3 ? (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 |
				 (p[2] & 0x3fu) : 0;

	for (unsigned i = 0; i < sizeof(acting) / sizeof(*acting); i++)
		if (code >= acting[i].low && code <= acting[i].high)
			return code;
	return 0;
}

#endif
