/* SPDX-License-Identifier: MIT */
/* The PL011, sending only (Arm DDI 0183). */
#include "board.h"

enum { DR = 0x00, FR = 0x18, IBRD = 0x24, FBRD = 0x28, LCRH = 0x2c, CR = 0x30 };
#define FR_TXFF	(1u << 5)	/* no room to send */
#define FR_BUSY	(1u << 3)
#define BAUD 115200u

static volatile uint32_t *at(unsigned offset)
{
	return (volatile uint32_t *)((uintptr_t)BOARD_UART + offset);
}

void uart_init(void)
{
	uint32_t divisor = (uint32_t)(BOARD_UART_CLOCK * UINT64_C(4) / BAUD);

	if (!BOARD_UART_CLOCK)
		return;
	*at(CR) = 0;
	*at(IBRD) = divisor >> 6;
	*at(FBRD) = divisor & 63;
	*at(LCRH) = 3u << 5 | 1u << 4;	/* 8 bits, FIFOs */
	*at(CR) = 1u << 8 | 1;		/* send */
}

void uart_put(char c)
{
	while (*at(FR) & FR_TXFF)
		;
	*at(DR) = (unsigned char)c;
}

_Noreturn void image_exit(unsigned status)
{
	uint64_t block[2] = { 0x20026, status };
	register uint64_t operation __asm__("x0") = 0x18;
	register void *argument __asm__("x1") = block;

	while (*at(FR) & FR_BUSY)
		;
	if (BOARD_SEMIHOSTING)
		__asm__ volatile("hlt #0xf000" : "+r"(operation)
				 : "r"(argument) : "memory");
	for (;;)
		__asm__ volatile("wfe");
}
