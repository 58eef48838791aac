/* SPDX-License-Identifier: MIT */
/* Traces: what each format becomes, round trips, and what is refused. */
#define _GNU_SOURCE	/* memfd_create */
#include "check.h"
#include "draw.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "store/traces/assay.h"
#include "store/traces/stream.h"

enum { MOST = 1 << 17 };

/* A sink that keeps everything; a pass mark is kept as kind 15. */
struct kept {
	uint64_t record[MOST];
	size_t records;
	uint64_t skip;		/* what pass() answers, once */
};

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	struct kept *k = ctx;

	assert_true(k->records + records <= MOST);
	memcpy(k->record + k->records, record, records * sizeof(*record));
	k->records += records;
}

static uint64_t pass(void *ctx, uint64_t left)
{
	struct kept *k = ctx;
	uint64_t skip = k->skip;

	assert_true(k->records < MOST);
	k->record[k->records++] = UINT64_C(15) << 60 | left;
	k->skip = 0;
	return skip;
}

/* A file of those bytes that is gone with the process. */
static const char *file_of(const void *data, size_t bytes)
{
	static char path[64];
	static int fd = -1;

	if (fd >= 0)
		close(fd);
	fd = memfd_create("trace", 0);
	assert_true(fd >= 0);
	assert_true(write(fd, data, bytes) == (ssize_t)bytes);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static struct kept kept;
static struct trace_summary summary;
static struct assay_error err;

static unsigned pieces = ~0u;	/* until it is stopped */

static bool stopped(void *ctx)
{
	(void)ctx;
	return !pieces--;
}

static int read_bytes(const void *data, size_t bytes, enum trace_format format)
{
	const struct access_sink sink = {
		.ctx = &kept, .feed = feed, .pass = pass,
	};
	const struct trace_stop stop = { .stopped = stopped };
	int rc;

	kept.records = 0;
	memset(&summary, 0, sizeof(summary));
	memset(&err, 0, sizeof(err));
	rc = trace_read(file_of(data, bytes), format, &sink, &stop, &summary,
			&err);
	if (rc < 0)	/* it is untouched */
		assert_int_equal(summary.records + summary.notes, 0);
	return rc;
}

static int read_text(const char *text, enum trace_format format)
{
	return read_bytes(text, strlen(text), format);
}

static void assert_records(const uint64_t *want, size_t records)
{
	assert_int_equal(kept.records, records);
	for (size_t i = 0; i < records; i++)
		assert_int_equal(kept.record[i], want[i]);
}

#define R(kind, log2, operand) access_pack(ACCESS_##kind, log2, 0, operand)
#define ASSERT_RECORDS(...) do { \
	const uint64_t want_[] = { __VA_ARGS__ }; \
	assert_records(want_, sizeof(want_) / sizeof(*want_)); \
} while (0)

/* The message, with the file's name left out. */
static void assert_message(const char *want)
{
	const char *colon = strchr(err.text, ':');

	assert_non_null(colon);
	assert_string_equal(colon, want);
}

static void din_becomes_records(void **state)
{
	(void)state;
	assert_int_equal(read_text("2 400000\n0 7FfE1000 4 extra\n\n"
				   "\t1\t0X7ffe1008\r\n3 0\n4 0\n2 400004",
				   TRACE_DIN), 0);
	ASSERT_RECORDS(R(FETCH, 0, 0x400000), R(RETIRE, 0, 1),
		       R(PC, 0, 0x400000), R(LOAD, 0, 0x7ffe1000),
		       R(STORE, 0, 0x7ffe1008), R(FETCH, 0, 0x400004),
		       R(RETIRE, 0, 1));
	assert_int_equal(summary.records, 6);
	assert_int_equal(summary.notes, 1);
	assert_int_equal(summary.note[0].count, 2);
	assert_string_equal(summary.note[0].what,
			    "escape records (labels 3 and 4)");
}

static void canonical_addresses_fit(void **state)
{
	(void)state;
	assert_int_equal(read_text("0 ffffffff81000000\n0 7fffffffffff\n",
				   TRACE_DIN), 0);
	ASSERT_RECORDS(R(LOAD, 0, 0xffff81000000), R(LOAD, 0, 0x7fffffffffff));
}

