/* SPDX-License-Identifier: MIT */
/*
 * Marks of regions for `assay sim`, for programs of any kind: this header needs
 * no library. A mark is a system call that no kernel has: natively it returns
 * an error and does nothing else.
 *
 *	assay_mark_begin("sort");
 *	sort();
 *	assay_mark_end("sort");
 *
 * Other languages call syscall(0x61737361, 1, "sort") and 2 for the end. Names
 * have 1 to 63 bytes. A region is open in the thread that begins it; a region
 * that is begun again inside itself counts once. The end of an empty name (a
 * null pointer) is that of the region begun last. Under a seccomp filter that
 * kills for unknown system calls, a program with marks is killed.
 */
#ifndef ASSAY_MARK_H
#define ASSAY_MARK_H

#include <stdint.h>

#define ASSAY_MARK_CALL 0x61737361
enum { ASSAY_MARK_ASK, ASSAY_MARK_BEGIN, ASSAY_MARK_END };

/* Not syscall(2), which sets errno. */
static inline void assay_mark_(long what, const void *with)
{
#if defined __x86_64__
	long number = ASSAY_MARK_CALL;

	__asm__ volatile("syscall" : "+a"(number) : "D"(what), "S"(with)
			 : "rcx", "r11", "memory");
#elif defined __aarch64__
	register long number __asm__("x8") = ASSAY_MARK_CALL;
	register long first __asm__("x0") = what;
	register const void *second __asm__("x1") = with;

	__asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second)
			 : "memory");
#else
	(void)what;
	(void)with;
#endif
}

static inline void assay_mark_begin(const char *name)
{
	assay_mark_(ASSAY_MARK_BEGIN, name);
}

static inline void assay_mark_end(const char *name)
{
	assay_mark_(ASSAY_MARK_END, name);
}

/* Does `assay sim` simulate this program? */
static inline int assay_mark_simulated(void)
{
	uint32_t yes = 0;

	assay_mark_(ASSAY_MARK_ASK, &yes);
	return yes != 0;
}

#endif
