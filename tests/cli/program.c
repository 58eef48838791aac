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

static long walk(void)
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
		      *what == 'f' ? with_children() :
		      *what == 'e' ? 3 : walk();

	if (*what == 'k')
		call(KILL, call(GETPID, 0, 0, 0, 0), 15, 0, 0);
	call(EXIT, status, 0, 0, 0);
}
