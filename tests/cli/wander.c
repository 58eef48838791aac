/* SPDX-License-Identifier: MIT */
/*
 * A program of no library that wanders, always alike: blocks of code of every
 * shape that the plugin knows, for x86-64, on addresses that are aligned or
 * not, in few or many pages; and so is the code. wander ROUNDS
 */
#include <stdint.h>

enum {
	EXIT = 60, LINE = 64, PAGE = 4096, PAGES = 256,
	SHAPES = 31, COPIES = 8,
	STRIDE = 1108,		/* of shapes: they begin anywhere in a line */
	STAY = 256		/* rounds of one set of pages and of shapes */
};

static char table[(PAGES + 2) * PAGE] __attribute__((aligned(4096)));
extern const char wander_shapes[];

/* %rdi and %rsi: addresses; %rdx: at most 7; %rcx: %rsi again, but what the
 * block loads, so that QEMU reports what is accessed there. */
#define SHAPE(text) ".org at + STRIDE\nat = .\n" text "ret\n"
#define REPORTED(text) SHAPE("push %rsi\n mov (%rsp), %rcx\n" text \
			     "pop %rax\n")
__asm__(".text\n"
	".globl _start\n"
	"_start:\n"
	"	mov %rsp, %rdi\n"
	"	and $-16, %rsp\n"
	"	call begin\n"
	"	hlt\n"
	".balign 4096\n"
	"STRIDE = 1108\n"
	"wander_shapes:\n"
	"at = . - STRIDE\n"
	".rept 8\n"
	/* one line: brought by a load or a store, dirty or not */
	SHAPE("addq $1, (%rdi)\n")
	SHAPE("mov (%rdi), %rax\n mov %rax, 8(%rdi)\n")
	SHAPE("mov %rdx, (%rdi)\n mov 8(%rdi), %rax\n")
	SHAPE("mov (%rdi), %rax\n add 16(%rdi), %rax\n add 8(%rdi), %al\n")
	SHAPE("mov 8(%rdi), %eax\n movb %al, (%rdi)\n mov 4(%rdi), %ax\n")
	/* two lines, perhaps of two pages */
	SHAPE("mov 56(%rdi), %rax\n mov 64(%rdi), %rcx\n")
	SHAPE("mov 56(%rdi), %rax\n mov %rax, 64(%rdi)\n")
	SHAPE("mov 60(%rdi), %rax\n mov %rax, 60(%rdi)\n")
	SHAPE("mov %rax, 60(%rsi)\n movl $1, 64(%rsi)\n")
	SHAPE("movups 24(%rdi), %xmm0\n movups %xmm0, 60(%rdi)\n")
	/* several addresses */
	SHAPE("mov (%rdi), %rax\n mov %rax, (%rsi)\n add %rax, (%rdi)\n")
	SHAPE("push %rdi\n mov (%rdi), %rax\n add %rax, (%rsi)\n pop %rax\n"
	      "mov %rax, table(%rip)\n incb 1(%rsi)\n")
	SHAPE("incl (%rdi, %rdx, 8)\n mov (%rsi, %rdx, 2), %eax\n")
	SHAPE("mov (%rsi), %rax\n mov 8(%rdi), %rax\n incl (%rsi, %rdx)\n"
	      "mov 4(%rdi, %rdx), %al\n movzbl (%rsi), %eax\n")
	/* some that QEMU reports: before and behind others, and less than the
	 * instruction could access */
	REPORTED("incq (%rcx)\n mov %rax, 8(%rdi)\n mov 8(%rcx), %eax\n"
		 "decq 8(%rsi)\n")
	REPORTED("movzbl (%rcx), %eax\n incq (%rdi)\n mov 4(%rcx), %al\n")
	REPORTED("movq (%rcx), %xmm0\n movups (%rcx), %xmm1\n"
		 "movups %xmm1, 8(%rcx)\n")
	REPORTED("movzwl (%rcx), %eax\n")
	SHAPE("mov (%rdi), %rcx\n mov %edx, %eax\n xor %edx, %edx\n"
	      "or $1, %ecx\n div %ecx\n mov %rax, (%rsi)\n")
	SHAPE("lock addq $1, (%rdi)\n mov (%rsi), %rax\n")
	/* streaming, strings, what is not modelled */
	SHAPE("movnti %rax, (%rdi)\n mov (%rdi), %rax\n movnti %eax, (%rsi)\n")
	SHAPE("mov %edx, %ecx\n rep movsb\n mov -8(%rdi), %rax\n")
	SHAPE("prefetcht0 (%rdi)\n mov (%rsi), %rax\n")
	/* loops, and blocks that go elsewhere */
	SHAPE("1: incq (%rdi)\n testb $1, (%rdi)\n jz 2f\n incq (%rsi)\n"
	      "2: dec %edx\n jg 1b\n")
	SHAPE("1: mov (%rdi, %rdx, 8), %rax\n testb $3, %al\n jz 2f\n"
	      "inc %rax\n mov %rax, (%rsi, %rdx, 8)\n"
	      "2: dec %edx\n jg 1b\n")
	SHAPE("call 1f\n incq (%rsi)\n call 1f\n jmp 2f\n"
	      "1: push %rbx\n mov (%rdi), %rbx\n pop %rbx\n ret\n"
	      "2: decb (%rsi)\n")
	/* much code, and too much to be known ahead */
	SHAPE("mov (%rdi), %rax\n .skip 70, 0x90\n mov %rax, (%rsi)\n"
	      ".skip 50, 0x90\n incq (%rdi)\n")
	SHAPE("incq (%rdi)\n jmp 1f\n .skip 700\n 1: decq (%rdi)\n"
	      ".skip 200, 0x90\n")
	SHAPE("mov (%rdi), %rax\n .skip 300, 0x90\n movups (%rsi), %xmm0\n"
	      "movups %xmm0, 8(%rdi)\n movzbl (%rdi), %eax\n")
	SHAPE("movzbl (%rdi), %eax\n .skip 300, 0x90\n incq (%rsi)\n"
	      "movups %xmm0, (%rsi)\n movnti %eax, (%rdi)\n")
	SHAPE(".skip 300, 0x90\n jmp 1f\n 1:\n")
	".endr\n"
	".org at + STRIDE\n");