static void din_refuses(void **state)
{
	static const struct { const char *text, *message; } bad[] = {
		{ "5 1000\n", ":1:1: error: a label from 0 to 4 must stand "
		  "here: 0 read, 1 write, 2 fetch\n5 1000\n^" },
		{ "0 10\n01000\n", ":2:2: error: a blank must follow the label"
		  "\n01000\n ^" },
		{ "/ 1\n", ":1:1: error: a label from 0 to 4 must stand "
		  "here: 0 read, 1 write, 2 fetch\n/ 1\n^" },
		{ "0 1g\n", ":1:4: error: a blank or the end of the line must "
		  "follow the address\n0 1g\n   ^" },
		{ "0 xyz\n", ":1:3: error: an address in hexadecimal must "
		  "stand here\n0 xyz\n  ^" },
		{ "0", ":1:2: error: a blank must follow the label\n0\n ^" },
		{ "0 0x\n", ":1:4: error: a blank or the end of the line must "
		  "follow the address\n0 0x\n   ^" },
		{ "0 12345678123456789\n", ":1:3: error: the address has more "
		  "than 64 bits\n0 12345678123456789\n  ^" },
		{ "0 1000000000000\n", ":1:3: error: the address needs more "
		  "than 48 bits\n0 1000000000000\n  ^" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(read_text(bad[i].text, TRACE_DIN),
				 -ASSAY_EPARSE);
		assert_message(bad[i].message);
	}
}

static void longerlines_and_zero_bytes(void **state)
{
	char text[6000];

	(void)state;
	memset(text, ' ', sizeof(text));
	text[4096] = '\n';
	text[4097] = '0';
	text[4099] = '1';
	assert_int_equal(read_bytes(text, 4100, TRACE_DIN), 0);
	ASSERT_RECORDS(R(LOAD, 0, 1));
	text[4096] = ' ';
	assert_int_equal(read_bytes(text, sizeof(text), TRACE_DIN),
			 -ASSAY_EPARSE);
	assert_non_null(strstr(err.text,
			       ":1:4097: error: the line has more than 4096"));
	assert_int_equal(read_bytes("0 1\n0 \0 2\n", 10, TRACE_DIN),
			 -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, ":2:3: error: a zero byte"));
}

static void lackey_becomes_records(void **state)
{
	(void)state;
	assert_int_equal(read_text("==12== Lackey\n--12-- a warning\n"
				   "**12** new client\nI  04001090,3\n"
				   " S 1ffeffe7be,4\n M 0421b8b8,8\n"
				   "SB 04001090\nI  04001093,4\n"
				   " L 1000,16\n L 2000,4096\n", TRACE_ANY), 0);
	assert_int_equal(summary.format, TRACE_LACKEY);
	ASSERT_RECORDS(R(FETCH, 1, 0x4001090), R(RETIRE, 0, 1),
		       R(PC, 0, 0x4001090), R(STORE, 2, 0x1ffeffe7be),
		       R(LOAD, 3, 0x421b8b8), R(STORE, 3, 0x421b8b8),
		       R(FETCH, 2, 0x4001093), R(RETIRE, 0, 1),
		       R(PC, 0, 0x4001093), R(LOAD, 4, 0x1000),
		       R(LOAD, 12, 0x2000));
	assert_int_equal(summary.notes, 2);
	assert_int_equal(summary.note[0].count, 3);
	assert_int_equal(summary.note[1].count, 1);
}

