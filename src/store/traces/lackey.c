/* SPDX-License-Identifier: MIT */
/*
 * The output of valgrind --tool=lackey --trace-mem=yes: "I  addr,size" for an
 * instruction, then " L", " S" or " M addr,size" for each of its accesses. M is
 * a load and a store of the same bytes.
 */
#include <string.h>

#include "store/traces/text.h"

static const char blocks[] = "marks of superblocks";
static const char prose[] = "lines of valgrind itself";

static int read_line(struct trace_line *line)
{
	struct trace_stream *s = line->stream;
	char kind = *line->at;
	uint64_t address, bytes;
	int rc;

	if (!strchr("ILSM", kind))
		return trace_line_error(line, "I, L, S or M must stand here; "
					"valgrind's --log-file keeps the "
					"program's own output apart");
	line->at++;
	if (!trace_line_blanks(line))
		return trace_line_error(line, "a blank must follow '%c'",
					kind);
	rc = trace_line_address(line, &address);
	if (rc == 0)
		rc = trace_line_size(line, &bytes);
	if (rc < 0)
		return rc;
	if (*line->at)
		return trace_line_error(line, "nothing may follow the size");
	if (kind == 'I')
		trace_instruction(s, address, bytes);
	if (kind == 'L' || kind == 'M')
		trace_access(s, ACCESS_LOAD, address, bytes);
	if (kind == 'S' || kind == 'M')
		trace_access(s, ACCESS_STORE, address, bytes);
	return 0;
}

static bool is_prose(const char *text)
{
	return strncmp(text, "==", 2) == 0 || strncmp(text, "--", 2) == 0 ||
	       strncmp(text, "**", 2) == 0;
}

int trace_lackey_read(struct trace_stream *s)
{
	struct trace_line line = { .stream = s };
	int rc;

	while ((rc = trace_line_next(&line)) > 0) {
		if (is_prose(line.text)) {
			trace_skipped(s, prose);
			continue;
		}
		if (strncmp(line.text, "SB ", 3) == 0) {
			trace_skipped(s, blocks);
			continue;
		}
		trace_line_blanks(&line);
		rc = *line.at ? read_line(&line) : 0;
		if (rc < 0)
			return rc;
	}
	return rc;
}

bool trace_lackey_begins(const unsigned char *data, size_t bytes)
{
	return bytes >= 3 && (memcmp(data, "==", 2) == 0 ||
			      memcmp(data, "I  ", 3) == 0 ||
			      memcmp(data, " L ", 3) == 0 ||
			      memcmp(data, " S ", 3) == 0 ||
			      memcmp(data, " M ", 3) == 0);
}
