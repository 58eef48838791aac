/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By Zydis, narrowed to what QEMU's translator is known to do access by access;
 * ASSAY_CHECK_ADDRESSES (session.h) proves it.
 */
#include <Zydis/Zydis.h>

#include "plugin/predict-addresses/operands.h"

enum { RSP = 4, RBP = 5 };

struct x86 {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t pc;
};

unsigned operands_place_x86_64(unsigned reg)
{
	/* regs[16], 7 words of flags, segs[] of 3 words each */
	enum { SEGMENTS = 23, EACH = 3, BASE = 1, FS = 4 };

	return reg == OPERAND_FS ? SEGMENTS + FS * EACH + BASE : reg;
}

/* OPERAND_NONE: none of those that addresses are made of. */
static uint8_t number_of(ZydisRegister reg)
{
	const ZydisRegister wide = ZydisRegisterGetLargestEnclosing(
		ZYDIS_MACHINE_MODE_LONG_64, reg);

	return wide >= ZYDIS_REGISTER_RAX && wide <= ZYDIS_REGISTER_R15 ?
	       (uint8_t)(wide - ZYDIS_REGISTER_RAX) : OPERAND_NONE;
}

static bool is_whole(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       o->reg.value >= ZYDIS_REGISTER_RAX &&
	       o->reg.value <= ZYDIS_REGISTER_R15;
}

