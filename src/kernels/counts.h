/* SPDX-License-Identifier: MIT */
/*
 * How many instructions each piece of a counted loop has: COUNT(x86-64,
 * AArch64). A piece is a set of instructions that are executed equally often;
 * the ..._ONCE pieces are executed once per call. A call is counted from the
 * function's first instruction to its return, both included.
 *
 * The assembler checks every number against the code (IS in arch/count.h).
 * Closed forms and traces take their costs from here (struct code_term).
 */
#ifndef KERNELS_COUNTS_H
#define KERNELS_COUNTS_H

/* In C one number per enum isa; for the assembler arch/count.h defines it. */
#ifndef COUNT
#define COUNT(x86_64, aarch64) { x86_64, aarch64 }
#endif

/*
 * chase_1, _2 and _4: (LOAD * elements + STEP * elements / chains +
 * HEAD * chains + PASS) * passes + ONCE. A step loads one element per chain.
 */
#define CHASE_LOAD	COUNT(1, 1)	/* mov; ldr */
#define CHASE_STEP	COUNT(2, 2)	/* test, jne; cmp, b.ne */
#define CHASE_HEAD	COUNT(1, 1)	/* mov; mov */
#define CHASE_PASS	COUNT(2, 2)	/* dec, jne; subs, b.ne */
#define CHASE_ONCE	COUNT(1, 1)	/* ret; ret */

/*
 * random_<generator>_<dependence>: (BASE + XORSHIFT or SEQUENCE, + DEPENDENCE
 * if on) * accesses + ONCE.
 */
#define RANDOM_BASE	COUNT(5, 4)	/* mov, and, mov, dec, jne;
					 * and, ldr, subs, b.ne */
#define RANDOM_XORSHIFT	COUNT(9, 3)	/* 3 x mov, shift, xor;
					 * 3 x eor with shift */
#define RANDOM_SEQUENCE	COUNT(1, 1)	/* add; add */
#define RANDOM_DEPENDENCE COUNT(2, 2)	/* xor, add; eor, add */
#define RANDOM_ONCE	COUNT(3, 4)	/* mov, mov, ret; mov, mov, movk, ret */
/* where the address generators and the sum over the loaded data start */
#define RANDOM_XORSHIFT_START	1
#define RANDOM_SEQUENCE_START	-64
#define RANDOM_SUM_START	123456789

/* stream_run: (WRITE + READ) * ints * passes + PASS * passes + ONCE */
#define STREAM_WRITE	COUNT(4, 3)	/* mov, add, cmp, jne; str, cmp, b.ne */
#define STREAM_READ	COUNT(4, 4)	/* add, add, cmp, jne;
					 * ldr, add, cmp, b.ne */
#define STREAM_PASS	COUNT(4, 4)	/* mov, mov, dec, jne;
					 * mov, mov, subs, b.ne */
#define STREAM_ONCE	COUNT(2, 2)	/* lea, ret; add, ret */

/*
 * stride_load, _store and _update: LOAD, STORE or UPDATE * lines * offsets +
 * PASS * offsets + ONCE.
 */
#define STRIDE_LOAD	COUNT(4, 4)	/* add, add, cmp, jne;
					 * ldrb, add, cmp, b.ne */
#define STRIDE_STORE	COUNT(4, 3)	/* mov, add, cmp, jne;
					 * strb, cmp, b.ne */
#define STRIDE_UPDATE	COUNT(5, 4)	/* mov, mov, add, cmp, jne;
					 * ldrb, strb, cmp, b.ne */
#define STRIDE_PASS	COUNT(5, 5)	/* mov, inc, inc, dec, jne;
					 * mov, add, add, subs, b.ne */
#define STRIDE_ONCE	COUNT(2, 2)	/* add, ret; add, ret */

/*
 * store_plain and store_streaming: (PLAIN or STREAMING, + LINE) * lines *
 * passes + PASS * passes + ONCE. PLAIN and STREAMING are the stores that fill
 * a line.
 */
#define STORE_PLAIN	COUNT(8, 8)	/* mov of 8 bytes; str of 8 bytes */
#define STORE_STREAMING	COUNT(8, 4)	/* movnti of 8 bytes;
					 * stnp of 16 bytes */
#define STORE_LINE	COUNT(3, 3)	/* add, cmp, jne; add, cmp, b.ne */
#define STORE_PASS	COUNT(3, 3)	/* mov, dec, jne; mov, subs, b.ne */
#define STORE_ONCE	COUNT(3, 3)	/* add, sfence, ret; add, dmb, ret */

/*
 * flush_run: (FLUSH + LOAD) * lines * iterations + ITERATION * iterations +
 * ONCE
 */
#define FLUSH_FLUSH	COUNT(4, 4)	/* clflush, add, dec, jne;
					 * dc, add, subs, b.ne */
