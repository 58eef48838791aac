/* SPDX-License-Identifier: MIT */
/*
 * Reading the kernel's log line by line. read() of the device returns one
 * record, and EAGAIN at the end; read() of a file returns any number of bytes.
 * A line longer than the buffer is cut.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/kernel-log.h"

enum { RECORD = 8192, READINGS = 100000 };

/* Texts of arch/x86/events, arch/arm64, kernel/events, arch/x86/kernel/cpu/mce,
 * drivers/thermal/intel, kernel/time, drivers/edac and drivers/hwmon (Linux).
 * A line is of the first kind whose part it contains. */
static const struct log_kind kinds[] = {
	{ "PMU not available due to virtualization", "no PMU", "info",
	  "", "" },
	{ "no PMU driver, software events only", "no PMU", "info", "", "" },
	{ "Broken PMU hardware detected", "broken PMU", "bad",
	  "the kernel tried the counters and found that they do not count",
	  "ask the hypervisor, or the firmware's makers" },
	{ "Broken BIOS detected", "firmware's counters", "warn",
	  "the firmware uses a counter itself: it is missing, and its counts "
	  "may be disturbed", "firmware set-up: switch its performance "
	  "monitoring off" },
	{ "interrupt took too long", "slow interrupts", "warn",
	  "the kernel has lowered its limit of samples per second: frequent "
	  "sampling is throttled", "as root: sysctl "
	  "kernel.perf_event_max_sample_rate=100000" },
	{ "hrtimer: interrupt took", "slow timers", "warn",
	  "something kept the CPU from its timers: times have gaps", "" },
	{ "Marking clocksource", "clock source", "warn",
	  "the constant counter was found to be wrong: times cannot be "
	  "trusted", "look at the firmware's version; kernel option "
	  "tsc=reliable only if you know better" },
	{ "Hardware Error", "machine checks", "warn",
	  "the CPU or the memory reports errors: corrections take time, and "
	  "a bad part is slow", "ras-mc-ctl --errors; replace the part" },
	{ "Machine check events logged", "machine checks", "warn",
	  "the CPU or the memory reports errors: corrections take time, and "
	  "a bad part is slow", "ras-mc-ctl --errors; replace the part" },
	{ "temperature above threshold", "overheated", "warn",
	  "the CPU slowed itself down, and may again", "cool it" },
	{ "nder-voltage detected", "supply voltage", "warn",
	  "the clock is capped while the voltage is low",
	  "a stronger power supply and a shorter cable" },
	{ "ndervoltage detected", "supply voltage", "warn",
	  "the clock is capped while the voltage is low",
	  "a stronger power supply and a shorter cable" },
	{ "rcu_sched self-detected stall", "stalls", "warn",
	  "a CPU did not answer for many seconds", "" },
	{ "soft lockup", "stalls", "warn",
	  "a CPU did not answer for many seconds", "" },
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) <= LOG_KINDS, "room");

/* The text behind the head "6,339,5140900,-;" of a line; a line without a head
 * is all text. */
static const char *text_of(const char *line)
{
	const char *text = line + strspn(line, "0123456789,-c");

	return *text == ';' ? text + 1 : line;
}

/* Replaces control characters by blanks: they could control the terminal. */
static void blank_controls(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			*text = ' ';
}

static void add_line(struct log_seen *seen, const char *line)
{
	const char *text = text_of(line);

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		if (!strstr(text, kinds[k].part))
			continue;
		seen[k].kind = &kinds[k];
		seen[k].times++;
		text_copy(seen[k].text, sizeof(seen[k].text), text);
		text_copy(seen[k].line, sizeof(seen[k].line), line);
		blank_controls(seen[k].text);
		blank_controls(seen[k].line);
		return;
	}
}

/* Adds all complete lines and moves the rest of the buffer to its front.
 * Returns the length of the rest. */
static size_t add_lines(struct log_seen *seen, char *room, size_t used)
{
	char *line = room, *end;

	while ((end = memchr(line, '\n', used - (size_t)(line - room)))) {
		*end = '\0';
		add_line(seen, line);
		line = end + 1;
	}
	used -= (size_t)(line - room);
	memmove(room, line, used);
	return used == RECORD ? 0 : used;
}

static void read_lines(struct log_seen *seen, int fd)
{
	char room[RECORD + 1];
	size_t used = 0;
	ssize_t n;

	for (int i = 0; i < READINGS; i++) {
		n = read(fd, room + used, RECORD - used);
		if (n < 0 && (errno == EINTR || errno == EPIPE))
			continue;	/* EPIPE: records were overwritten */
		if (n <= 0)
			break;
		used = add_lines(seen, room, used + (size_t)n);
	}
	room[used] = '\0';
	if (used)
		add_line(seen, room);
}

int kernel_log_scan(struct log_seen out[LOG_KINDS], int fd)
{
	int n = 0;

	memset(out, 0, LOG_KINDS * sizeof(*out));
	read_lines(out, fd);
	for (int k = 0; k < LOG_KINDS; k++)
		if (out[k].kind)
			out[n++] = out[k];
	return n;
}

int kernel_log_read(struct log_seen out[LOG_KINDS], const char *sysroot)
{
	const int fd = sysfile_descriptor(sysroot, "/dev/kmsg");
	int n;

	if (fd < 0)
		return fd;
	n = kernel_log_scan(out, fd);
	close(fd);
	return n;
}
