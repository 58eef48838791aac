/* SPDX-License-Identifier: MIT */
/* Opening and closing the library. */
#include "api/handle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "env/env.h"

const char *assay_version(void)
{
	return ASSAY_VERSION;
}

static bool is_folder(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

int assay_open(struct assay **out, const struct assay_options *options,
	       struct assay_error *err)
{
	struct assay *a = calloc(1, sizeof(*a));
	int rc;

	if (!a)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	a->sysroot = "/";
	if (options && options->sysroot)
		a->sysroot = options->sysroot;
	a->data_dir = options ? options->data_dir : NULL;
	a->cert_dir = options ? options->cert_dir : NULL;
	if (options && options->sysroot && !is_folder(options->sysroot)) {
		free(a);
		return error_set(err, -ASSAY_ENOENT, "no folder is called "
				 "'%.200s', so no machine is below it",
				 options->sysroot);
	}
	rc = env_machine(&a->machine, a->sysroot, err);
	if (rc < 0) {
		free(a);
		return rc;
	}
	*out = a;
	return 0;
}

void assay_close(struct assay *assay)
{
	free(assay);
}
