/* SPDX-License-Identifier: MIT */
/*
 * The board. The macros come from a file of boards/, by the compiler's command
 * line: BOARD_NAME, BOARD_UART, BOARD_UART_CLOCK (0: the firmware has set the
 * UART up), BOARD_RAM, BOARD_RAM_BYTES, BOARD_CPU_CLOCK, BOARD_SEMIHOSTING.
 */
#ifndef BARE_BOARD_H
#define BARE_BOARD_H

#include <stdint.h>

/* start.S: the exception level that the image was built for. */
extern const char image_level[];	/* its address is the number */
/* link.ld */
extern unsigned char image_end[];	/* what is used of the RAM */

/*
 * Translation and caches on: RAM from its first whole 2 MiB after address 0 is
 * normal memory, the 2 MiB around the UART are a device; nothing else is
 * mapped, so a wild pointer faults.
 */
void mmu_enable(void);

void uart_init(void);
void uart_put(char c);

/* The image is over: semihosting's exit where there is one, else rest. */
_Noreturn void image_exit(unsigned status);

#endif
