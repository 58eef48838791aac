/* SPDX-License-Identifier: MIT */
/* A matrix transposed by columns, an inlined function called at two lines, and
 * a branch that cannot be predicted. No library: all is the program's. */
enum { N = 256 };

static double from[N * N] __attribute__((aligned(4096)));
static double to[N * N] __attribute__((aligned(4096)));
static volatile unsigned seed = 1;	/* data: valgrind wants a segment of it */

void _start(void);
void a_function_whose_name_is_longer_than_any_terminal_has_room_for_beside_counts
	(void);

static inline __attribute__((always_inline)) void touch(double *p)
{
	*p += 1;
}

static __attribute__((noinline)) void transpose(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			to[j * N + i] = from[i * N + j];
}

static __attribute__((noinline)) void calls(void)
{
	for (int i = 0; i < N * N; i += 8)
		touch(&from[i]);
	for (int i = 0; i < N * N; i += 16)
		touch(&to[i]);
}

__attribute__((noinline)) void
a_function_whose_name_is_longer_than_any_terminal_has_room_for_beside_counts
	(void)
{
	unsigned x = seed;

	for (int i = 0; i < 1000; i++) {
		x = x * 1103515245 + 12345;
		if (x >> 30 & 1)
			from[i & 7] += 2;
	}
}

static __attribute__((noreturn)) void leave(void)
{
#ifdef __x86_64__
	__asm__ volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11");
#else
	register long x8 __asm__("x8") = 94, x0 __asm__("x0") = 0;

	__asm__ volatile("svc 0" : : "r"(x8), "r"(x0));
#endif
	for (;;)
		;
}

__attribute__((force_align_arg_pointer)) void _start(void)
{
	transpose();
	calls();
	a_function_whose_name_is_longer_than_any_terminal_has_room_for_beside_counts();
	leave();
}
