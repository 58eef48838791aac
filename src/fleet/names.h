/* SPDX-License-Identifier: MIT */
/* Texts, each kept once and known by its number from 0. */
#ifndef FLEET_NAMES_H
#define FLEET_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names {
	char **name;
	uint32_t names;
	uint32_t *slot;		/* of a hash table: number + 1; 0: empty */
	size_t slots;		/* 0, or a power of 2 */
};

/* The text's number; -ASSAY_ENOMEM, also for the 2^30th text. */
int names_add(struct names *names, const char *text);
void names_fini(struct names *names);

#endif
