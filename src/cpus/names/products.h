/* SPDX-License-Identifier: MIT */
/*
 * The names under which people buy CPUs (data/names/FAMILY.yaml): which CPU
 * file describes a product, and what differs from that file. docs/cpu-file.md
 * documents the schema.
 */
#ifndef CPUS_PRODUCTS_H
#define CPUS_PRODUCTS_H

#include "cpus/yaml.h"

struct product {
	const char *key;	/* "graviton4" */
	const char *title;	/* "AWS Graviton4" */
	const char *family;	/* the name of its file */
	unsigned year;		/* of its first sale */
	const char *const *cpu;	/* CPU files, NULL-terminated: the core that is
				 * simulated first; empty: none describes the
				 * product */
	const char *const *name;	/* patterns of further names */
	const struct yaml *yaml;	/* its file */
	const struct yaml_node *differs;	/* PATH: FACT; or NULL */
};

struct products {
	struct product *product;
	size_t products, room;
	struct family *family;	/* the files */
	void *owned;
};

/* Reads all files, sorted by name. Returns 0, or the error of a bad file. */
int products_load(struct products *out, const char *data_dir,
		  struct assay_error *err);
void products_free(struct products *products);

/* Parses the text of one file; file is its name in messages. */
int products_parse(struct products *out, const char *file, const char *text,
		   size_t bytes, struct assay_error *err);

/* The product with that key; NULL: none. */
const struct product *products_keyed(const struct products *products,
				     const char *key);

/*
 * The product with that key, else the first with a pattern that the name fits.
 * "Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz" and "i7 8550u" are one name. NULL:
 * none.
 */
const struct product *products_find(const struct products *products,
				    const char *name);

enum { PRODUCT_NAME = 64 };

/* The name as patterns are written: "i7-8550u". */
void product_normal(char out[PRODUCT_NAME], const char *name);

/*
 * Puts what differs into the tree of the product's CPU file, with the sources
 * that it cites. Returns 0, -ASSAY_EPARSE, -ASSAY_ENOMEM.
 */
int product_apply(struct yaml *cpu, const struct product *product,
		  struct assay_error *err);

/*
 * Adds to the error which CPU files the family has that a name seems to belong
 * to: its letters, up to the first other character, begin a product's name.
 */
void product_add_family(const struct products *products, const char *name,
			struct assay_error *err);

/*
 * -ASSAY_ENOENT: no CPU file describes the product; the nearest of its family
 * by year. `name` is what the user typed.
 */
int product_undescribed(const struct products *products,
			const struct product *product, const char *name,
			const char *data_dir, struct assay_error *err);

#endif
