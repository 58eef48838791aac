/* SPDX-License-Identifier: MIT */
/*
 * What the QEMU plugin knows of a block's accesses before it runs: their
 * addresses by the registers at its begin, and which it leaves to QEMU.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugin/predict-addresses/plan.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, STEPS = 8 };

static uint64_t state[64];

static void fill_state(void)
{
	for (unsigned i = 0; i < 64; i++)
		state[i] = UINT64_C(0x10000) * (i + 1);
}

/* Of instructions in hexadecimal, one an entry, up to NULL. */
static struct plan *plan_of(const char *const *insn)
{
	struct operands o[STEPS];
	unsigned char bytes[16];
	uint64_t pc = 0x400000;
	uint32_t steps = 0;
	unsigned byte;

	for (; insn[steps]; steps++) {
		const char *at = insn[steps];
		size_t n = 0;

		for (; sscanf(at, "%2x", &byte) == 1; at += 2 + (at[2] == ' '))
			bytes[n++] = (unsigned char)byte;
		o[steps] = operands_x86_64(bytes, n, pc);
		pc += n;
	}
	fill_state();
	return plan_new(o, steps, operands_place_x86_64);
}

static void expect_reach(const struct plan *plan, unsigned i, uint64_t address,
			 unsigned bytes, unsigned loads, unsigned stores)
{
	const struct reach *r = &plan->reach[i];

	assert_true(i < plan->reaches);
	assert_int_equal(reach_address(r, state), address);
	assert_int_equal(r->last + 1, bytes);
	assert_int_equal(r->loads, loads);
	assert_int_equal(r->stores, stores);
	assert_int_equal(r->accesses, loads + stores);
	assert_int_equal(r->loads_only, !stores);
}

static void stack(void **unused)
{
	static const char *const insn[] = {
		"53",			/* push %rbx */
		"48 83 ec 10",		/* sub $16, %rsp */
		"48 89 44 24 08",	/* mov %rax, 8(%rsp) */
		"e8 00 00 00 00",	/* call */
		NULL
	};
	struct plan *plan = plan_of(insn);

	(void)unused;
	assert_int_equal(plan->reaches, 1);
	assert_int_equal(plan->details->accesses, 3);
	assert_true(plan->details->simple);
	expect_reach(plan, 0, state[RSP] - 32, 32, 0, 3);
	assert_int_equal(plan->reach[0].grain, 7);
	for (unsigned i = 0; i < 4; i++)
		assert_false(plan_steps(plan)[i].direct);
	free(plan);
}

static void epilogue(void **unused)
{
	static const char *const insn[] = {
		"c9",			/* leave */
		"5b",			/* pop %rbx */
		"c3",			/* ret */
		NULL
	};
	struct plan *plan = plan_of(insn);

	(void)unused;
	assert_int_equal(plan->reaches, 1);
	expect_reach(plan, 0, state[RBP], 24, 3, 0);
	free(plan);
}

/* What is loaded says where the next one is: QEMU reports it. */
static void followed(void **unused)
{
	static const char *const insn[] = {
		"48 8b 07",		/* mov (%rdi), %rax */
		"48 83 00 01",		/* addq $1, (%rax) */
		"48 8b 57 08",		/* mov 8(%rdi), %rdx */
		"0f 10 02",		/* movups (%rdx), %xmm0 */
		"48 89 4f 10",		/* mov %rcx, 16(%rdi) */
		NULL
	};
	struct plan *plan = plan_of(insn);

	(void)unused;
	assert_int_equal(plan->reaches, 3);
	expect_reach(plan, 0, state[RDI], 8, 1, 0);
	expect_reach(plan, 1, state[RDI] + 8, 8, 1, 0);
	expect_reach(plan, 2, state[RDI] + 16, 8, 0, 1);
	assert_true(plan_steps(plan)[1].direct && plan_steps(plan)[1].certain);
	assert_true(plan_steps(plan)[3].direct && plan_steps(plan)[3].certain);
	/* reaches behind one count when it has been reported */
	assert_int_equal(plan->limit, 1);
	assert_int_equal(plan_steps(plan)[1].before, 1);
	assert_int_equal(plan_steps(plan)[1].limit, 2);
	assert_true(plan_steps(plan)[1].store);
	assert_int_equal(plan_steps(plan)[1].bytes, 8);
	assert_int_equal(plan_steps(plan)[3].limit, 3);
	assert_int_equal(plan_steps(plan)[3].bytes, 16);
	free(plan);
}

