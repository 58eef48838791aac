/* SPDX-License-Identifier: MIT */
/* An assay-ci.yaml of any bytes is refused with a place, or all that a run
 * needs is in it. */
#include "fuzz.h"

#include "ci/file.h"

static void check(const struct ci_file *f)
{
	need(f->benchmarks > 0);
	for (size_t i = 0; i < f->benchmarks; i++) {
		const struct ci_benchmark *b = &f->benchmark[i];

		need(*b->name && strlen(b->name) < CI_NAME);
		need(b->word[0] && b->status >= 0 && b->status <= 255);
		need(b->budgets > 0 && b->budgets <= CI_BUDGETS);
		need(!b->from || !b->region);
		for (size_t j = 0; j < b->budgets; j++) {
			need(b->budget[j].quantity < ASSAY_QUANTITIES);
			need(b->budget[j].limit.by >= 0);
			need(b->budget[j].layouts >= 1 &&
			     b->budget[j].layouts <= CI_LAYOUTS);
		}
	}
	for (char *const *v = f->environment; *v; v++)
		need(strchr(*v, '=') && strncmp(*v, "LD_", 3));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const struct assay_ci ci = { .layouts = 0 };
	struct ci_file f;
	struct assay_error err = { 0 };
	int rc = ci_file_parse(&f, "f", (const char *)data, bytes, &ci, &err);

	need(rc <= 0);
	if (rc == 0)
		check(&f);
	else
		need(!f.benchmark && err.code == rc &&
		     strncmp(err.text, "f:", 2) == 0);
	ci_file_fini(&f);
	return 0;
}
