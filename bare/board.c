/* SPDX-License-Identifier: MIT */
/*
 * The board's hardware beside the PMU: address translation, the UART (a PL011,
 * Arm DDI 0183, sending only), and the image's exit.
 *
 * Virtual addresses are physical ones: 39 bits, 4 KiB granule, blocks of 2 MiB.
 * Memory is writable and executable, because baseline.c replaces instructions.
 */
#include "board.h"
#include "counters/pmuv3-sysreg.h"
#include "counters/pmuv3.h"

#define BLOCK UINT64_C(0x200000)
#define TABLE_SPAN (512 * BLOCK)	/* 1 GiB */

#define DESC_TABLE	3u
#define DESC_BLOCK	1u
#define DESC_NORMAL	(1u << 2)	/* MAIR 1 */
#define DESC_USER	(1u << 6)	/* AP[1]: RES1 at EL2 and EL3 */
#define DESC_INNER	(3u << 8)
#define DESC_ACCESSED	(1u << 10)
#define DESC_NEVER	(UINT64_C(3) << 53)	/* not executable */

#define MAIR UINT64_C(0xff00)		/* 1: write-back; 0: device nGnRnE */
/* 39 bits, table walks cached, 4 KiB */
#define TCR (UINT64_C(25) | 1u << 8 | 1u << 10 | 3u << 12)
#define SCTLR_ON (UINT64_C(1) | 1u << 2 | 1u << 12)	/* M, C, I */

/* ---- address translation ------------------------------------------------ */

struct table {
	_Alignas(4096) uint64_t entry[512];
};

static struct table top, devices, memory;

static void map(struct table *t, uint64_t address, uint64_t bits)
{
	t->entry[address % TABLE_SPAN / BLOCK] = address / BLOCK * BLOCK |
						 bits | DESC_BLOCK |
						 DESC_ACCESSED;
}

static void link(uint64_t address, struct table *t)
{
	top.entry[address / TABLE_SPAN] = (uintptr_t)t | DESC_TABLE;
}

static void fill(uint64_t common)
{
	const uint64_t ram = BOARD_RAM ? BOARD_RAM : BLOCK;
	const uint64_t end = (uint64_t)BOARD_RAM + BOARD_RAM_BYTES;

	for (uint64_t a = ram; a + BLOCK <= end; a += BLOCK)
		map(&memory, a, common | DESC_NORMAL | DESC_INNER);
	link(BOARD_RAM, &memory);
	if (BOARD_UART / TABLE_SPAN == BOARD_RAM / TABLE_SPAN) {
		map(&memory, BOARD_UART, common | DESC_NEVER);
		return;
	}
	map(&devices, BOARD_UART, common | DESC_NEVER);
	link(BOARD_UART, &devices);
}

#define SWITCH_ON(el, tcr, tlbi) do {					\
	write_sysreg(mair_el##el, MAIR);				\
	write_sysreg(tcr_el##el, TCR | (tcr));				\
	write_sysreg(ttbr0_el##el, (uintptr_t)&top);			\
	__asm__ volatile("dsb sy\n\ttlbi " tlbi "\n\tic iallu\n\t"	\
			 "dsb sy\n\tisb" ::: "memory");			\
	write_sysreg(sctlr_el##el, read_sysreg(sctlr_el##el) | SCTLR_ON); \
	sysreg_sync();							\
} while (0)

void mmu_enable(void)
{
	const uint64_t ps = 1;	/* 36 bits of physical address */

	fill(pmuv3_level() == 1 ? 0 : DESC_USER);
	switch (pmuv3_level()) {
	case 3:
		SWITCH_ON(3, UINT64_C(1) << 31 | 1u << 23 | ps << 16, "alle3");
		break;
	case 2:
		SWITCH_ON(2, UINT64_C(1) << 31 | 1u << 23 | ps << 16, "alle2");
		break;
	default:	/* only the lower half of the addresses */
		SWITCH_ON(1, 1u << 23 | ps << 32, "vmalle1");
		break;
	}
}

/* ---- UART and exit ------------------------------------------------------ */

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