static bool is_memory(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       o->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

/* ---- addresses ---------------------------------------------------------- */

static bool add_segment(struct linear *out, ZydisRegister segment)
{
	if (segment != ZYDIS_REGISTER_FS)
		return segment != ZYDIS_REGISTER_GS;
	if (out->index != OPERAND_NONE)
		return false;
	out->index = OPERAND_FS;
	return true;
}

static bool is_address_register(ZydisRegister reg)
{
	return reg == ZYDIS_REGISTER_NONE ||
	       (reg >= ZYDIS_REGISTER_RAX && reg <= ZYDIS_REGISTER_R15);
}

/* false: in a way that is left out. */
static bool address_of(struct linear *out, const struct x86 *x,
		       const ZydisDecodedOperand *o, bool segment)
{
	const bool relative = o->mem.base == ZYDIS_REGISTER_RIP;
	uint64_t end = x->pc + x->insn.length;

	*out = (struct linear){
		.offset = o->mem.disp.has_displacement ?
			  (uint64_t)o->mem.disp.value : 0,
		.base = OPERAND_NONE, .index = OPERAND_NONE
	};
	if (x->insn.address_width != 64 ||
	    (!relative && !is_address_register(o->mem.base)) ||
	    !is_address_register(o->mem.index))
		return false;
	if (relative)
		out->offset += end;
	else
		out->base = number_of(o->mem.base);
	if (o->mem.index != ZYDIS_REGISTER_NONE) {
		out->index = number_of(o->mem.index);
		out->shift = (uint8_t)__builtin_ctz(o->mem.scale);
	}
	return !segment || add_segment(out, o->mem.segment);
}

static void add_access(struct operands *out, struct linear at, unsigned bytes,
		       bool store)
{
	out->access[out->accesses++] = (struct operand_access){
		at, (uint16_t)bytes, store
	};
}

static struct linear behind(uint8_t reg, int64_t offset)
{
	return (struct linear){ (uint64_t)offset, reg, OPERAND_NONE, 0 };
}

static void move(struct operands *out, uint8_t to, struct linear value)
{
	out->move[out->moves].to = to;
	out->move[out->moves++].value = value;
}

/* ---- kinds of instructions ---------------------------------------------- */

/* SSE and AVX whose operand in memory is one access of its own width. */
static bool is_plain_vector(ZydisMnemonic m)
{
	switch (m) {
#define BOTH(name) case ZYDIS_MNEMONIC_##name: case ZYDIS_MNEMONIC_V##name:
	BOTH(MOVAPS) BOTH(MOVAPD) BOTH(MOVUPS) BOTH(MOVUPD)
	BOTH(MOVDQA) BOTH(MOVDQU) BOTH(MOVD) BOTH(MOVQ)
	BOTH(MOVSS) BOTH(MOVSD)
	BOTH(ADDSS) BOTH(ADDSD) BOTH(SUBSS) BOTH(SUBSD)
	BOTH(MULSS) BOTH(MULSD) BOTH(DIVSS) BOTH(DIVSD)
	BOTH(UCOMISS) BOTH(UCOMISD) BOTH(COMISS) BOTH(COMISD)
	BOTH(PAND) BOTH(POR) BOTH(PXOR) BOTH(PADDD) BOTH(PADDQ)
	BOTH(PCMPEQB) BOTH(PCMPEQD) BOTH(PMINUB)
	BOTH(ADDPD) BOTH(ADDPS) BOTH(MULPD) BOTH(MULPS)
#undef BOTH
	case ZYDIS_MNEMONIC_MOVLPS:
	case ZYDIS_MNEMONIC_MOVHPS:
	case ZYDIS_MNEMONIC_MOVLPD:
	case ZYDIS_MNEMONIC_MOVHPD:
		return true;
	default:
		return false;
	}
}

static bool is_division(ZydisMnemonic m)
{
	return m == ZYDIS_MNEMONIC_DIV || m == ZYDIS_MNEMONIC_IDIV;
}

/* Of general registers: what its operand in memory says, it does. */
static bool is_plain(const struct x86 *x)
{
	switch (x->insn.meta.category) {
	case ZYDIS_CATEGORY_BINARY:
		return !is_division(x->insn.mnemonic);
	case ZYDIS_CATEGORY_LOGICAL:
	case ZYDIS_CATEGORY_SETCC:
	case ZYDIS_CATEGORY_CMOV:
		return x->insn.meta.isa_ext == ZYDIS_ISA_EXT_BASE;
	case ZYDIS_CATEGORY_DATAXFER:
		switch (x->insn.mnemonic) {
		case ZYDIS_MNEMONIC_MOV:
		case ZYDIS_MNEMONIC_MOVZX:
		case ZYDIS_MNEMONIC_MOVSX:
		case ZYDIS_MNEMONIC_MOVSXD:
			return true;
		default:
			return false;
		}
	default:
		return false;
	}
}

/* Can it end early, or do what its operands do not say? */
static bool is_harmless(const struct x86 *x)
{
	switch (x->insn.meta.category) {
	case ZYDIS_CATEGORY_BINARY:
		return !is_division(x->insn.mnemonic);
	case ZYDIS_CATEGORY_LOGICAL:
	case ZYDIS_CATEGORY_SHIFT:
	case ZYDIS_CATEGORY_ROTATE:
	case ZYDIS_CATEGORY_SETCC:
	case ZYDIS_CATEGORY_CMOV:
	case ZYDIS_CATEGORY_BITBYTE:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_CONVERT:
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_FLAGOP:
	case ZYDIS_CATEGORY_LOGICAL_FP:
	case ZYDIS_CATEGORY_SSE:
	case ZYDIS_CATEGORY_AVX:
	case ZYDIS_CATEGORY_AVX2:
	case ZYDIS_CATEGORY_BMI1:
	case ZYDIS_CATEGORY_BMI2:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_CET:
		return true;
	default:
		return x->insn.mnemonic == ZYDIS_MNEMONIC_LEA;
	}
}

/* No access of those that have an operand in memory. */
static bool only_names_memory(const struct x86 *x)
{
	return x->insn.meta.category == ZYDIS_CATEGORY_NOP ||
	       x->insn.meta.category == ZYDIS_CATEGORY_WIDENOP ||
	       x->insn.meta.category == ZYDIS_CATEGORY_PREFETCH ||
	       x->insn.mnemonic == ZYDIS_MNEMONIC_LEA;
}

static bool has_prefix(const struct x86 *x)
{
	return x->insn.attributes & (ZYDIS_ATTRIB_HAS_LOCK |
	       ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
	       ZYDIS_ATTRIB_HAS_REPNE);
}

static bool uses_special_register(const struct x86 *x)
{
	for (unsigned i = 0; i < x->insn.operand_count_visible; i++)
		if (x->operand[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
			switch (ZydisRegisterGetClass(x->operand[i].reg.value)) {
			case ZYDIS_REGCLASS_SEGMENT:
			case ZYDIS_REGCLASS_CONTROL:
			case ZYDIS_REGCLASS_DEBUG:
			case ZYDIS_REGCLASS_TEST:
				return true;
			default:
				break;
			}
	return false;
}

/* ---- the stack ---------------------------------------------------------- */

/* The operand in memory beside the stack's, of PUSH and CALL; none: NULL. */
static const ZydisDecodedOperand *visible_memory(const struct x86 *x)
{
	for (unsigned i = 0; i < x->insn.operand_count_visible; i++)
		if (is_memory(&x->operand[i]))
			return &x->operand[i];
	return NULL;
}

static bool push(struct operands *out, const struct x86 *x)
{
	const ZydisDecodedOperand *memory = visible_memory(x);
	struct linear from;

	if (memory) {
		if (!address_of(&from, x, memory, true))
			return false;
		add_access(out, from, 8, false);
	}
	add_access(out, behind(RSP, -8), 8, true);
	move(out, RSP, behind(RSP, -8));
	return true;
}

static bool pop(struct operands *out, const struct x86 *x)
{
	if (visible_memory(x))
		return false;
	add_access(out, behind(RSP, 0), 8, false);
	move(out, RSP, behind(RSP, 8));
	if (x->insn.mnemonic == ZYDIS_MNEMONIC_RET)
		return x->insn.operand_count_visible == 0;
	if (!is_whole(&x->operand[0]) || number_of(x->operand[0].reg.value) ==
	    RSP)
		return false;
	out->lost |= UINT64_C(1) << number_of(x->operand[0].reg.value);
	return true;
}

static bool leave(struct operands *out)
{
	add_access(out, behind(RBP, 0), 8, false);
	move(out, RSP, behind(RBP, 8));
	out->lost |= UINT64_C(1) << RBP;
	return true;
}

/* false: it is none of them, or one that is left out. */
static bool use_stack(struct operands *out, const struct x86 *x)
{
	switch (x->insn.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_CALL:
		return x->insn.operand_width == 64 &&
		       x->insn.meta.branch_type != ZYDIS_BRANCH_TYPE_FAR &&
		       !uses_special_register(x) && push(out, x);
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_RET:
		return x->insn.operand_width == 64 &&
		       x->insn.meta.branch_type != ZYDIS_BRANCH_TYPE_FAR &&
		       pop(out, x);
	case ZYDIS_MNEMONIC_LEAVE:
		return x->insn.operand_width == 64 && leave(out);
	default:
		return false;
	}
}

/* ---- all others --------------------------------------------------------- */

/* What goes into a register, where that can be told. */
static bool known_value(struct linear *out, const struct x86 *x)
{
	const ZydisDecodedOperand *o = x->operand;
	const bool number = o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
	const uint8_t to = number_of(o[0].reg.value);

	switch (x->insn.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		if (number)
			*out = behind(OPERAND_NONE, o[1].imm.value.s);
		else if (is_whole(&o[1]))
			*out = behind(number_of(o[1].reg.value), 0);
		return number || is_whole(&o[1]);
	case ZYDIS_MNEMONIC_LEA:
		return address_of(out, x, &o[1], false);
	case ZYDIS_MNEMONIC_ADD:
		*out = behind(to, number ? o[1].imm.value.s : 0);
		return number;
	case ZYDIS_MNEMONIC_SUB:
		*out = behind(to, number ? -o[1].imm.value.s : 0);
		return number;
	case ZYDIS_MNEMONIC_INC:
		*out = behind(to, 1);
		return true;
	case ZYDIS_MNEMONIC_DEC:
		*out = behind(to, -1);
		return true;
	default:
		return false;
	}
}

static void write_registers(struct operands *out, const struct x86 *x)
{
	struct linear value;

	if (is_whole(&x->operand[0]) && known_value(&value, x)) {
		move(out, number_of(x->operand[0].reg.value), value);
		return;
	}
	for (unsigned i = 0; i < x->insn.operand_count; i++) {
		const ZydisDecodedOperand *o = &x->operand[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
		    number_of(o->reg.value) != OPERAND_NONE)
			out->lost |= UINT64_C(1) << number_of(o->reg.value);
	}
}

/* Its one operand in memory; false: left out. */
static bool access_memory(struct operands *out, const struct x86 *x,
			  const ZydisDecodedOperand *o)
{
	const bool cmov = x->insn.meta.category == ZYDIS_CATEGORY_CMOV;
	const bool odd = o->actions & (ZYDIS_OPERAND_ACTION_CONDREAD |
				       ZYDIS_OPERAND_ACTION_CONDWRITE);
	const unsigned bytes = o->size / 8;
	struct linear at;

	if ((odd && !cmov) || !bytes || bytes > 32 ||
	    !address_of(&at, x, o, true))
		return false;
	if (cmov || o->actions & ZYDIS_OPERAND_ACTION_READ)
		add_access(out, at, bytes, false);
	if (o->actions & ZYDIS_OPERAND_ACTION_WRITE)
		add_access(out, at, bytes, true);
	return true;
}

static bool do_others(struct operands *out, const struct x86 *x)
{
	const ZydisDecodedOperand *memory = NULL;

	if (uses_special_register(x))
		return false;
	for (unsigned i = 0; i < x->insn.operand_count; i++) {
		if (!is_memory(&x->operand[i]))
			continue;
		if (memory)
			return false;
		memory = &x->operand[i];
	}
	if (memory && !only_names_memory(x)) {
		const bool jump = x->insn.mnemonic == ZYDIS_MNEMONIC_JMP;

		if (!is_plain(x) && !is_plain_vector(x->insn.mnemonic) &&
		    !jump)
			return false;
		if (!access_memory(out, x, memory))
			return false;
	}
	if (!is_harmless(x))
		return false;
	write_registers(out, x);
	return true;
}

static bool begin(ZydisDecoder *decoder)
{
	return ZYAN_SUCCESS(ZydisDecoderInit(decoder,
					     ZYDIS_MACHINE_MODE_LONG_64,
					     ZYDIS_STACK_WIDTH_64));
}

static bool decode(struct x86 *x, const unsigned char *p, size_t bytes)
{
	ZydisDecoder decoder;

	return begin(&decoder) &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, p, bytes,
						   &x->insn, x->operand));
}

bool operands_cut_x86_64(const unsigned char *p, size_t bytes)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	return begin(&decoder) &&
	       ZydisDecoderDecodeInstruction(&decoder, NULL, p, bytes, &insn) ==
	       ZYDIS_STATUS_NO_MORE_DATA;
}

struct operands operands_x86_64(const unsigned char *p, size_t bytes,
				uint64_t pc)
{
	struct x86 x = { .pc = pc };
	struct operands out = { .certain = false };

	if (!decode(&x, p, bytes) || x.insn.length != bytes || has_prefix(&x))
		return out;
	out.certain = use_stack(&out, &x);
	if (!out.certain) {
		out = (struct operands){ .certain = false };
		switch (x.insn.mnemonic) {
		case ZYDIS_MNEMONIC_PUSH:
		case ZYDIS_MNEMONIC_CALL:
		case ZYDIS_MNEMONIC_POP:
		case ZYDIS_MNEMONIC_RET:
		case ZYDIS_MNEMONIC_LEAVE:
			return out;
		default:
			out.certain = do_others(&out, &x);
		}
	}
	return out;
}
