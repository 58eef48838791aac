/* SPDX-License-Identifier: MIT */
/*
 * A target that fails on what the driver must be able to make: a byte changed,
 * bytes lost, bytes added, two seeds joined. Its first four bytes say which.
 * With a sanitizer "leak" loses a block of memory, and "kept" must be no leak.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static size_t occurrences(const uint8_t *data, size_t bytes, uint8_t c)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += data[i] == c;
	return n;
}

static int is(const char *kind, const uint8_t *data, size_t bytes)
{
	return bytes >= 4 && memcmp(data, kind, 4) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	size_t zeros = occurrences(data, bytes, '0');
	static void *once;
	int planted = 0;

	void *volatile lost = NULL;

	if (is("leak", data, bytes) && zeros < 8 && !lost)
		lost = malloc(4);
	if (is("kept", data, bytes) && !once)
		once = malloc(4);
	if (is("flip", data, bytes))	/* seed "flip00000000" */
		planted = bytes == 12 && zeros < 8;
	else if (is("cut:", data, bytes))	/* seed "cut:00000000" */
		planted = bytes < 10;
	else if (is("more", data, bytes))	/* seed "more00000000" */
		planted = zeros > 8;
	else if (is("join", data, bytes))	/* seeds "joinA", "otherB" */
		planted = occurrences(data, bytes, 'B') > 0;
	if (planted)
		abort();
	return 0;
}