#define FLUSH_LOAD	COUNT(3, 3)	/* mov, test, jne; ldr, cmp, b.ne */
#define FLUSH_ITERATION	COUNT(6, 7)	/* mov, mov, mfence, mov, dec, jne;
					 * mov, mov, dsb, mov, isb, subs,
					 * b.ne */
#define FLUSH_ONCE	COUNT(1, 1)	/* ret; ret */

/*
 * iflush_run: FLUSH * lines * iterations + LINE * (lines - 1) * iterations +
 * ITERATION * iterations + ONCE
 */
#define IFLUSH_FLUSH	COUNT(4, 5)	/* clflush, add, dec, jne;
					 * dc, ic, add, subs, b.ne */
#define IFLUSH_LINE	COUNT(1, 1)	/* jmp; b */
#define IFLUSH_ITERATION COUNT(6, 7)	/* mov, mov, mfence, jmp, dec, jne;
					 * mov, mov, dsb, isb, br, subs, b.ne */
#define IFLUSH_ONCE	COUNT(5, 5)	/* lea, lea, shl, sub, ret;
					 * adrp, add, sub, sub, ret */
/* the chain: lines of code at most; log2 of the bytes from one to the next,
 * 256, which is more than next-line prefetchers reach */
#define IFLUSH_LINES	64
#define IFLUSH_SHIFT	8

/*
 * matmul_textbook and matmul_interchange: INNER * n^3 + (MIDDLE + ZERO) * n^2
 * + OUTER * n + ONCE. Only the interchanged loops have ZERO.
 */
#define TEXTBOOK_INNER	COUNT(7, 6)
#define TEXTBOOK_MIDDLE	COUNT(8, 8)
#define TEXTBOOK_OUTER	COUNT(5, 5)
#define TEXTBOOK_ONCE	COUNT(5, 3)
#define INTERCHANGE_INNER COUNT(7, 6)
#define INTERCHANGE_MIDDLE COUNT(6, 5)
#define INTERCHANGE_ZERO COUNT(4, 3)
#define INTERCHANGE_OUTER COUNT(7, 9)
#define INTERCHANGE_ONCE COUNT(4, 3)

/*
 * branch_count: (CHAR * chars + ONE * ones + PASS) * passes + ONCE, where
 * `ones` is how many '1' the array has.
 */
#define BRANCH_CHAR	COUNT(5, 5)	/* cmp, jne, inc, cmp, jne;
					 * ldrb, cmp, b.ne, cmp, b.ne */
#define BRANCH_ONE	COUNT(1, 1)	/* inc; add */
#define BRANCH_PASS	COUNT(3, 3)	/* mov, dec, jne; mov, subs, b.ne */
#define BRANCH_ONCE	COUNT(3, 4)	/* add, xor, ret; add, mov, mov, ret */

/*
 * icode_run: LINE * (lines - 1) * passes + PASS * passes + JUMP * (passes - 1)
 * + ONCE
 */
#define ICODE_LINE	COUNT(1, 1)	/* jmp; b */
#define ICODE_PASS	COUNT(2, 2)	/* dec, je; subs, b.eq */
#define ICODE_JUMP	COUNT(1, 1)	/* jmp; br */
#define ICODE_ONCE	COUNT(6, 6)	/* lea, dec, shl, sub, jmp, ret;
					 * adrp, add, sub, sub, br, ret */
/* the chain: lines of code at most, a multiple of a page's 64 */
#define ICODE_LINES	8192

/*
 * callret_run: LEVEL * (depth - 1) * rounds + LEAF * rounds + ROUND * rounds +
 * ONCE
 */
#define CALLRET_LEVEL	COUNT(2, 4)	/* call, ret; stp, bl, ldp, ret */
#define CALLRET_LEAF	COUNT(1, 1)	/* ret; ret */
#define CALLRET_ROUND	COUNT(3, 3)	/* call, dec, jne; blr, subs, b.ne */
#define CALLRET_ONCE	COUNT(5, 7)	/* lea, dec, shl, sub, ret;
					 * adrp, add, sub, sub, stp, ldp, ret */
#define CALLRET_DEPTH	256		/* the deepest nest of calls */

/* touch_pages: PAGE * pages + ONCE; the system call is one instruction */
#define TOUCH_PAGE	COUNT(4, 4)	/* mov, add, sub, jne;
					 * str, add, subs, b.ne */
#define TOUCH_ONCE	COUNT(4, 5)	/* mov, mov, syscall, ret;
					 * mov, mov, mov, svc, ret */

/* watch_load and watch_store: ACCESS * accesses + ONCE */
#define WATCH_ACCESS	COUNT(3, 3)	/* mov, dec, jne;
					 * ldr or str, subs, b.ne */
#define WATCH_ONCE	COUNT(1, 1)	/* ret; ret */

#endif
