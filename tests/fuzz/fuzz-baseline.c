/* SPDX-License-Identifier: MIT */
/*
 * A baseline of any bytes is refused with a place, or what was read is written
 * and read again without any change.
 */
#include "fuzz.h"

#include <stdio.h>

#include "store/baseline.h"

static char *written(const struct baseline *b, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	need(out);
	need(baseline_write(out, b, NULL) == 0);
	fclose(out);
	return text;
}

static void again(const struct baseline *b)
{
	struct baseline copy;
	size_t bytes[2];
	char *text[2] = { written(b, &bytes[0]) };

	need(baseline_parse(&copy, "f", text[0], bytes[0], NULL) == 0);
	need(copy.benchmarks == b->benchmarks);
	text[1] = written(&copy, &bytes[1]);
	need(bytes[0] == bytes[1] && !memcmp(text[0], text[1], bytes[0]));
	baseline_fini(&copy);
	free(text[0]);
	free(text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct baseline b = { .benchmarks = 0 };
	struct assay_error err = { 0 };
	char *text = malloc(bytes + 1);
	int rc;

	need(text);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	rc = baseline_parse(&b, "f", text, bytes, &err);
	need(rc <= 0);
	if (rc == 0)
		again(&b);
	else
		need(!b.benchmark && err.code == rc &&
		     strncmp(err.text, "f:", 2) == 0);
	baseline_fini(&b);
	free(text);
	return 0;
}
