/* SPDX-License-Identifier: MIT */
/* What start.S calls, and the image's exit statuses. */
#ifndef BARE_IMAGE_H
#define BARE_IMAGE_H

enum {
	DONE_STATUS = 0,
	FAILED_STATUS = 1,	/* a run could not be done */
	PLAN_STATUS = 2,	/* the plan is wrong: nothing was run */
	FAULT_STATUS = 99,
};

_Noreturn void image_main(void);
_Noreturn void image_fault(unsigned vector);

#endif
