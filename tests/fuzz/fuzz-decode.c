/* SPDX-License-Identifier: MIT */
/*
 * Instructions of any bytes, as the QEMU plugin decodes them: nothing behind
 * them is read, and what is said of them has a meaning.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/decode/decode.h"
#include "plugin/predict-addresses/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void need(bool true_or_bug)
{
	if (!true_or_bug)
		abort();
}

static void check(const struct decoded *d)
{
	need(d->flow < FLOWS);
	need(d->unseen >= -1 && d->unseen < TALLY_UNSEENS);
	need(d->touch <= TOUCH_ONCE);
	need(d->widest <= 256);
	/* what is not reported is no access that announces a block */
	need(d->unseen < 0 || d->touch != TOUCH_ONCE);
}

static void check_linear(const struct linear *l)
{
	need(l->base < OPERAND_REGISTERS || l->base == OPERAND_NONE);
	need(l->index < OPERAND_REGISTERS || l->index == OPERAND_NONE);
	need(l->shift <= 3);
}

static void check_operands(const struct operands *o)
{
	need(o->accesses <= OPERAND_ACCESSES && o->moves <= OPERAND_MOVES);
	for (unsigned i = 0; i < o->accesses; i++) {
		check_linear(&o->access[i].at);
		need(o->access[i].bytes && o->access[i].bytes <= 32);
	}
	for (unsigned i = 0; i < o->moves; i++) {
		check_linear(&o->move[i].value);
		need(o->move[i].to < OPERAND_REGISTERS);
	}
	need(!(o->lost >> OPERAND_REGISTERS));
}

static void check_plan(const struct operands *o)
{
	struct plan *plan = plan_new(o, 1, operands_place_x86_64);

	need(plan && plan->reaches <= OPERAND_ACCESSES);
	for (unsigned i = 0; i < plan->reaches; i++)
		need(plan->reach[i].base < 64 && plan->reach[i].index < 64 &&
		     plan->reach[i].last < 64);
	free(plan);
}

/* In memory of its own, so that a look behind it is seen. */
static void decode(const uint8_t *data, size_t bytes)
{
	unsigned char *copy = malloc(bytes ? bytes : 1);
	struct decoded d;
	struct operands o;

	need(copy);
	memcpy(copy, data, bytes);
	d = decode_x86_64(copy, bytes);
	check(&d);
	d = decode_aarch64(copy, bytes);
	check(&d);
	o = operands_x86_64(copy, bytes, 0x400000);
	check_operands(&o);
	if (o.certain)
		check_plan(&o);
	free(copy);
}

/* As long as instructions are, from every place. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	for (size_t at = 0; at < bytes; at++)
		for (size_t n = 0; n <= 15 && at + n <= bytes; n++)
			decode(data + at, n);
	return 0;
}
