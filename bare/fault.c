/* SPDX-License-Identifier: MIT */
/* An exception ends the image: its registers are printed as a "fault" line. */
#include <stdbool.h>

#include "board.h"
#include "counters/pmuv3-sysreg.h"
#include "counters/pmuv3.h"
#include "line.h"

static bool seen;

/* ESR_ELx.EC, Arm DDI 0487 D17.2.37 */
static const char *class_name(unsigned class)
{
	switch (class) {
	case 0x00: return "undefined instruction";
	case 0x07: return "floating point is trapped";
	case 0x0e: return "illegal execution state";
	case 0x15: return "svc";
	case 0x16: return "hvc";
	case 0x17: return "smc";
	case 0x18: return "trapped system register";
	case 0x20: case 0x21: return "instruction abort";
	case 0x22: return "misaligned pc";
	case 0x24: case 0x25: return "data abort";
	case 0x26: return "misaligned stack";
	case 0x2f: return "SError";
	case 0x3c: return "brk";
	}
	return "other exception";
}

struct syndrome {
	uint64_t esr, elr, far;
};

static struct syndrome syndrome(void)
{
	switch (pmuv3_level()) {
	case 3:
		return (struct syndrome){ read_sysreg(esr_el3),
			read_sysreg(elr_el3), read_sysreg(far_el3) };
	case 2:
		return (struct syndrome){ read_sysreg(esr_el2),
			read_sysreg(elr_el2), read_sysreg(far_el2) };
	}
	return (struct syndrome){ read_sysreg(esr_el1), read_sysreg(elr_el1),
				  read_sysreg(far_el1) };
}

_Noreturn void image_fault(unsigned vector)
{
	struct syndrome s = syndrome();

	if (seen)	/* while printing a fault */
		image_exit(FAULT_STATUS);
	seen = true;
	uart_put('\r');
	uart_put('\n');
	line_begin("fault");
	line_text("what", vector & 3 ? "interrupt or SError" :
				       class_name(s.esr >> 26 & 63));
	line_number("vector", vector);
	line_number("level", pmuv3_level());
	line_hex("esr", s.esr);
	line_hex("elr", s.elr);
	line_hex("far", s.far);
	line_end();
	image_exit(FAULT_STATUS);
}
