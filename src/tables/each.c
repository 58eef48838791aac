/* SPDX-License-Identifier: MIT */
/* Reads the tables that a caller names, and groups their places by machine. */
#include "tables/each.h"

#include <string.h>

#include "base/text.h"

static const char *base_name(const char *path, size_t *n)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	*n = strlen(name);
	if (*n > 4 && !strcmp(name + *n - 4, ".csv"))
		*n -= 4;
	return name;
}

int tables_check(const struct assay_tables *ask, struct assay_error *err)
{
	for (size_t i = 0; i < ask->paths; i++)
		for (size_t j = 0; j < i; j++) {
			size_t n, m;
			const char *a = base_name(ask->path[i], &n);
			const char *b = base_name(ask->path[j], &m);

			if (n == m && !memcmp(a, b, n))
				return error_set(err, -ASSAY_EINVAL, "two "
						 "tables are called '%.*s': "
						 "'%.200s' and '%.200s'",
						 (int)n, a, ask->path[j],
						 ask->path[i]);
		}
	return 0;
}

int tables_read(const struct assay_tables *ask, size_t index,
		struct table **out, struct assay_error *err)
{
	const struct table_reading reading = {
		ask->map, ask->experiment,
		(const struct table_setting *)ask->set, ask->sets,
	};

	return table_read(out, ask->path[index], &reading, err);
}

static int each_machine(const struct table *table, bool named,
			tables_machine_fn *fn, void *ctx,
			struct assay_error *err)
{
	struct table_places all;
	int rc = table_places(&all, &table->input);
	char name[400];
	size_t to;

	if (rc)
		return error_set(err, rc, "out of memory");
	for (size_t from = 0; from < all.places && !rc; from = to) {
		const struct table_place *place = &all.place[from];

		to = table_machine_end(&all, from);
		table_machine_name(name, sizeof(name), named ||
				   !*place->row[0]->machine ? table->name : "",
				   place);
		rc = fn(ctx, &(struct table_machine){ name, place, to - from },
			err);
	}
	table_places_free(&all);
	return rc;
}

int tables_machines(const struct assay_tables *ask, tables_machine_fn *fn,
		    void *ctx, struct assay_error *err)
{
	int rc = tables_check(ask, err);

	for (size_t i = 0; i < ask->paths && !rc; i++) {
		struct table *table;

		rc = tables_read(ask, i, &table, err);
		if (rc)
			break;
		rc = each_machine(table, ask->paths > 1, fn, ctx, err);
		table_free(table);
	}
	return rc;
}
