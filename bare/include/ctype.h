/* SPDX-License-Identifier: MIT */
/* The part of <ctype.h> that the image's sources use; ASCII only. */
#ifndef BARE_CTYPE_H
#define BARE_CTYPE_H

static inline int isdigit(int c)
{
	return c >= '0' && c <= '9';
}

static inline int toupper(int c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

static inline int tolower(int c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

#endif
