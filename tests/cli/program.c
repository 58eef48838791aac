/* SPDX-License-Identifier: MIT */
/*
 * A program of no library, so that two runs of it do the same to the last
 * access. Its argument's first letter says what it does.
 */
enum { ROUNDS = 10000, WORDS = 8192 };

static volatile long table[WORDS];
static char lines[256] __attribute__((aligned(64)));

#ifdef __x86_64__
enum { FORK = 57, EXIT = 60, WAIT = 61, KILL = 62, GETPID = 39 };

__asm__(".globl _start\n"
	"_start:\n"
	"	mov %rsp, %rdi\n"
	"	and $-16, %rsp\n"
	"	call begin\n"
	"	hlt\n");

static long call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long out;

	__asm__ volatile("syscall" : "=a"(out)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return out;
}

static void flush(const void *line)
{
	__asm__ volatile("clflush (%0)" :: "r"(line) : "memory");
}

static void prefetch(const void *line)
{
	__asm__ volatile("prefetcht0 (%0)" :: "r"(line) : "memory");
}

static long start_child(void)
{
	return call(FORK, 0, 0, 0, 0);
}
#else
enum { CLONE = 220, EXIT = 93, WAIT = 260, KILL = 129, GETPID = 172 };

__asm__(".globl _start\n"
	"_start:\n"
	"	mov x0, sp\n"
	"	bl begin\n"
	"	brk #0\n");

static long call(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc #0" : "+r"(x0)
			 : "r"(x1), "r"(x2), "r"(x3), "r"(x8) : "memory");
	return x0;
}

static void flush(const void *line)
{
	__asm__ volatile("dc civac, %0" :: "r"(line) : "memory");
}

static void prefetch(const void *line)
{
	__asm__ volatile("prfm pldl1keep, [%0]" :: "r"(line) : "memory");
}

static long start_child(void)
{
	return call(CLONE, 17, 0, 0, 0);
}
#endif

static __attribute__((noinline)) long walk(void)
{
	unsigned at = 1;

	for (long i = 0; i < ROUNDS; i++) {
		table[at % WORDS] += i;
		at = at * 1103515245 + 12345;
	}
	return 0;
}

static long cross_lines(void)
{
	for (long i = 0; i < 100; i++)
		__asm__ volatile(
#ifdef __x86_64__
			"mov (%0), %%rax" :: "r"(&lines[60]) : "rax"
#else
			"ldr x9, [%0]" :: "r"(&lines[60]) : "x9"
#endif
		);
	return 0;
}

/* Each round: two loads and two stores, of what QEMU performs in parts. */
static __attribute__((noinline)) long wide(void)
{
	long rounds = 100;

	__asm__ volatile(
#ifdef __x86_64__
		"1:	vmovdqu (%1), %%ymm0\n"
		"	vmovdqu %%ymm0, 64(%1)\n"
		"	movups 32(%1), %%xmm1\n"
		"	movups %%xmm1, 96(%1)\n"
		"	dec %0\n"
		"	jnz 1b\n"
		: "+r"(rounds) : "r"(lines)
		: "xmm0", "xmm1", "cc", "memory");
#else
		"1:	ldp x9, x10, [%1]\n"
		"	stp x9, x10, [%1, #64]\n"
		"	ldr q0, [%1, #32]\n"
		"	str q0, [%1, #96]\n"
		"	subs %0, %0, #1\n"
		"	b.ne 1b\n"
		: "+r"(rounds) : "r"(lines)
		: "x9", "x10", "v0", "cc", "memory");
#endif
	return rounds;
}

