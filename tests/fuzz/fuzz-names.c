/* SPDX-License-Identifier: MIT */
/*
 * A file of products of any bytes is refused with a place, or each product is
 * found by its key; what differs makes a CPU of a built-in file, or is refused
 * with a place. Any text is a name to look for.
 */
#include "fuzz.h"

#include "base/text.h"
#include "cpus/cpu-read.h"
#include "cpus/names/products.h"
#include "cpus/pool.h"

static void apply(const struct product *p)
{
	struct pool *pool = pool_new();
	struct cpu *cpu = pool_get(pool, sizeof(*cpu));
	struct assay_error err = { 0 };
	struct yaml *yaml;
	int rc;

	need(cpu && !yaml_open(&yaml, "cpus", "cortex-a76", NULL, &err));
	rc = product_apply(yaml, p, &err);
	cpu->owned = pool;
	if (!rc)
		rc = cpu_read(cpu, yaml, &err);
	need(rc <= 0 && err.code == rc);
	need(!rc || *err.text);
	yaml_free(yaml);
	pool_free(pool);
}

static void check(const struct products *all)
{
	for (size_t i = 0; i < all->products; i++) {
		const struct product *p = &all->product[i];

		need(p->key && *p->title && p->year >= 1900 && p->cpu &&
		     p->name);
		need(products_keyed(all, p->key));
		need(products_find(all, p->key));
		if (p->differs)
			apply(p);
	}
}

static void look_for(const struct products *all, const uint8_t *data,
		     size_t bytes)
{
	char name[200], normal[PRODUCT_NAME];
	struct assay_error err = { 0 };

	if (bytes >= sizeof(name))
		bytes = sizeof(name) - 1;
	memcpy(name, data, bytes);
	name[bytes] = '\0';
	product_normal(normal, name);
	need(strlen(normal) < sizeof(normal));
	products_find(all, name);
	product_add_family(all, name, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct products all;
	struct assay_error err = { 0 };
	int rc = products_parse(&all, "f", (const char *)data, bytes, &err);

	need(rc <= 0);
	if (rc < 0) {
		need(err.code == rc && *err.text);
		return 0;
	}
	check(&all);
	look_for(&all, data, bytes);
	products_free(&all);
	return 0;
}
