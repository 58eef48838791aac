/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 9 of session.h: what QEMU reports of blocks without a plan. */
#include "plugin/capture/raw.h"
#include "plugin/capture/report.h"

/* data: nothing. */
void report_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		   void *data)
{
	struct lane *lane = lane_of(vcpu);

	(void)data;
	if (lane)
		raw_plain(lane, info, address);
}

/* data: the instruction's struct step_info. */
void report_access_odd(unsigned vcpu, qemu_plugin_meminfo_t info,
		       uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		raw_odd(lane, data, info, address);
}

/* data: the block. */
void report_block(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		raw_block(lane, data);
}

/* data: the block. */
void report_access_first(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		raw_first(lane, data, info, address);
}
