/* SPDX-License-Identifier: MIT */
/* Files of many nodes into a fleet: lines of -j, databases, certificates. */
#ifndef FLEET_READ_H
#define FLEET_READ_H

#include "assay/error.h"
#include "assay/record.h"
#include "fleet/fleet.h"

/*
 * Adds a file, all files NAME.jsonl and NAME.json of a folder, a run in the
 * database by its number, or a database with all its runs. A record names its
 * node by "node", else by "machine.host"; other rows belong to the node of the
 * records in the same file, or of its row "rank"; without both, the file's name
 * is the node's. Returns 0; as input_load(), rows_read(), database_read() and
 * certificate_read(); -ASSAY_ERANGE: too many nodes or items.
 */
int fleet_read(struct fleet *fleet, const char *path, struct assay_error *err);

/* Adds what one record of a node holds: machine and settings; counts, time and
 * truth, unless the record is disturbed; or both. Return 0, -ASSAY_ENOMEM or
 * -ASSAY_ERANGE. */
int fleet_add_surroundings(struct fleet *fleet, int node,
			   const struct assay_record *record);
int fleet_add_values(struct fleet *fleet, int node,
		     const struct assay_record *record);
int fleet_add_record(struct fleet *fleet, int node,
		     const struct assay_record *record);

#endif
