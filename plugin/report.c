/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 9 of session.h: what QEMU reports to threads that filter, or that only
 * write down (rule 11). */
#include "ahead.h"
#include "raw.h"
#include "report.h"

/* data: nothing. */
void report_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		   void *data)
{
	struct lane *lane = lane_of(vcpu);

	(void)data;
	if (!lane)
		return;
	if (lane->way & WAY_RAW)
		raw_plain(lane, info, address);
	else
		front_take(lane, info, address);
}

/* data: the instruction's struct step_info. */
void report_access_odd(unsigned vcpu, qemu_plugin_meminfo_t info,
		       uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	if (lane->way & WAY_RAW)
		raw_odd(lane, data, info, address);
	else
		front_take_part(lane, data, info, address);
}

/* data: the block. */
void report_block(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	if (filters(lane))
		ahead_run(lane, data);
	else
		raw_block(lane, data);
}

/* data: the block. */
void report_access_first(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	if (!filters(lane)) {
		raw_first(lane, data, info, address);
		return;
	}
	ahead_run(lane, data);
	take_access(lane, info, address);
}