static void lackey_refuses(void **state)
{
	static const struct { const char *text, *message; } bad[] = {
		{ "I  1000,4\nhello\n", ":2:1: error: I, L, S or M must stand "
		  "here; valgrind's --log-file keeps the program's own output "
		  "apart\nhello\n^" },
		{ " L 1000\n", ":1:8: error: a comma and a size must stand "
		  "here\n L 1000\n       ^" },
		{ " L 1000,0\n", ":1:9: error: a size from 1 to 4096 must "
		  "stand here\n L 1000,0\n        ^" },
		{ " S 1000,4097\n", ":1:9: error: a size from 1 to 4096 must "
		  "stand here\n S 1000,4097\n        ^" },
		{ " L 1,18446744073709551617\n", ":1:6: error: a size from 1 "
		  "to 4096 must stand here\n L 1,18446744073709551617\n"
		  "     ^" },
		{ " S 1000,4 5\n", ":1:10: error: nothing may follow the size"
		  "\n S 1000,4 5\n         ^" },
		{ "IL 1000,4\n", ":1:2: error: a blank must follow 'I'"
		  "\nIL 1000,4\n ^" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(read_text(bad[i].text, TRACE_LACKEY),
				 -ASSAY_EPARSE);
		assert_message(bad[i].message);
	}
}

/* Every size and offset: as many lines as the bytes themselves have. */
static void windows_touch_the_same_lines(void **state)
{
	struct trace_stream s = { .summary = &summary };

	(void)state;
	memset(&summary, 0, sizeof(summary));
	for (uint64_t bytes = 1; bytes <= 64; bytes++) {
		for (uint64_t from = 4096; from < 4096 + 128; from++) {
			uint64_t at = from, k = trace_window(&s, &at, bytes);
			uint64_t last = at + (UINT64_C(1) << k) - 1;

			assert_true(at >= from && last <= from + bytes - 1);
			for (uint64_t line = bytes <= 16 ? 16 : 64; line <= 64;
			     line *= 2)
				assert_true(last / line - at / line ==
					    (from + bytes - 1) / line -
					    from / line);
		}
	}
	assert_int_equal(summary.notes, 0);
	trace_window(&s, &(uint64_t){ 0 }, 100);
	assert_int_equal(summary.note[0].count, 1);
	/* what is beyond the last address is told */
	trace_window(&s, &(uint64_t){ ACCESS_OPERAND_MASK - 7 }, 8);
	assert_int_equal(summary.notes, 1);
	for (uint64_t bytes = 2; bytes <= 16; bytes++) {
		uint64_t at = ACCESS_OPERAND_MASK + 2 - bytes;

		trace_window(&s, &at, bytes);
		assert_true(at <= ACCESS_OPERAND_MASK);
	}
	assert_int_equal(summary.notes, 2);
	assert_int_equal(summary.note[1].count, 15);
}

struct instruction {
	uint64_t pc;
	unsigned char branch, taken, writes[2], reads[4];
	uint64_t store[2], load[4];
};

#define BRANCH(at, went, w0, w1, r0, r1) \
	{ .pc = at, .branch = 1, .taken = went, \
	  .writes = { w0, w1 }, .reads = { r0, r1 } }

static void champsim_becomes_records(void **state)
{
	static const struct instruction program[] = {
		{ .pc = 0x1000, .load = { 0, 0x8000 }, .store = { 0x9000 } },
		BRANCH(0x1004, 1, 26, 6, 26, 6),	/* call */
		BRANCH(0x2000, 0, 26, 0, 26, 25),	/* not taken */
		BRANCH(0x2002, 1, 26, 6, 6, 0),		/* return */
		BRANCH(0x1007, 1, 26, 0, 3, 0),		/* indirect jump */
		BRANCH(0x5000, 1, 26, 0, 26, 3),	/* if a register is 0 */
		{ .pc = 0x5004, .branch = 1, .taken = 1,	/* indirect call */
		  .writes = { 26, 6 }, .reads = { 26, 6, 3 } },
		{ .pc = 0x6000 },
	};

	(void)state;
	assert_int_equal(sizeof(*program), 64);
	assert_int_equal(read_bytes(program, sizeof(program),
				    TRACE_CHAMPSIM), 0);
	ASSERT_RECORDS(R(FETCH, 0, 0x1000), R(RETIRE, 0, 1), R(PC, 0, 0x1000),
		       R(LOAD, 0, 0x8000), R(STORE, 0, 0x9000),
		       R(FETCH, 0, 0x1004), R(RETIRE, 0, 1), R(PC, 0, 0x1004),
		       R(CALL, 0, 0x1009),
		       R(FETCH, 0, 0x2000), R(RETIRE, 0, 1), R(PC, 0, 0x2000),
		       R(BRANCH, 0, 1),
		       R(FETCH, 0, 0x2002), R(RETIRE, 0, 1), R(PC, 0, 0x2002),
		       R(RETURN, 0, 0x1009),
		       R(FETCH, 0, 0x1007), R(RETIRE, 0, 1), R(PC, 0, 0x1007),
		       R(JUMP, 0, 0x5000),
		       R(FETCH, 0, 0x5000), R(RETIRE, 0, 1), R(PC, 0, 0x5000),
		       R(BRANCH, ACCESS_TAKEN, 1),
		       R(FETCH, 0, 0x5004), R(RETIRE, 0, 1), R(PC, 0, 0x5004),
		       R(CALL, 0, 0x5009), R(JUMP, ACCESS_CALLED, 0x6000),
		       R(FETCH, 0, 0x6000), R(RETIRE, 0, 1));
}

/* By the registers alone. */
static void champsim_tells_branches(void **state)
{
	const struct {
		unsigned char writes[2], reads[4];
		uint64_t record;
	} kinds[] = {
		{ { 26, 6 }, { 26, 6 }, R(CALL, 0, 0x1005) },
		{ { 6, 26 }, { 0, 6, 0, 26 }, R(CALL, 0, 0x1005) },
		{ { 26, 6 }, { 6 }, R(RETURN, 0, 0x5000) },
		{ { 26 }, { 6 }, R(BRANCH, 0, 1) },
		{ { 26, 6 }, { 3 }, R(JUMP, 0, 0x5000) },
		{ { 26 }, { 6, 0, 0, 3 }, R(BRANCH, 0, 1) },
		{ { 26, 6 }, { 26, 6, 25 }, R(BRANCH, 0, 1) },
		{ { 26 }, { 25, 3 }, R(BRANCH, 0, 1) },
		{ { 26 }, { 3, 0, 0, 25 }, R(BRANCH, 0, 1) },
		{ { 26 }, { 3, 0, 0, 26 }, R(BRANCH, 0, 1) },
		{ { 26 }, { 26, 3 }, R(BRANCH, 0, 1) },
		{ { 26 }, { 26 }, R(JUMP, ACCESS_DIRECT, 0x5000) },
		{ { 26 }, { 0 }, R(JUMP, ACCESS_DIRECT, 0x5000) },
	};
	struct instruction two[2] = { { .pc = 0x1000 }, { .pc = 0x5000 } };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		memcpy(two[0].writes, kinds[i].writes, 2);
		memcpy(two[0].reads, kinds[i].reads, 4);
		two[0].branch = i % 2;
		assert_int_equal(read_bytes(two, sizeof(two), TRACE_CHAMPSIM),
				 0);
		ASSERT_RECORDS(R(FETCH, 0, 0x1000), R(RETIRE, 0, 1),
			       R(PC, 0, 0x1000), kinds[i].record,
			       R(FETCH, 0, 0x5000), R(RETIRE, 0, 1));
	}
}

/* An instruction that does not write the program counter is no branch. */
static void champsim_needs_a_write(void **state)
{
	static const struct instruction one = {
		.pc = 0x1000, .branch = 1, .taken = 1, .writes = { 6, 25 },
		.reads = { 26, 25 }
	};

	(void)state;
	assert_int_equal(read_bytes(&one, sizeof(one), TRACE_CHAMPSIM), 0);
	ASSERT_RECORDS(R(FETCH, 0, 0x1000), R(RETIRE, 0, 1));
}

