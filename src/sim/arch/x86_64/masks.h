/* SPDX-License-Identifier: MIT */
/* Masks of AVX-512. */
#ifndef SIM_ARCH_X86_64_MASKS_H
#define SIM_ARCH_X86_64_MASKS_H

/*
 * A mask that becomes a number, too. The statement holds gcc 12 off from making
 * a comparison and the wider number one instruction: if that number has no
 * register, it writes the mask's 8 or 16 bits to memory, and reads 32 or 64.
 */
#define MASK(mask) __extension__ ({ \
	__typeof__((void)0, (mask)) mask_alone = (mask); \
\
	__asm__("" : "+k"(mask_alone)); \
	mask_alone; \
})

#endif
