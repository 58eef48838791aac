/* SPDX-License-Identifier: MIT */
/* assay_formulas_import: another tool's metrics as a formula file. */
#include <ctype.h>
#include <string.h>

#include "analysis/import/import.h"
#include "run/handle.h"
#include "base/text.h"
#include "store/metrics/metrics.h"

/* "…/SKL-metrics.json" -> "skl-metrics" */
static void file_name(char out[ASSAY_NAME], const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *from = slash ? slash + 1 : path;
	size_t n = 0;

	for (; *from && *from != '.' && n < ASSAY_NAME - 1; from++)
		out[n++] = isalnum((unsigned char)*from) ?
			   (char)tolower((unsigned char)*from) : '-';
	out[n] = '\0';
	if (strspn(out, "-") == n)
		text_copy(out, ASSAY_NAME, "imported");
}

int assay_formulas_import(struct assay *assay, const char *path,
			  const char *pattern, const char *cpu, char **text,
			  assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct metric_list list;
	struct cpu *file = NULL;
	char name[ASSAY_NAME];
	int rc = cpu ? cpu_load(&file, cpu, assay->data_dir, err) : 0;

	if (rc < 0)
		return rc;
	rc = metrics_read(&list, path, err);
	if (rc == 0) {
		file_name(name, path);
		rc = formulas_import(text, &list, name, pattern, file, fn, ctx,
				     err);
		metrics_fini(&list);
	}
	cpu_free(file);
	return rc;
}
