/* SPDX-License-Identifier: MIT */
/* The points of a database into a fleet. */
#ifndef FLEET_STORED_H
#define FLEET_STORED_H

#include "database/database.h"
#include "fleet/fleet.h"

/*
 * Adds all points with their values; the other lines of the runs are left to
 * the caller. path: the node of a point that names none. Returns 0, as
 * database_each() and rows_read(), or -ASSAY_ERANGE and -ASSAY_ENOMEM without
 * words in *err.
 */
int fleet_read_points(struct fleet *fleet, struct database *db,
		      const char *path, struct assay_error *err);

#endif