static uint64_t seed = 1;

static uint64_t draw(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (seed >> 33) % below;
}

/* What is near at the moment. */
static uint64_t pages, first_shape, shapes;

static void move(void)
{
	static const uint64_t sets[] = { 2, 5, 12, 20, 28, 40, 60, PAGES };

	pages = sets[draw(sizeof(sets) / sizeof(*sets))];
	shapes = UINT64_C(2) << draw(8);
	first_shape = draw(SHAPES * COPIES);
}

/* A page has a line that is used more than others: in most its own, in some
 * the last one, and the first in those behind. */
static char *draw_address(void)
{
	const uint64_t page = draw(pages), how = draw(8);
	const uint64_t hot = page % 4 == 0 ? 63 : page % 4 == 1 ? 0 : page * 5;
	const uint64_t line = how < 6 ? hot : draw(PAGE / LINE);
	char *at = table + page * PAGE + line % (PAGE / LINE) * LINE;

	return how == 7 ? at + draw(LINE) : how > 2 ? at + draw(4) * 8 : at;
}

/* The same one, the same of another page, or any. */
static char *draw_other(char *at)
{
	const uint64_t how = draw(8);

	return how < 2 ? at : how < 4 ?
	       table + draw(pages) * PAGE + (at - table) % PAGE :
	       draw_address();
}

static void step(void)
{
	const char *shape = wander_shapes + (first_shape + draw(shapes)) %
					    (SHAPES * COPIES) * STRIDE;
	char *at = draw_address();

	((void (*)(char *, char *, uint64_t))(uintptr_t)shape)(
		at, draw_other(at), draw(8));
}

void begin(const long *stack);
void begin(const long *stack)
{
	const char *text = stack[0] > 1 ? (const char *)stack[2] : "";
	uint64_t rounds = 0;
	long out;

	for (; *text >= '0' && *text <= '9'; text++)
		rounds = rounds * 10 + (uint64_t)(*text - '0');
	for (uint64_t i = 0; i < rounds; i++) {
		if (i % STAY == 0)
			move();
		step();
	}
	__asm__ volatile("syscall" : "=a"(out) : "0"(EXIT), "D"(0)
			 : "rcx", "r11", "memory");
}
