/* SPDX-License-Identifier: MIT */
/*
 * CPUID, registers and trial openings, of this machine or of a recorded one.
 *
 * Only src/counters may include linux/perf_event.h (tools/check-rooms). The
 * first 64 bytes of struct perf_event_attr are the same since Linux 2.6.32;
 * struct attr declares them here.
 */
#define _GNU_SOURCE	/* pread, O_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "env/env.h"
#include "env/machine/probe.h"
#include "env/machine/sysfs-topology.h"

static const struct { const char *name; int value; } errnos[] = {
	{ "ok", 0 }, { "ENOENT", ENOENT }, { "EACCES", EACCES },
	{ "EPERM", EPERM }, { "ENOSYS", ENOSYS }, { "EINVAL", EINVAL },
	{ "ENOSPC", ENOSPC }, { "EOPNOTSUPP", EOPNOTSUPP },
	{ "EBUSY", EBUSY }, { "EMFILE", EMFILE }, { "ENODEV", ENODEV },
};

const char *const probe_open_names[PROBE_OPENS] = {
	[PROBE_HARDWARE] = "hardware", [PROBE_SOFTWARE] = "software",
	[PROBE_KERNEL] = "kernel", [PROBE_BREAKPOINT] = "breakpoint",
};

const char *probe_open_text(int error, char room[24])
{
	for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++)
		if (errnos[i].value == error)
			return errnos[i].name;
	if (error < 0)
		return "not tried";
	snprintf(room, 24, "errno %d", error);
	return room;
}

struct attr {
	uint32_t type, size;
	uint64_t config, period, sample_type, read_format, flags;
	uint32_t wakeup, bp_type;
	uint64_t bp_addr, bp_len;
};

enum { TYPE_HARDWARE = 0, TYPE_SOFTWARE = 1, TYPE_BREAKPOINT = 5 };
enum { SOFTWARE_DUMMY = 9, WRITES = 2 };
enum { DISABLED = 1, EXCLUDE_KERNEL = 1 << 5, EXCLUDE_HV = 1 << 6 };

static int try_open(enum probe_open what)
{
	static const uint64_t word;
	struct attr attr = { .type = TYPE_SOFTWARE, .size = sizeof(attr),
			     .config = SOFTWARE_DUMMY,
			     .flags = DISABLED | EXCLUDE_HV };
	long fd;

	if (what != PROBE_KERNEL)
		attr.flags |= EXCLUDE_KERNEL;
	if (what == PROBE_HARDWARE) {
		attr.type = TYPE_HARDWARE;
		attr.config = 0;
	}
	if (what == PROBE_BREAKPOINT) {
		attr.type = TYPE_BREAKPOINT;
		attr.config = 0;
		attr.bp_type = WRITES;
		attr.bp_addr = (uintptr_t)&word;
		attr.bp_len = sizeof(word);
	}
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

static void parse_open(struct probe *p, const char *what, const char *result)
{
	for (int o = 0; o < PROBE_OPENS; o++)
		for (size_t i = 0; i < sizeof(errnos) / sizeof(errnos[0]); i++)
			if (!strcmp(probe_open_names[o], what) &&
			    !strcmp(errnos[i].name, result))
				p->open[o] = errnos[i].value;
}

static void parse_msr(struct probe *p, const char *line)
{
	struct probe_register r;

	if (sscanf(line, "msr %" SCNx32 " %" SCNx64, &r.reg, &r.value) == 2 &&
	    p->registers < PROBE_REGISTERS)
		p->msr[p->registers++] = r;
}

/* One line of assay-probe; *cpu: the CPU that the cpuid lines belong to. */
static void parse_line(struct probe *p, int *cpu, const char *line)
{
	struct probe_cpuid c = { .cpu = *cpu };
	char what[16], result[16];

	if (sscanf(line, "cpuid %x %x %x %x %x %x", &c.leaf, &c.subleaf,
		   &c.eax, &c.ebx, &c.ecx, &c.edx) == 6) {
		if (p->cpuids < PROBE_CPUIDS)
			p->cpuid[p->cpuids++] = c;
	} else if (sscanf(line, "open %15s %15s", what, result) == 2) {
		parse_open(p, what, result);
	} else if (!strncmp(line, "msr ", 4)) {
		parse_msr(p, line);
	} else if (sscanf(line, "cpu %d", cpu) != 1) {
		sscanf(line, "uid %d", &p->uid);
	}
}

static void read_recorded(struct probe *p)
{
	char text[32768], *line, *rest;
	int cpu = 0;

	if (sysfile_text(text, sizeof(text), p->sysroot, "/assay-probe") < 0)
		return;
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		parse_line(p, &cpu, line);
}

void probe_init_quiet(struct probe *out, const char *sysroot)
{
	memset(out, 0, sizeof(*out));
	out->sysroot = sysroot;
	out->live = sysroot_is_live(sysroot);
	out->uid = out->live ? (int)geteuid() : -1;
	for (int o = 0; o < PROBE_OPENS; o++)
		out->open[o] = -1;
	if (!out->live)
		read_recorded(out);
}

void probe_init(struct probe *out, const char *sysroot)
{
	probe_init_quiet(out, sysroot);
	for (int o = 0; o < PROBE_OPENS && out->live; o++)
		out->open[o] = try_open(o);
}

bool probe_cpuid(const struct probe *p, uint32_t leaf, uint32_t subleaf,
		 struct probe_cpuid *out)
{
	if (p->live)
		return arch_cpuid(leaf, subleaf, out);
	for (unsigned i = 0; i < p->cpuids; i++)
		if (p->cpuid[i].cpu == p->cpu && p->cpuid[i].leaf == leaf &&
		    p->cpuid[i].subleaf == subleaf) {
			*out = p->cpuid[i];
			return true;
		}
	return false;
}

bool probe_move(struct probe *p, int cpu, struct env_affinity *old)
{
	if (p->live)
		return !env_pin(cpu, old, NULL);
	p->cpu = cpu;
	return true;
}

static bool read_register(uint32_t reg, uint64_t *out)
{
	char path[32];
	bool read;
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", sysfs_first(NULL));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	read = pread(fd, out, sizeof(*out), reg) == sizeof(*out);
	close(fd);
	return read;
}

bool probe_msr(const struct probe *p, uint32_t reg, uint64_t *out)
{
	if (p->live)
		return read_register(reg, out);
	for (unsigned i = 0; i < p->registers; i++)
		if (p->msr[i].reg == reg) {
			*out = p->msr[i].value;
			return true;
		}
	return false;
}
