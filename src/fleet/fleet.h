/* SPDX-License-Identifier: MIT */
/*
 * The values of many nodes: a table of nodes by items. An item is one point of
 * a series: "chase time.ps-per-access" at "elements=4096". Its values are
 * numbers or texts. Files (read.h) and other sources fill the table through
 * the functions here; judge.h looks for nodes that differ.
 */
#ifndef FLEET_FLEET_H
#define FLEET_FLEET_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/names.h"

enum fleet_kind {
	FLEET_NUMBER,
	FLEET_EXACT,	/* a number without noise: simulated, or a setting */
	FLEET_TEXT
};

struct fleet_item {
	enum fleet_kind kind;
	uint32_t series;	/* of fleet.series */
	uint32_t point;		/* of fleet.point */
};

#define FLEET_BLOCK 64		/* items */
struct fleet_block {
	double value[FLEET_BLOCK];	/* a text's number in fleet.text */
	uint32_t count[FLEET_BLOCK];	/* 0: absent */
};

struct fleet_node {
	char *name;
	struct fleet_block **block;	/* NULL: all absent */
	size_t blocks;
	bool measured;		/* the node has a value */
	bool complete;		/* its file has its last line */
};

struct fleet {
	struct names names;	/* node's name -> number in .node */
	struct fleet_node *node;
	size_t nodes;
	struct names series, point, text, keys;	/* keys: item's number */
	struct fleet_item *item;
	unsigned disturbed;	/* records that were left out: too noisy */
};

#define FLEET_ITEMS 65536	/* at most */
#define FLEET_NODES 100000

struct fleet *fleet_new(void);	/* NULL: no memory */
void fleet_free(struct fleet *fleet);

/* The number of the node or item, which is made if it is new; -ASSAY_ENOMEM;
 * -ASSAY_ERANGE: there are too many. */
int fleet_node(struct fleet *fleet, const char *name);
int fleet_item(struct fleet *fleet, enum fleet_kind kind, const char *series,
	       const char *point);

/*
 * Adds a value. Several numbers of one node become their mean, several texts
 * "A | B". Returns 0 or -ASSAY_ENOMEM.
 */
int fleet_number(struct fleet *fleet, int node, int item, double value);
int fleet_text(struct fleet *fleet, int node, int item, const char *text);

/* Adds all values of a node to another one, and empties the former. */
int fleet_merge(struct fleet *fleet, int into, int from);

/* NAN: absent. Of a text: its number in fleet->text. */
double fleet_get(const struct fleet *fleet, size_t node, size_t item);

const char *fleet_series_name(const struct fleet *fleet, size_t item);
const char *fleet_point_name(const struct fleet *fleet, size_t item);

#endif
