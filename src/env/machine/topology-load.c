/* SPDX-License-Identifier: MIT */
/* hwloc on first use: it loads libudev; counting a program needs neither. */
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <hwloc/export.h>

#include "base/loading/load.h"

FORWARD(HWLOC, int, -1, hwloc_topology_init, (hwloc_topology_t *out),
	(out))
FORWARD(HWLOC, int, -1, hwloc_topology_load, (hwloc_topology_t topology),
	(topology))
FORWARD_VOID(HWLOC, hwloc_topology_destroy, (hwloc_topology_t topology),
	     (topology))
FORWARD(HWLOC, int, -1, hwloc_topology_set_icache_types_filter,
	(hwloc_topology_t topology, enum hwloc_type_filter_e filter),
	(topology, filter))
FORWARD(HWLOC, int, HWLOC_TYPE_DEPTH_UNKNOWN, hwloc_get_type_depth,
	(hwloc_topology_t topology, hwloc_obj_type_t type), (topology, type))
FORWARD(HWLOC, hwloc_obj_t, NULL, hwloc_get_obj_by_depth,
	(hwloc_topology_t topology, int depth, unsigned index),
	(topology, depth, index))
FORWARD(HWLOC, int, -1, hwloc_topology_set_synthetic,
	(hwloc_topology_t topology, const char *description),
	(topology, description))
FORWARD(HWLOC, int, -1, hwloc_topology_export_synthetic,
	(hwloc_topology_t topology, char *out, size_t room,
	 unsigned long flags), (topology, out, room, flags))
FORWARD(HWLOC, unsigned, 0, hwloc_get_nbobjs_by_depth,
	(hwloc_topology_t topology, int depth), (topology, depth))
FORWARD(HWLOC, int, 0, hwloc_cpukinds_get_nr,
	(hwloc_topology_t topology, unsigned long flags), (topology, flags))
FORWARD(HWLOC, int, -1, hwloc_bitmap_first,
	(hwloc_const_bitmap_t bitmap), (bitmap))
FORWARD(HWLOC, int, 0, hwloc_bitmap_weight,
	(hwloc_const_bitmap_t bitmap), (bitmap))
FORWARD(HWLOC, int, 0, hwloc_bitmap_list_snprintf,
	(char *out, size_t room, hwloc_const_bitmap_t bitmap),
	(out, room, bitmap))