/* Where a call's return goes: 15 bytes behind its first one at most. */
static void champsim_matches_returns(void **state)
{
	struct instruction program[] = {
		BRANCH(0x1000, 1, 26, 6, 26, 6),
		BRANCH(0x2000, 1, 26, 6, 6, 0),
		{ .pc = 1 },
	};

	(void)state;
	for (uint64_t behind = 0; behind < 32; behind++) {
		program[2].pc = 0x1000 + behind;
		assert_int_equal(read_bytes(program, sizeof(program),
					    TRACE_CHAMPSIM), 0);
		assert_int_equal(kept.record[7],
				 R(RETURN, 0, behind && behind <= 15 ?
				   0x1005 : program[2].pc));
	}
}

/* So many calls within each other are remembered. */
static void champsim_calls_nest(void **state)
{
	enum { DEEP = 64 };
	static struct instruction program[2 * DEEP + 1];

	(void)state;
	for (uint64_t i = 1; i <= DEEP; i++)
		program[i - 1] = (struct instruction)
			BRANCH(0x1000 * i, 1, 26, 6, 26, 6);
	for (uint64_t i = 0; i <= DEEP; i++)
		program[2 * DEEP - i] = (struct instruction)
			BRANCH(0x1000 * (i + 1) + 9, 1, 26, 6, 6, 0);
	assert_int_equal(read_bytes(program, sizeof(program), TRACE_CHAMPSIM),
			 0);
	for (uint64_t i = 1; i <= DEEP; i++)
		assert_int_equal(kept.record[4 * (2 * DEEP - i) + 3],
				 R(RETURN, 0, 0x1000 * i + 5));
}

/* Each jump goes to the next one, in whatever piece it is read. */
static void champsim_goes_on(void **state)
{
	enum { JUMPS = 9000 };
	static struct instruction program[JUMPS];

	(void)state;
	for (uint64_t i = 0; i < JUMPS; i++)
		program[i] = (struct instruction)
			BRANCH(0x1000 + i, 1, 26, 0, 3, 0);
	assert_int_equal(read_bytes(program, sizeof(program), TRACE_CHAMPSIM),
			 0);
	for (uint64_t i = 0; i < JUMPS - 1; i++)
		assert_int_equal(kept.record[4 * i + 3],
				 R(JUMP, 0, 0x1001 + i));
}

/* A last return goes where its call said; without one, it is left out. */
static void champsim_returns_at_last(void **state)
{
	static const struct instruction program[] = {
		BRANCH(0x1000, 1, 26, 6, 26, 6),
		BRANCH(0x2000, 1, 26, 6, 6, 0),
		BRANCH(0x1005, 1, 26, 6, 6, 0),
	};

	(void)state;
	assert_int_equal(read_bytes(program, 2 * 64, TRACE_CHAMPSIM), 0);
	assert_int_equal(kept.records, 8);
	assert_int_equal(kept.record[7], R(RETURN, 0, 0x1005));
	assert_int_equal(summary.notes, 0);
	assert_int_equal(read_bytes(program, 3 * 64, TRACE_CHAMPSIM), 0);
	assert_int_equal(kept.records, 11);
	assert_int_equal(kept.record[7], R(RETURN, 0, 0x1005));
	assert_int_equal(summary.note[0].count, 1);
}

/* The last one goes nowhere; all addresses and registers are looked at. */
static void champsim_ends(void **state)
{
	const struct instruction last = {
		.pc = 0x1000, .writes = { 26 }, .reads = { 1, 2, 3, 4 },
		.load = { 0x40, 0x80, 0xc0, 0x100 }, .store = { 0x140, 0x180 }
	};

	(void)state;
	assert_int_equal(read_bytes(&last, sizeof(last), TRACE_CHAMPSIM), 0);
	ASSERT_RECORDS(R(FETCH, 0, 0x1000), R(RETIRE, 0, 1), R(PC, 0, 0x1000),
		       R(LOAD, 0, 0x40), R(LOAD, 0, 0x80), R(LOAD, 0, 0xc0),
		       R(LOAD, 0, 0x100), R(STORE, 0, 0x140),
		       R(STORE, 0, 0x180));
	assert_int_equal(summary.notes, 1);
	assert_int_equal(summary.note[0].count, 1);
}

static void champsim_refuses(void **state)
{
	struct instruction two[2] = { { .pc = 0x1000 }, { .pc = 0x1004 } };

	(void)state;
	assert_int_equal(read_bytes(two, 100, TRACE_CHAMPSIM), -ASSAY_EPARSE);
	assert_message(": byte 64: error: an instruction has 64 bytes, but "
		       "the trace ends after 36 of them");
	two[1].taken = 7;
	assert_int_equal(read_bytes(two, sizeof(two), TRACE_CHAMPSIM),
			 -ASSAY_EPARSE);
	assert_message(": byte 73: error: this byte must be 0 or 1, not 7: "
		       "the trace is not ChampSim's");
	two[1].taken = 0;
	two[1].branch = 2;
	assert_int_equal(read_bytes(two, sizeof(two), TRACE_CHAMPSIM),
			 -ASSAY_EPARSE);
	assert_message(": byte 72: error: this byte must be 0 or 1, not 2: "
		       "the trace is not ChampSim's");
	two[1].branch = 0;
	two[0].load[3] = UINT64_C(1) << 50;
	assert_int_equal(read_bytes(two, sizeof(two), TRACE_CHAMPSIM),
			 -ASSAY_EPARSE);
	assert_message(": byte 56: error: the address needs more than 48 bits");
	two[0].load[3] = 0;
	two[1].pc = 0;
	assert_int_equal(read_bytes(two, sizeof(two), TRACE_CHAMPSIM),
			 -ASSAY_EPARSE);
	assert_message(": byte 64: error: the instruction's address is 0: the "
		       "trace is damaged, or not ChampSim's");
}

