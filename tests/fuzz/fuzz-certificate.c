/* SPDX-License-Identifier: MIT */
/*
 * A certificate of any bytes is refused with a place, or what was read is
 * written and read again without any change.
 */
#include "fuzz.h"

#include <stdio.h>

#include "store/certificate.h"

static char *written(const struct certificate *c, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	need(out);
	need(certificate_write(out, c, NULL) == 0);
	fclose(out);
	return text;
}

static void again(const struct certificate *c)
{
	struct certificate copy;
	size_t bytes[2];
	char *text[2] = { written(c, &bytes[0]) };

	need(certificate_parse(&copy, "f", text[0], bytes[0], NULL) == 0);
	need(copy.events == c->events && copy.files == c->files);
	text[1] = written(&copy, &bytes[1]);
	need(bytes[0] == bytes[1] && !memcmp(text[0], text[1], bytes[0]));
	certificate_fini(&copy);
	free(text[0]);
	free(text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct certificate c = { .events = 0 };
	struct assay_error err = { 0 };
	char *text = malloc(bytes + 1);
	int rc;

	need(text);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	rc = certificate_parse(&c, "f", text, bytes, &err);
	need(rc <= 0);
	if (rc == 0)
		again(&c);
	else
		need(!c.event && !c.file && err.code == rc &&
		     strncmp(err.text, "f:", 2) == 0);
	certificate_fini(&c);
	free(text);
	return 0;
}
