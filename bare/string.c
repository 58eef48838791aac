/* SPDX-License-Identifier: MIT */
/* String functions for the image, which has no C library. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

size_t strlen(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

int strncmp(const char *a, const char *b, size_t most)
{
	for (; most && *a && *a == *b; most--) {
		a++;
		b++;
	}
	return most ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}

int strncasecmp(const char *a, const char *b, size_t most)
{
	while (most && *a &&
	       tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
		most--;
		a++;
		b++;
	}
	return most ? tolower((unsigned char)*a) - tolower((unsigned char)*b) :
		      0;
}

int strcasecmp(const char *a, const char *b)
{
	return strncasecmp(a, b, (size_t)-1);
}

char *strchr(const char *text, int c)
{
	for (; *text != (char)c; text++)
		if (!*text)
			return NULL;
	return (char *)text;
}

size_t strcspn(const char *text, const char *stops)
{
	size_t n = 0;

	while (text[n] && !strchr(stops, text[n]))
		n++;
	return n;
}