/* Writes records through a sink and gives the file's bytes. */
static size_t write_trace(const uint64_t *record, size_t records,
			  uint64_t passes, unsigned char **out)
{
	struct trace_writer *w;
	char path[64];
	int fd = memfd_create("trace", 0);
	size_t bytes;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(trace_writer_open(&w, path, &err), 0);
	do {
		const struct access_sink *sink = trace_writer_sink(w);

		sink->feed(sink->ctx, record, records);
		if (passes)
			assert_int_equal(sink->pass(sink->ctx, passes - 1), 0);
	} while (passes && --passes);
	assert_int_equal(trace_writer_close(w, &err), 0);
	bytes = (size_t)lseek(fd, 0, SEEK_END);
	*out = malloc(bytes);
	assert_true(pread(fd, *out, bytes, 0) == (ssize_t)bytes);
	close(fd);
	return bytes;
}

static uint64_t random_record(uint64_t *x)
{
	uint64_t r = draw_next(x);
	unsigned kind = r % (ACCESS_PC + 1);

	return access_pack(kind, r >> 8, r >> 16, draw_next(x) | 1);
}

static void own_format_round_trip(void **state)
{
	enum { RECORDS = 50000 };
	static uint64_t record[RECORDS];
	unsigned char *data;
	uint64_t x = 88172645463325252;
	size_t bytes, places = 0;

	(void)state;
	for (size_t i = 0; i < RECORDS; i++) {
		record[i] = random_record(&x);
		places += access_kind(record[i]) == ACCESS_PC;
	}
	bytes = write_trace(record, RECORDS, 0, &data);
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), 0);
	assert_int_equal(summary.format, TRACE_ASSAY);
	assert_int_equal(summary.records, RECORDS - places);
	assert_records(record, RECORDS);
	free(data);
	bytes = write_trace(record, 0, 0, &data);
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), 0);
	assert_records(record, 0);
	free(data);
}

static void regular_streams_are_small(void **state)
{
	enum { RECORDS = 100000 };
	static uint64_t record[RECORDS];
	unsigned char *data;
	size_t bytes;

	(void)state;
	for (uint64_t i = 0; i < RECORDS; i++)
		record[i] = access_pack(i & 1, 3, i & 1, 4096 + i * 8);
	bytes = write_trace(record, RECORDS, 0, &data);
	assert_true(bytes < RECORDS / 50);
	free(data);
}

static void passes_can_be_skipped(void **state)
{
	const uint64_t one[] = { R(LOAD, 3, 64), R(STORE, 3, 128) };
	const uint64_t mark = UINT64_C(15) << 60;
	unsigned char *data;
	size_t bytes = write_trace(one, 2, 5, &data);

	(void)state;
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), 0);
	assert_int_equal(kept.records, 15);
	assert_int_equal(kept.record[2], mark | 4);
	kept.skip = 3;
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), 0);
	ASSERT_RECORDS(one[0], one[1], mark | 4, one[0], one[1], mark | 0);
	kept.skip = 5;	/* more than there are */
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "promises more passes"));
	kept.skip = 0;
	free(data);
}

/* Whether the sink skips any or not. */
static void promised_passes_must_come(void **state)
{
	const uint64_t one[] = { R(LOAD, 3, 64), UINT64_C(15) << 60 | 1 };
	unsigned char *data;
	size_t bytes = write_trace(one, 1, 1, &data);

	(void)state;
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), 0);
	free(data);
	bytes = write_trace(one, 2, 0, &data);
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "promises more passes"));
	free(data);
}

/* Cut anywhere, or changed anywhere: an error, never a wrong stream. */
static void damage_is_found(void **state)
{
	static uint64_t record[3000];
	unsigned char *data;
	uint64_t x = 1234567;
	size_t bytes, refused = 0;

	(void)state;
	for (size_t i = 0; i < 3000; i++)
		record[i] = R(LOAD, 3, 64 * (draw_next(&x) % 100));
	bytes = write_trace(record, 3000, 0, &data);
	for (size_t n = 1; n < bytes; n++) {
		assert_int_equal(read_bytes(data, n, TRACE_ASSAY),
				 -ASSAY_EPARSE);
		assert_non_null(strstr(err.text, "error: the trace ends too "
				       "early: it was cut off while being "
				       "written or copied"));
	}
	for (size_t n = 0; n < bytes; n++) {
		data[n] ^= 0x40;
		/* Some bits of zstd's tables mean nothing. */
		if (read_bytes(data, bytes, TRACE_ASSAY) == 0)
			assert_records(record, 3000);
		else
			refused++;
		data[n] ^= 0x40;
	}
	assert_true(refused > bytes * 99 / 100);
	free(data);
}

