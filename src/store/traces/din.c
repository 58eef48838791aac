/* SPDX-License-Identifier: MIT */
/*
 * Dinero's traditional text. A line is a label, an address in hexadecimal, and
 * anything behind a blank. There are no sizes: every access lies in one line.
 */
#include <string.h>

#include "store/traces/text.h"

static const char escapes[] = "escape records (labels 3 and 4)";

static int read_line(struct trace_line *line)
{
	struct trace_stream *s = line->stream;
	char label = *line->at;
	uint64_t address;
	int rc;

	if (label < '0' || label > '4')
		return trace_line_error(line, "a label from 0 to 4 must stand "
					"here: 0 read, 1 write, 2 fetch");
	line->at++;
	if (!trace_line_blanks(line))
		return trace_line_error(line, "a blank must follow the label");
	rc = trace_line_address(line, &address);
	if (rc < 0)
		return rc;
	if (*line->at && !trace_line_blanks(line))
		return trace_line_error(line, "a blank or the end of the line "
					"must follow the address");
	if (label == '2')
		trace_instruction(s, address, 1);
	else if (label < '2')
		trace_access(s, label == '1' ? ACCESS_STORE : ACCESS_LOAD,
			     address, 1);
	else
		trace_skipped(s, escapes);
	return 0;
}

int trace_din_read(struct trace_stream *s)
{
	struct trace_line line = { .stream = s };
	int rc;

	while ((rc = trace_line_next(&line)) > 0) {
		trace_line_blanks(&line);
		rc = *line.at ? read_line(&line) : 0;
		if (rc < 0)
			return rc;
	}
	return rc;
}

bool trace_din_begins(const unsigned char *data, size_t bytes)
{
	size_t i = 0;

	while (i < bytes && (data[i] == ' ' || data[i] == '\t'))
		i++;
	return bytes >= i + 3 && data[i] >= '0' && data[i] <= '4' &&
	       (data[i + 1] == ' ' || data[i + 1] == '\t');
}
