/* SPDX-License-Identifier: MIT */
/*
 * What the readers of all trace formats share: an input, the stream that they
 * make of it, and the count of what it cannot carry.
 */
#ifndef STORE_TRACES_STREAM_H
#define STORE_TRACES_STREAM_H

#include "store/traces/input.h"
#include "store/traces/trace.h"

struct trace_stream {
	struct trace_input in;
	struct access_trace out;
	struct trace_summary *summary;
	uint64_t pc, pc_sent;	/* of the current instruction; as the sink
				 * knows it */
};

/*
 * Of each format: does a trace begin like this? And reading all of a trace: 0
 * or an error.
 */
#define TRACE_READER(id, name, ...) \
	bool trace_##name##_begins(const unsigned char *data, size_t bytes); \
	int trace_##name##_read(struct trace_stream *s);
TRACES(TRACE_READER, , )
#undef TRACE_READER

/*
 * The 48 bits of an address that a record keeps: all of it, or of a canonical
 * one whose upper half is a copy of bit 47. false: it does not fit.
 */
bool trace_address(uint64_t address, uint64_t *out);

/*
 * The window of 2^k bytes that touches the same lines as the bytes given (1 at
 * least): see rule 2 of trace.h. Returns k and moves *address; counts a note if
 * more than 64 bytes had to be cut.
 */
unsigned trace_window(struct trace_stream *s, uint64_t *address,
		      uint64_t bytes);

void trace_put(struct trace_stream *s, uint64_t record);

/* An instruction of that many bytes at pc. */
void trace_instruction(struct trace_stream *s, uint64_t pc, uint64_t bytes);
/* Tells the sink where the instruction is that the next record belongs to. */
void trace_place(struct trace_stream *s);
/* A load, store ... by the current instruction. */
void trace_access(struct trace_stream *s, enum access_kind kind,
		  uint64_t address, uint64_t bytes);

/* Counts what was left out, by a static phrase. */
void trace_skipped(struct trace_stream *s, const char *what);

#endif
