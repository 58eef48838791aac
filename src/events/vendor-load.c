/* SPDX-License-Identifier: MIT */
/*
 * libpfm4 on first use: the loader would have to adjust the 46 000 pointers of
 * its tables at every start, and most runs name no vendor's event.
 */
#include <perfmon/pfmlib.h>

#include "base/loading/load.h"

FORWARD(PFM, pfm_err_t, PFM_ERR_NOTSUPP, pfm_initialize, (void), ())
FORWARD(PFM, pfm_err_t, PFM_ERR_NOTSUPP, pfm_get_pmu_info,
	(pfm_pmu_t pmu, pfm_pmu_info_t *output), (pmu, output))
FORWARD(PFM, int, -1, pfm_get_event_next, (int index), (index))
FORWARD(PFM, pfm_err_t, PFM_ERR_NOTSUPP, pfm_get_event_info,
	(int index, pfm_os_t os, pfm_event_info_t *output),
	(index, os, output))
FORWARD(PFM, pfm_err_t, PFM_ERR_NOTSUPP, pfm_get_event_attr_info,
	(int index, int attribute, pfm_os_t os,
	 pfm_event_attr_info_t *output),
	(index, attribute, os, output))
FORWARD(PFM, pfm_err_t, PFM_ERR_NOTSUPP, pfm_get_os_event_encoding,
	(const char *text, int level, pfm_os_t os, void *arguments),
	(text, level, os, arguments))
