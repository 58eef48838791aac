/* SPDX-License-Identifier: MIT */
/*
 * What the readers of all trace formats share: the input, the stream of access
 * records that a reader makes of it, and the count of what such a stream cannot
 * carry.
 */
#ifndef STORE_TRACES_STREAM_H
#define STORE_TRACES_STREAM_H

#include "store/traces/input.h"
#include "store/traces/trace.h"

struct trace_stream {
	struct trace_input in;
	struct access_trace out;
	struct trace_summary *summary;
	uint64_t pc;		/* of the current instruction */
	uint64_t pc_sent;	/* the last one that the sink got */
};

/*
 * Per format: trace_NAME_begins() tells whether a trace begins like that
 * format, trace_NAME_read() reads the trace: 0 or an error.
 */
#define TRACE_READER(id, name, ...) \
	bool trace_##name##_begins(const unsigned char *data, size_t bytes); \
	int trace_##name##_read(struct trace_stream *s);
TRACES(TRACE_READER, , )
#undef TRACE_READER

/*
 * The 48 bits of an address that a record holds. False: the upper 16 bits are
 * neither 0 nor copies of bit 47.
 */
bool trace_address(uint64_t address, uint64_t *out);

/*
 * The window of 2^k bytes that touches the same lines as the `bytes` >= 1 at
 * *address (rule 2 of trace.h). Returns k and moves *address; adds a note if
 * more than 64 bytes were cut.
 */
unsigned trace_window(struct trace_stream *s, uint64_t *address,
		      uint64_t bytes);

void trace_put(struct trace_stream *s, uint64_t record);

/* Puts an instruction of that many bytes at pc. */
void trace_instruction(struct trace_stream *s, uint64_t pc, uint64_t bytes);
/* Puts a PC record unless the sink got that pc last. */
void trace_place(struct trace_stream *s);
/* Puts a load, store ... by the current instruction. */
void trace_access(struct trace_stream *s, enum access_kind kind,
		  uint64_t address, uint64_t bytes);

/* Adds 1 to the note of that static phrase. */
void trace_skipped(struct trace_stream *s, const char *what);

#endif
