/* SPDX-License-Identifier: MIT */
/*
 * The board, and what start.S and the C files of the image share. `assay bare
 * build` defines these macros from a file of boards/: BOARD_NAME, BOARD_UART,
 * BOARD_UART_CLOCK (0: the firmware has set the UART up), BOARD_RAM,
 * BOARD_RAM_BYTES, BOARD_CPU_CLOCK, BOARD_SEMIHOSTING.
 */
#ifndef BARE_BOARD_H
#define BARE_BOARD_H

#include <stdint.h>

/* Exit statuses of the image. */
enum {
	DONE_STATUS = 0,
	FAILED_STATUS = 1,	/* a run failed */
	PLAN_STATUS = 2,	/* the plan is wrong: nothing was run */
	FAULT_STATUS = 99,	/* the image took an exception */
};

/* link.ld */
extern const char image_level[];	/* its address is the exception level
					 * that the image was built for */
extern unsigned char image_end[];	/* the RAM from here on is free */

/* Called by start.S. */
_Noreturn void image_main(void);
_Noreturn void image_fault(unsigned vector);

/*
 * Turns translation and caches on. The RAM, without the 2 MiB from address 0,
 * is normal memory; the 2 MiB around the UART are a device. Nothing else is
 * mapped, so an access through a wrong pointer faults.
 */
void mmu_enable(void);

void uart_init(void);
void uart_put(char c);

/* Ends the image: by a semihosting call if the board has one, or waits. */
_Noreturn void image_exit(unsigned status);

#endif