/* Element by element, though they lie side by side; and with no element. */
static __attribute__((noinline)) long by_element(void)
{
#ifdef __x86_64__
	const char *from = lines;
	char *to = lines + 128;
	long count = 50;

	__asm__ volatile("rep movsb\n"
			 "xor %%ecx, %%ecx\n"
			 "rep movsb\n"
			 "lea %3, %%rdi\n"
			 "lea 1(%%rdi), %%rsi\n"
			 "mov $50, %%ecx\n"
			 "repe cmpsb\n"
			 : "+S"(from), "+D"(to), "+c"(count)
			 : "m"(lines) : "cc", "memory");
	return count;
#else
	for (long i = 0; i < 50; i++)
		__asm__ volatile("ldrb w9, [%0]\n"
				 "strb w9, [%0, #128]\n"
				 "ldrb w9, [%0]\n"
				 "ldrb w9, [%0, #1]\n"
				 :: "r"(lines + i) : "x9", "memory");
	return 0;
#endif
}

/* Zeroes the table: on AArch64 by DC ZVA, whose address changes within a block
 * of QEMU's; on x86-64, in which there is no such instruction, by stores of as
 * many lines. */
static __attribute__((noinline)) long zero_table(void)
{
	volatile long *to = table, *end = table + WORDS;
#ifdef __x86_64__
	for (; to < end; to += 8)
		__asm__ volatile("movq $0, (%0)" :: "r"(to) : "memory");
#else
	long bytes;

	__asm__("mrs %0, dczid_el0" : "=r"(bytes));
	bytes = 4L << (bytes & 15);
	while (to < end)
		__asm__ volatile("dc zva, %0\n"
				 "add %0, %0, %1\n"
				 "dc zva, %0\n"
				 "add %0, %0, %1\n"
				 : "+r"(to) : "r"(bytes) : "memory");
#endif
	return 0;
}

static long sum;

#define TARGET(n) \
	static __attribute__((noinline)) void add_##n(void) \
	{ \
		sum += n; \
	}
TARGET(1)
TARGET(2)
TARGET(3)
TARGET(4)

static unsigned next(unsigned at)
{
	return at * 1103515245 + 12345;
}

/* One of four targets each round: by a call, ... */
static __attribute__((noinline)) long call_any(void)
{
	static void (*const target[])(void) = { add_1, add_2, add_3, add_4 };
	unsigned at = 1;

	for (long i = 0; i < ROUNDS; i++) {
		at = next(at);
		target[at >> 20 & 3]();
	}
	return 0;
}

/* ... by a jump. */
static __attribute__((noinline)) long jump_any(void)
{
	static const void *const target[] = { &&one, &&two, &&three, &&four };
	unsigned at = 1;
	long i = 0;

again:
	if (i++ == ROUNDS)
		return 0;
	at = next(at);
	goto *target[at >> 20 & 3];
one:
	sum += 1;
	goto again;
two:
	sum += 2;
	goto again;
three:
	sum += 3;
	goto again;
four:
	sum += 4;
	goto again;
}

static long unseen(void)
{
	for (int i = 0; i < 5; i++)
		flush(lines);
	for (int i = 0; i < 3; i++)
		prefetch(lines);
	return 0;
}

static long with_children(void)
{
	for (int i = 0; i < 2; i++) {
		long child = start_child();

		if (!child)
			call(EXIT, walk(), 0, 0, 0);
		call(WAIT, child, 0, 0, 0);
	}
	return 0;
}

void begin(const long *stack);
void begin(const long *stack)
{
	const char *what = stack[0] > 1 ? (const char *)stack[2] : "";
	long status = *what == 'c' ? cross_lines() :
		      *what == 'u' ? unseen() :
		      *what == 'W' ? wide() :
		      *what == 'b' ? by_element() :
		      *what == 'f' ? with_children() :
		      *what == 'z' ? zero_table() :
		      *what == 'C' ? call_any() :
		      *what == 'J' ? jump_any() :
		      *what == 'e' ? 3 : walk();

	if (*what == 'k')
		call(KILL, call(GETPID, 0, 0, 0, 0), 15, 0, 0);
	if (*what == 's')
		*(volatile char *)8 = 0;
	call(EXIT, status, 0, 0, 0);
}