static void bad_blocks_are_refused(void **state)
{
	static const char version[] = TRACE_MAGIC
		"\2\0\0\0\0\0\0\0";
	static const char reserved[] = TRACE_MAGIC
		"\1\0\0\0\1\0\0\0";
	static const char large[] = TRACE_MAGIC
		"\1\0\0\0\0\0\0\0" "\1\0\1\0\0\0\0\0";
	static const char longer[] = TRACE_MAGIC
		"\1\0\0\0\0\0\0\0" "\1\0\0\0\0\0\0\1";

	(void)state;
	assert_int_equal(read_bytes(version, 16, TRACE_ANY), -ASSAY_EPARSE);
	assert_message(": byte 8: error: the trace has version 2, this assay "
		       "reads version 1");
	assert_int_equal(read_bytes(large, 24, TRACE_ANY), -ASSAY_EPARSE);
	assert_message(": byte 16: error: a block larger than any may be");
	assert_int_equal(read_bytes(longer, 24, TRACE_ANY), -ASSAY_EPARSE);
	assert_message(": byte 16: error: a block larger than any may be");
	assert_int_equal(read_bytes(reserved, 16, TRACE_ANY), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "this assay reads version 1"));
	assert_int_equal(read_text("0 1234\n0 1234\n0 1\n", TRACE_ASSAY),
			 -ASSAY_EPARSE);
	assert_message(": byte 0: error: this is no trace of assay's own "
		       "format");
}

/* A trace of one block with those bytes unpacked. */
static int read_block(const char *raw, size_t bytes, unsigned records)
{
	unsigned char data[200] = TRACE_MAGIC "\1", *end;
	unsigned char *head = data + TRACE_HEADER;
	const size_t packed = ZSTD_compress(head + TRACE_HEAD, 100, raw, bytes,
					    1);

	trace_put32(head, records);
	trace_put32(head + 4, (uint32_t)packed);
	end = head + TRACE_HEAD + packed;
	memset(end, 0, 16);
	trace_put32(end + 4, 8);
	trace_put32(end + 8, records);
	return read_bytes(data, (size_t)(end + 16 - data), TRACE_ANY);
}

/* Tags of two bytes each, then numbers of up to seven. */
static void bad_records_are_refused(void **state)
{
	static const struct {
		const char *raw;
		size_t bytes;
		unsigned records;
		const char *why;
	} bad[] = {
		{ "\0\0\x80\x80\x80\x80\x80\x80\x80\1", 10, 1, "do not fit" },
		{ "\0\0\x80", 3, 1, "do not fit" },
		{ "\0\0\0\0\0", 5, 2, "do not fit" },
		{ "\0\0", 2, 2, "do not fit" },
		{ "\0\0\0\0", 4, 1, "more than its records" },
		{ "\0\xc0\0", 3, 1, "of an unknown kind" },
		{ "\0\xe0\0", 3, 1, "of an unknown kind" },
		{ "\0\x60\0", 3, 1, "runs 0 times" },
	};

	(void)state;
	assert_int_equal(read_block("\0\0\x80\x80\x80\x80\x80\x80\1", 9, 1),
			 0);
	ASSERT_RECORDS(R(LOAD, 0, UINT64_C(1) << 41));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(read_block(bad[i].raw, bad[i].bytes,
					    bad[i].records), -ASSAY_EPARSE);
		assert_non_null(strstr(err.text, bad[i].why));
	}
}

/* Its own size is said, too, and nothing comes behind it. */
static void ends_are_looked_at(void **state)
{
	unsigned char *data;
	size_t bytes = write_trace(NULL, 0, 0, &data);

	(void)state;
	data[TRACE_HEADER + 4] = 9;
	assert_int_equal(read_bytes(data, bytes, TRACE_ANY), -ASSAY_EPARSE);
	data[TRACE_HEADER + 4] = 8;
	data = realloc(data, bytes + 1);
	data[bytes] = 0;
	assert_int_equal(read_bytes(data, bytes + 1, TRACE_ANY),
			 -ASSAY_EPARSE);
	assert_message(": byte 32: error: something follows the trace's end");
	free(data);
}

static void any_format_may_be_packed(void **state)
{
	/* Lines and pieces end at different places. */
	enum { BYTES = 1 << 20, FIRST = 7, LINE = 16,
	       LINES = (BYTES - FIRST) / LINE };
	static char text[BYTES], packed[BYTES];
	char line[LINE + 1];
	uint64_t x = 1, last = 0;
	size_t bytes;

	(void)state;
	memset(text, ' ', BYTES);
	memcpy(text, "0 1   \n", FIRST);
	for (size_t i = 0; i < LINES; i++) {
		last = (uint32_t)draw_next(&x);
		snprintf(line, sizeof(line), "0 %08x     \n", (uint32_t)last);
		memcpy(text + FIRST + LINE * i, line, LINE);
	}
	bytes = ZSTD_compress(packed, sizeof(packed), text, BYTES, 3);
	assert_false(ZSTD_isError(bytes));
	assert_int_equal(read_bytes(packed, bytes, TRACE_ANY), 0);
	assert_int_equal(summary.format, TRACE_DIN);
	assert_int_equal(kept.records, LINES + 1);
	assert_int_equal(kept.record[LINES], R(LOAD, 0, last));
	assert_int_equal(read_bytes(packed, bytes - 1, TRACE_ANY),
			 -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "ends too early"));
	packed[4] ^= 0x08;	/* a bit that must be 0 */
	assert_int_equal(read_bytes(packed, bytes, TRACE_ANY), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "the compressed data is damaged"));
}