/* Behind what may end the block early, or access anything, all is direct. */
static void uncertain(void **unused)
{
	static const char *const stops[] = {
		"48 f7 f9",		/* idiv %rcx */
		"f3 a4",		/* rep movsb */
		"f0 48 83 07 01",	/* lock addq $1, (%rdi) */
		"48 87 07",		/* xchg %rax, (%rdi) */
		"48 0f ae 27",		/* xsave64 (%rdi) */
		"dd 07",		/* fldl (%rdi) */
		"48 0f a3 0f",		/* bt %rcx, (%rdi) */
		"8f 07",		/* pop (%rdi) */
		"66 50",		/* push %ax */
		"67 48 8b 07",		/* mov (%edi), %rax */
		"65 48 8b 07",		/* mov %gs:(%rdi), %rax */
		"0f e7 07",		/* movntq %mm0, (%rdi) */
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
		const char *const insn[] = { "48 8b 07", stops[i], "48 8b 16",
					     NULL };
		struct plan *plan = plan_of(insn);

		if (plan->reaches != 1 || plan_steps(plan)[1].certain ||
		    !plan_steps(plan)[1].direct || !plan_steps(plan)[2].direct ||
		    plan->limit != 1)
			fail_msg("%s is taken for certain", stops[i]);
		free(plan);
	}
}

static void sums(void **unused)
{
	static const char *const insn[] = {
		"48 8d 4c b7 08",		/* lea 8(%rdi,%rsi,4), %rcx */
		"8b 41 04",			/* mov 4(%rcx), %eax */
		"48 8b 05 10 00 00 00",		/* mov 16(%rip), %rax */
		"64 48 8b 04 25 28 00 00 00",	/* mov %fs:40, %rax */
		"48 89 fa",			/* mov %rdi, %rdx */
		"48 ff c2",			/* inc %rdx */
		"88 02",			/* mov %al, (%rdx) */
		NULL
	};
	struct plan *plan = plan_of(insn);
	const unsigned fs = operands_place_x86_64(OPERAND_FS);

	(void)unused;
	assert_int_equal(plan->reaches, 4);
	expect_reach(plan, 0, state[RDI] + 4 * state[RSI] + 12, 4, 1, 0);
	expect_reach(plan, 1, 0x400000 + 5 + 3 + 7 + 16, 8, 1, 0);
	expect_reach(plan, 2, state[fs] + 40, 8, 1, 0);
	expect_reach(plan, 3, state[RDI] + 1, 1, 0, 1);
	assert_true(plan->details->segment);
	assert_false(plan->details->simple);
	free(plan);
}

/* What no line can hold is apart, and so is what another access is between. */
static void apart(void **unused)
{
	static const char *const insn[] = {
		"48 8b 07",			/* mov (%rdi), %rax */
		"48 8b 47 40",			/* mov 64(%rdi), %rax */
		"48 8b 06",			/* mov (%rsi), %rax */
		"48 8b 47 3c",			/* mov 60(%rdi), %rax */
		"48 8b 47 41",			/* mov 65(%rdi), %rax */
		NULL
	};
	struct plan *plan = plan_of(insn);

	(void)unused;
	assert_int_equal(plan->reaches, 4);
	expect_reach(plan, 3, state[RDI] + 60, 13, 2, 0);
	/* one of them is at no multiple of its bytes, whatever the address */
	assert_int_equal(plan->reach[3].grain, 63);
	free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stack),
		cmocka_unit_test(epilogue),
		cmocka_unit_test(followed),
		cmocka_unit_test(uncertain),
		cmocka_unit_test(sums),
		cmocka_unit_test(apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
