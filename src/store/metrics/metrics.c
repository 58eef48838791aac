/* SPDX-License-Identifier: MIT */
/* Reading other tools' metrics: which kind, limits, memory. */
#include "store/metrics/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_json(const char *text, size_t bytes)
{
	const size_t blanks = strspn(text, " \t\r\n");

	return blanks < bytes && (text[blanks] == '[' || text[blanks] == '{');
}

int metrics_parse(struct metric_list *out, const char *file, const char *text,
		  size_t bytes, struct assay_error *err)
{
	char *copy = malloc(bytes + 1);
	int rc;

	*out = (struct metric_list){ .title = "" };
	if (!copy)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	if (strlen(copy) != bytes) {
		free(copy);
		return error_set(err, -ASSAY_EPARSE, "%.200s: the text holds "
				 "NUL bytes", file);
	}
	if (is_json(copy, bytes)) {
		rc = metrics_perf(out, file, copy, bytes, err);
		free(copy);
	} else {
		out->owned = copy;
		rc = metrics_likwid(out, file, copy, err);
	}
	if (rc == 0 && !out->items)
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' holds no "
			       "metrics: neither objects with MetricName and "
			       "MetricExpr, nor a METRICS section", file);
	if (rc < 0)
		metrics_fini(out);
	return rc;
}

static int read_all(char **out, size_t *bytes, FILE *in, const char *path,
		    struct assay_error *err)
{
	char *text = malloc(METRICS_BYTES + 1);
	int rc;

	if (!text)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	*bytes = fread(text, 1, METRICS_BYTES + 1, in);
	if (ferror(in) || *bytes > METRICS_BYTES) {
		rc = ferror(in) ? error_read(err, path) : 0;
		free(text);
		return rc ? rc : 
		       error_set(err, -ASSAY_ERANGE, "'%.200s' is larger than "
				 "%u MiB", path, METRICS_BYTES >> 20);
	}
	*out = text;
	return 0;
}

int metrics_read(struct metric_list *out, const char *path,
		 struct assay_error *err)
{
	FILE *in = !strcmp(path, "-") ? stdin : fopen(path, "re");
	char *text = NULL;
	size_t bytes = 0;
	int rc;

	if (!in)
		return error_read(err, path);
	rc = read_all(&text, &bytes, in, path, err);
	if (in != stdin)
		fclose(in);
	if (rc == 0)
		rc = metrics_parse(out, path, text, bytes, err);
	free(text);
	return rc;
}
