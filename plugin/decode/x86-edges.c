/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <Zydis/Zydis.h>

#include "plugin/decode/x86-edges.h"

static bool begin(ZydisDecoder *decoder)
{
	return ZYAN_SUCCESS(ZydisDecoderInit(decoder,
					     ZYDIS_MACHINE_MODE_LONG_64,
					     ZYDIS_STACK_WIDTH_64));
}

bool x86_is_cut(const unsigned char *p, size_t bytes)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	return begin(&decoder) &&
	       ZydisDecoderDecodeInstruction(&decoder, NULL, p, bytes, &insn) ==
	       ZYDIS_STATUS_NO_MORE_DATA;
}

bool x86_stores(const unsigned char *p, size_t bytes)
{
	const ZydisInstructionAttributes prefixes = ZYDIS_ATTRIB_HAS_LOCK |
		ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
		ZYDIS_ATTRIB_HAS_REPNE;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	if (!begin(&decoder) ||
	    !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, p, bytes, &insn,
						 operand)) ||
	    insn.length != bytes || insn.attributes & prefixes)
		return false;
	for (unsigned i = 0; i < insn.operand_count; i++)
		if (operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    operand[i].actions & ZYDIS_OPERAND_ACTION_WRITE)
			return true;
	return false;
}