/* Places are those of what comes out. */
static void frames_may_follow_each_other(void **state)
{
	char packed[100];
	const size_t bytes = ZSTD_compress(packed, 90, "0 1\n", 4, 3);

	(void)state;
	memcpy(packed + bytes, packed, bytes);
	assert_int_equal(read_bytes(packed, 2 * bytes, TRACE_DIN), 0);
	ASSERT_RECORDS(R(LOAD, 0, 1), R(LOAD, 0, 1));
	assert_int_equal(read_bytes(packed, bytes + 4, TRACE_DIN),
			 -ASSAY_EPARSE);
	assert_message(": byte 4: error: the compressed data ends too early");
}

static void other_packers_are_named(void **state)
{
	static const struct { const char *begin, *message; } packer[] = {
		{ "\x1f\x8b\x08", "compressed by gzip" },
		{ "\xfd" "7zXZ\0", "compressed by xz" },
		{ "BZh9", "compressed by bzip2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(packer) / sizeof(*packer); i++) {
		assert_int_equal(read_bytes(packer[i].begin, i == 1 ? 6 : 3,
					    TRACE_ANY), -ASSAY_EINVAL);
		assert_non_null(strstr(err.text, packer[i].message));
	}
}

static void notes_are_limited(void **state)
{
	static const char phrases[TRACE_NOTES + 1];
	struct trace_stream s = { .summary = &summary };

	(void)state;
	memset(&summary, 0, sizeof(summary));
	for (unsigned i = 0; i <= TRACE_NOTES; i++)
		trace_skipped(&s, phrases + i);
	assert_int_equal(summary.notes, TRACE_NOTES);
	assert_ptr_equal(summary.note[TRACE_NOTES - 1].what,
			 phrases + TRACE_NOTES - 1);
}

/* As read_bytes, from a file of that name. */
static int read_named(const char *name, const void *data, size_t bytes)
{
	const struct access_sink sink = { .ctx = &kept, .feed = feed,
					  .pass = pass };
	char folder[] = "/tmp/test-trace-XXXXXX", path[64];
	int rc;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(symlink(file_of(data, bytes), path), 0);
	kept.records = 0;
	rc = trace_read(path, TRACE_ANY, &sink, NULL, &summary, &err);
	unlink(path);
	rmdir(folder);
	return rc;
}

/* A mark decides, then the name, then the first line. */
static void names_decide(void **state)
{
	const struct instruction one = { .pc = 0x1000 };
	const uint64_t load = R(LOAD, 3, 64);
	unsigned char *data;
	size_t bytes = write_trace(&load, 1, 0, &data);

	(void)state;
	assert_int_equal(read_named("x.din", data, bytes), 0);
	assert_int_equal(summary.format, TRACE_ASSAY);
	free(data);
	assert_int_equal(read_named("x.champsim", &one, sizeof(one)), 0);
	assert_int_equal(summary.format, TRACE_CHAMPSIM);
	assert_int_equal(read_named("x.champsimtrace.zst", &one,
				    sizeof(one)), 0);
	assert_int_equal(summary.format, TRACE_CHAMPSIM);
	assert_int_equal(read_named("x.lackey", "I  10,1", 7), 0);
	assert_int_equal(read_named("x.lackey", "0 10", 4), -ASSAY_EPARSE);
	assert_int_equal(read_named("x.other", "0 10", 4), 0);
	assert_int_equal(summary.format, TRACE_DIN);
}

static void formats_are_guessed(void **state)
{
	static const struct { const char *text; int format; } begin[] = {
		{ "0 1", TRACE_DIN }, { "\t4\t1", TRACE_DIN },
		{ "==1== Lackey\n", TRACE_LACKEY },
		{ "I  10,1", TRACE_LACKEY }, { " L 10,1", TRACE_LACKEY },
		{ " S 10,1", TRACE_LACKEY }, { " M 10,1", TRACE_LACKEY },
		{ "/ 1\n", TRACE_ANY }, { "5 1\n", TRACE_ANY },
		{ "01 1\n", TRACE_ANY },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++) {
		const bool known = begin[i].format != TRACE_ANY;

		assert_int_equal(read_text(begin[i].text, TRACE_ANY),
				 known ? 0 : -ASSAY_EINVAL);
		if (known)
			assert_int_equal(summary.format, begin[i].format);
	}
}

/* No more is looked at than there is. */
static void beginnings_may_be_short(void **state)
{
	(void)state;
	assert_true(trace_din_begins((const unsigned char *)"  0 1", 5));
	assert_false(trace_din_begins((const unsigned char *)"  0 1", 4));
	assert_false(trace_din_begins((const unsigned char *)"  0 1", 2));
	assert_false(trace_lackey_begins((const unsigned char *)"I  1", 2));
}

static void formats_are_found(void **state)
{
	enum trace_format f;

	(void)state;
	assert_int_equal(trace_format_find(&f, "lackey", NULL), 0);
	assert_int_equal(f, TRACE_LACKEY);
	assert_int_equal(trace_format_find(&f, NULL, NULL), 0);
	assert_int_equal(f, TRACE_ANY);
	assert_int_equal(trace_format_find(&f, "lakey", &err), -ASSAY_EINVAL);
	assert_string_equal(err.text, "unknown trace format 'lakey'\n"
			    "did you mean 'lackey'?\n"
			    "known: din, lackey, champsim, assay");
	assert_int_equal(read_text("what is this\n", TRACE_ANY),
			 -ASSAY_EINVAL);
	assert_non_null(strstr(err.text, "cannot tell the trace format"));
	assert_int_equal(read_text("1 44\n", TRACE_ANY), 0);
	assert_int_equal(summary.format, TRACE_DIN);
}

/* Wherever it is stopped, it says so; and all of it was asked about. */
static void reading_can_be_stopped(void **state)
{
	static char text[3 << 20];
	unsigned stops = 0;

	(void)state;
	memset(text, ' ', sizeof(text));
	for (size_t i = 0; i < sizeof(text); i += 4096)
		memcpy(text + i, "\n0 12345", 8);
	for (pieces = 0; pieces < 100; pieces = ++stops)
		if (read_bytes(text, sizeof(text), TRACE_DIN) == 0)
			break;
		else
			assert_int_equal(err.code, -ASSAY_ESTOP);
	pieces = ~0u;
	assert_in_range(stops, 3, 99);
}

static void empty_ones_are_refused(void **state)
{
	static const char zstd_of_nothing[] = "\x28\xb5\x2f\xfd\x24\x00\x01"
					      "\x00\x00\x99\xe9\xd8\x51";

	(void)state;
	for (int f = TRACE_DIN; f <= TRACE_ANY; f++) {
		assert_int_equal(read_text("", (enum trace_format)f),
				 -ASSAY_EINVAL);
		assert_non_null(strstr(err.text, "is empty"));
		assert_int_equal(read_bytes(zstd_of_nothing,
					    sizeof(zstd_of_nothing) - 1,
					    (enum trace_format)f),
				 -ASSAY_EINVAL);
		assert_non_null(strstr(err.text, "is empty"));
	}
}

static void missing_files(void **state)
{
	const struct access_sink sink = {
		.ctx = &kept, .feed = feed, .pass = pass,
	};
	struct trace_writer *w;

	(void)state;
	assert_int_equal(trace_read("/nowhere/x.din", TRACE_ANY, &sink,
				    NULL, &summary, &err), -ASSAY_ENOENT);
	assert_string_equal(err.text, "cannot read '/nowhere/x.din': No such "
			    "file or directory");
	assert_int_equal(trace_writer_open(&w, "/nowhere/x.atr", &err),
			 -ASSAY_EIO);
	assert_string_equal(err.text, "cannot write '/nowhere/x.atr': No such "
			    "file or directory");
	assert_int_equal(trace_writer_open(&w, "/dev/full", &err), 0);
	assert_int_equal(trace_writer_close(w, &err), -ASSAY_EIO);
	assert_string_equal(err.text, "cannot write '/dev/full': No space "
			    "left on device");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(din_becomes_records),
		cmocka_unit_test(canonical_addresses_fit),
		cmocka_unit_test(din_refuses),
		cmocka_unit_test(longerlines_and_zero_bytes),
		cmocka_unit_test(lackey_becomes_records),
		cmocka_unit_test(lackey_refuses),
		cmocka_unit_test(windows_touch_the_same_lines),
		cmocka_unit_test(champsim_becomes_records),
		cmocka_unit_test(champsim_tells_branches),
		cmocka_unit_test(champsim_needs_a_write),
		cmocka_unit_test(champsim_matches_returns),
		cmocka_unit_test(champsim_calls_nest),
		cmocka_unit_test(champsim_goes_on),
		cmocka_unit_test(champsim_returns_at_last),
		cmocka_unit_test(champsim_ends),
		cmocka_unit_test(champsim_refuses),
		cmocka_unit_test(own_format_round_trip),
		cmocka_unit_test(regular_streams_are_small),
		cmocka_unit_test(passes_can_be_skipped),
		cmocka_unit_test(promised_passes_must_come),
		cmocka_unit_test(damage_is_found),
		cmocka_unit_test(bad_blocks_are_refused),
		cmocka_unit_test(bad_records_are_refused),
		cmocka_unit_test(ends_are_looked_at),
		cmocka_unit_test(any_format_may_be_packed),
		cmocka_unit_test(frames_may_follow_each_other),
		cmocka_unit_test(other_packers_are_named),
		cmocka_unit_test(notes_are_limited),
		cmocka_unit_test(names_decide),
		cmocka_unit_test(formats_are_guessed),
		cmocka_unit_test(beginnings_may_be_short),
		cmocka_unit_test(formats_are_found),
		cmocka_unit_test(reading_can_be_stopped),
		cmocka_unit_test(empty_ones_are_refused),
		cmocka_unit_test(missing_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
