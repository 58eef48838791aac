/* SPDX-License-Identifier: MIT */
/*
 * The control FIFO (--control): reads commands, one per line, from a FIFO or a
 * descriptor, as perf stat --control does. The program that is counted writes
 * them, or a script. watch.c carries them out and answers "ack".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stat/stat.h"
#include "base/text.h"

static int bad_form(const char *text, struct assay_error *err)
{
	return error_set(err, -ASSAY_EINVAL, "'%.100s': write FIFO[,ACK-FIFO] "
			 "or fd:NUMBER[,NUMBER]", text);
}

/* Opens for reading and writing, so that the end of a writer is no end of
 * file. */
static int open_fifo(const char *path, struct assay_error *err)
{
	const int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	char name[400];

	if (fd < 0) {
		error_set(err, -ASSAY_EIO, "cannot open '%.200s': %s", path,
			  strerror(errno));
		text_shell(name, sizeof(name), path);
		if (errno == ENOENT && *name)
			error_add(err, "  try: mkfifo %s", name);
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
		return fd;
	close(fd);
	error_set(err, -ASSAY_EINVAL, "'%.200s' is no FIFO", path);
	return -1;
}

/* A copy of the caller's descriptor: FIFOs and copies are closed alike. */
static int open_number(const char *text, struct assay_error *err)
{
	char *end;
	const long n = strtol(text, &end, 10);
	int fd = -1;

	if (*text >= '0' && *text <= '9' && !*end && n <= 0x7fffffff)
		fd = fcntl((int)n, F_DUPFD_CLOEXEC, 3);
	if (fd < 0) {
		error_set(err, -ASSAY_EINVAL, "'%.40s' is no open file "
			  "descriptor", text);
		return -1;
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
}

static int open_one(const char *text, bool number, struct assay_error *err)
{
	return number ? open_number(text, err) : open_fifo(text, err);
}

int stat_control_open(struct stat_control *out, const char *text,
		      struct assay_error *err)
{
	const bool number = !strncmp(text, "fd:", 3);
	char copy[512], *answers;

	*out = (struct stat_control){ .commands = -1, .answers = -1 };
	if (number || !strncmp(text, "fifo:", 5))
		text = strchr(text, ':') + 1;
	if (!*text || strlen(text) >= sizeof(copy))
		return bad_form(text, err);
	text_copy(copy, sizeof(copy), text);
	answers = strchr(copy, ',');
	if (answers)
		*answers++ = '\0';
	out->commands = open_one(copy, number, err);
	if (out->commands >= 0 && answers)
		out->answers = open_one(answers, number, err);
	if (out->commands >= 0 && (!answers || out->answers >= 0))
		return 0;
	stat_control_close(out);
	return -ASSAY_EINVAL;
}

void stat_control_close(struct stat_control *control)
{
	if (control->commands >= 0)
		close(control->commands);
	if (control->answers >= 0)
		close(control->answers);
	control->commands = control->answers = -1;
}

static enum stat_command command_of(const char *line)
{
	static const struct { const char *word; enum stat_command is; } t[] = {
		{ "enable", STAT_ENABLE }, { "disable", STAT_DISABLE },
		{ "ping", STAT_PING }, { "stop", STAT_STOP },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (!strcmp(t[i].word, line))
			return t[i].is;
	return STAT_UNKNOWN;
}

/* Reads one byte at a time, so that no byte behind the line is read. */
enum stat_command stat_control_next(struct stat_control *control)
{
	char c;

	while (read(control->commands, &c, 1) == 1) {
		if (c != '\n') {
			if (control->used < sizeof(control->line) - 1)
				control->line[control->used++] = c;
			continue;
		}
		control->line[control->used] = '\0';
		control->used = 0;
		return command_of(control->line);
	}
	return STAT_NOTHING;
}
