/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an instruction accesses memory, and what it does to the registers that
 * addresses are made of, from its bytes.
 */
#ifndef PLUGIN_PREDICT_ADDRESSES_OPERANDS_H
#define PLUGIN_PREDICT_ADDRESSES_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Registers: those of the instruction set by number, ... */
#define OPERAND_REGISTERS 17
enum {
	OPERAND_FS = 16,	/* the base of that segment */
	OPERAND_NONE = 255		/* 0 */
};

/* base + (index << shift) + offset, of what is in them before. */
struct linear {
	uint64_t offset;
	uint8_t base, index;	/* or OPERAND_NONE */
	uint8_t shift;
};

struct operand_access {
	struct linear at;
	uint16_t bytes;		/* in all, if QEMU performs it in parts */
	bool store;
};

#define OPERAND_ACCESSES 2
#define OPERAND_MOVES 2

struct operands {
	/* It performs these accesses, each time, in this order, and nothing
	 * but one of them can end it early. Without it the rest says nothing. */
	bool certain;
	unsigned accesses, moves;
	struct operand_access access[OPERAND_ACCESSES];
	/* Registers that it gives a value made of others, all at once. */
	struct { uint8_t to; struct linear value; } move[OPERAND_MOVES];
	uint64_t lost;		/* bit per register: it changes otherwise */
};

/* The registers' places in QEMU's state of a CPU, in words of 8 bytes from
 * what the generated code's own register points to. */
unsigned operands_place_x86_64(unsigned reg);

/* Are these only the first bytes of an instruction? */
bool operands_cut_x86_64(const unsigned char *p, size_t bytes);

struct operands operands_x86_64(const unsigned char *p, size_t bytes,
				uint64_t pc);
#endif
