/* SPDX-License-Identifier: MIT */
/* CPU files kept in memory; see cpu-files.h. */
#include "cpus/cpu-files.h"

#include <stdlib.h>

#include "base/text.h"
#include "cpus/data-file.h"

struct cpu_files {
	const char *data_dir;
	const char **names;	/* NULL-terminated; NULL: not listed yet */
	struct cpu **cpu;	/* of each name; NULL: not read yet */
};

struct cpu_files *cpu_files_new(const char *data_dir)
{
	struct cpu_files *files = calloc(1, sizeof(*files));

	if (files)
		files->data_dir = data_dir;
	return files;
}

void cpu_files_free(struct cpu_files *files)
{
	for (size_t i = 0; files && files->cpu && files->names[i]; i++)
		cpu_free(files->cpu[i]);
	if (files) {
		free(files->names);
		free(files->cpu);
	}
	free(files);
}

static int list(struct cpu_files *files, struct assay_error *err)
{
	size_t n = 0;
	int rc = files->names ? 0 :
		 data_file_names(&files->names, "cpus", files->data_dir, err);

	while (!rc && files->names[n])
		n++;
	if (!rc && !files->cpu)
		files->cpu = calloc(n + 1, sizeof(*files->cpu));
	return rc ? rc : files->cpu ? 0 : error_memory(err);
}

int cpu_files_each(struct cpu_files *files, cpu_fn *fn, void *ctx,
		   struct assay_error *err)
{
	int rc = list(files, err);

	for (size_t i = 0; !rc && files->names[i]; i++) {
		if (!files->cpu[i])
			rc = cpu_load(&files->cpu[i], files->names[i],
				      files->data_dir, err);
		if (!rc)
			rc = fn(ctx, files->cpu[i]);
	}
	return rc;
}
