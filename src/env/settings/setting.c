/* SPDX-License-Identifier: MIT */
/* The table of settings, and reading and writing them; see setting.h. */
#define _GNU_SOURCE	/* pread, O_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/settings/setting.h"

/*
 * Sources of the registers: Intel SDM 4, MSR_MISC_FEATURE_CONTROL (bits 0 L2
 * streamer, 1 L2 adjacent line, 2 DCU next line, 3 DCU by instruction); AMD
 * PPR of family 19h model 11h, Prefetch Control (0 L1 stream, 1 L1 stride, 2
 * L1 region, 3 L2 stream, 5 up/down); AMD BKDG of family 10h, DC_CFG
 * (13 DisHwPf). A set bit turns a prefetcher off in all of them.
 */
static const struct kind {
	const char *name, *path;
	uint32_t reg;
	uint64_t mask;		/* 0: a file, not a register */
	bool each_cpu;		/* one setting per CPU */
	bool word;		/* the value is a word, no number */
} kinds[SETTING_KINDS] = {
	[SETTING_INTEL_PREFETCH] = { "intel-prefetch", "/dev/cpu/%d/msr",
				     0x1a4, 0xf, true, false },
	[SETTING_AMD_PREFETCH] = { "amd-prefetch", "/dev/cpu/%d/msr",
				   0xc0000108, 0x2f, true, false },
	[SETTING_K10_PREFETCH] = { "k10-prefetch", "/dev/cpu/%d/msr",
				   0xc0011022, 0x2000, true, false },
	[SETTING_GOVERNOR] = { "governor", "/sys/devices/system/cpu/cpu%d/"
			       "cpufreq/scaling_governor", 0, 0, true, true },
	[SETTING_HUGE_PAGES] = { "huge-pages", "/sys/kernel/mm/hugepages/"
				 "hugepages-2048kB/nr_hugepages", 0, 0, false,
				 false },
};

enum { MOST_HUGE_PAGES = 1 << 24, PATH_ROOM = 1024 };

const char *setting_name(enum setting_kind kind)
{
	return kinds[kind].name;
}

bool setting_find(enum setting_kind *out, const char *name)
{
	for (int k = 0; k < SETTING_KINDS; k++)
		if (!strcmp(kinds[k].name, name)) {
			*out = (enum setting_kind)k;
			return true;
		}
	return false;
}

uint64_t setting_mask(enum setting_kind kind)
{
	return kinds[kind].mask;
}

static bool is_number(uint64_t *out, const char *value, int base)
{
	const char *digits = base == 16 ? "0123456789abcdef" : "0123456789";
	char *end;

	if (base == 16 && strncmp(value, "0x", 2))
		return false;
	value += base == 16 ? 2 : 0;
	if (!*value || strlen(value) > 16 || value[strspn(value, digits)])
		return false;
	errno = 0;
	*out = strtoull(value, &end, base);
	return !errno;
}

static bool is_governor(const char *value)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";

	return *value && strlen(value) < SETTING_VALUE &&
	       !value[strspn(value, letters)];
}

bool setting_valid(enum setting_kind kind, int cpu, const char *value)
{
	const struct kind *k = &kinds[kind];
	uint64_t number;

	if (k->each_cpu ? cpu < 0 || cpu >= SETTING_CPUS : cpu != -1)
		return false;
	if (k->word)
		return is_governor(value);
	if (!is_number(&number, value, k->mask ? 16 : 10))
		return false;
	return k->mask ? !(number & ~k->mask) : number <= MOST_HUGE_PAGES;
}

/* The path of a setting; shown: the part below the root, for messages. */
struct place { char path[PATH_ROOM]; const char *shown; };

static bool place_of(struct place *place, const char *sysroot,
		     enum setting_kind kind, int cpu)
{
	const char *root = sysroot_is_live(sysroot) ? "" : sysroot;
	char *out = place->path;
	const int head = snprintf(out, PATH_ROOM, "%s", root);
	int tail;

	place->shown = out + head;

	if (head < 0 || head >= PATH_ROOM)
		return false;
	/* the paths of the table have one %d, or none */
	tail = kinds[kind].each_cpu ?
	       snprintf(out + head, PATH_ROOM - (size_t)head,
			kinds[kind].path, cpu) :
	       snprintf(out + head, PATH_ROOM - (size_t)head, "%s",
			kinds[kind].path);
	return tail >= 0 && head + tail < PATH_ROOM;
}

static int failed(const char *what, const struct place *p, int error,
		  enum setting_kind kind, struct assay_error *err)
{
	const bool denied = error == EACCES || error == EPERM;
	const bool register_ = kinds[kind].mask != 0;
	int code = denied ? -ASSAY_EPERM : -ASSAY_EIO;

	code = error_set(err, code, "cannot %s %s: %s", what, p->shown,
			 strerror(error));
	if (err)
		err->sys_errno = error;
	if (error == ENOENT || error == ENXIO || error == ENODEV)
		error_add(err, register_ ? "try as root: modprobe msr (a "
			  "virtual machine may not pass registers on)" :
			  "this kernel, or its hypervisor, does not have it");
	else if (denied)
		error_add(err, "try: as root%s", register_ ? ", and with "
			  "Secure Boot's lockdown off" : "");
	else if (error == EIO && register_)
		error_add(err, "the CPU, or its hypervisor, does not have "
			  "this register");
	return code;
}

/* All bits of the register. */
static int read_register(uint64_t *out, const struct place *p,
			 enum setting_kind kind, struct assay_error *err)
{
	const int fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
			    O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return failed("open", p, errno, kind, err);
	n = pread(fd, out, sizeof(*out), (off_t)kinds[kind].reg);
	if (n != sizeof(*out))
		n = failed("read", p, n < 0 ? errno : EIO, kind, err);
	close(fd);
	return n < 0 ? (int)n : 0;
}

int setting_read(char out[SETTING_VALUE], const char *sysroot,
		 enum setting_kind kind, int cpu, struct assay_error *err)
{
	struct place p;
	uint64_t value = 0;
	int rc;

	if (!place_of(&p, sysroot, kind, cpu))
		return error_set(err, -ASSAY_EIO, "the path of '%s' is too "
				 "long", kinds[kind].name);
	if (!kinds[kind].mask) {
		rc = sysfile_text(out, SETTING_VALUE, sysroot, "%s", p.shown);
		return rc < 0 ? failed("open", &p, -rc, kind, err) : 0;
	}
	rc = read_register(&value, &p, kind, err);
	if (!rc)
		snprintf(out, SETTING_VALUE, "0x%" PRIx64,
			 value & kinds[kind].mask);
	return rc;
}

static int put(const struct place *p, const void *data, size_t bytes, off_t at,
	       enum setting_kind kind, struct assay_error *err)
{
	const int fd = open(p->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW |
			    O_NONBLOCK | (kinds[kind].mask ? 0 : O_TRUNC));
	int rc = 0;
	ssize_t n;

	if (fd < 0)
		return failed("open", p, errno, kind, err);
	n = pwrite(fd, data, bytes, at);
	if (n != (ssize_t)bytes)
		rc = failed("write", p, n < 0 ? errno : EIO, kind, err);
	if (close(fd) && !rc)
		rc = failed("write", p, errno, kind, err);
	return rc;
}

static int write_register(const struct place *p, enum setting_kind kind,
			  const char *value, struct assay_error *err)
{
	const uint64_t mask = kinds[kind].mask;
	uint64_t all = 0, bits = 0;
	int rc = read_register(&all, p, kind, err);

	if (rc)
		return rc;
	is_number(&bits, value, 16);
	all = (all & ~mask) | (bits & mask);
	return put(p, &all, sizeof(all), (off_t)kinds[kind].reg, kind, err);
}

int setting_write(const char *sysroot, enum setting_kind kind, int cpu,
		  const char *value, struct assay_error *err)
{
	char line[SETTING_VALUE + 2], now[SETTING_VALUE];
	struct place p;
	int rc;

	if (!setting_valid(kind, cpu, value) ||
	    !place_of(&p, sysroot, kind, cpu))
		return error_set(err, -ASSAY_EINVAL, "'%.40s' is no value of "
				 "'%s'", value, kinds[kind].name);
	snprintf(line, sizeof(line), "%s\n", value);
	rc = kinds[kind].mask ? write_register(&p, kind, value, err) :
	     put(&p, line, strlen(line), 0, kind, err);
	if (!rc)
		rc = setting_read(now, sysroot, kind, cpu, err);
	if (!rc && strcmp(now, value))
		rc = error_set(err, -ASSAY_EIO, "%s was set to '%s' and is "
			       "'%s'", p.shown, value, now);
	return rc;
}

void setting_advise(struct assay_error *err, const char *sysroot,
		    const struct setting *s)
{
	const struct kind *k = &kinds[s->kind];
	char path[2 * PATH_ROOM];
	uint64_t all, bits = 0;
	struct place p;

	if (!place_of(&p, sysroot, s->kind, s->cpu))
		return;
	text_shell(path, sizeof(path), p.path);
	is_number(&bits, s->was, 16);
	if (!k->mask)
		error_add(err, "to have '%s' again: echo %s > %s", s->was,
			  s->was, path);
	else if (!read_register(&all, &p, s->kind, NULL))
		error_add(err, "to have '%s' again: wrmsr -p %d 0x%" PRIx32
			  " 0x%" PRIx64, s->was, s->cpu, k->reg,
			  (all & ~k->mask) | bits);
}

static int no_prefetch(struct assay_error *err, const char *why,
		       const char *instead)
{
	error_set(err, -ASSAY_EPERM, "the prefetchers cannot be switched "
		  "here: %s", why);
	if (instead)
		error_add(err, "%s", instead);
	return -ASSAY_EPERM;
}

/* Families 10h to 14h have a documented DC_CFG. From Zen 4 on, CPUID has a bit
 * for the architected register. The families between document no register. */
static int amd_kind(enum setting_kind *out, const struct machine_id *id,
		    const struct probe *probe, struct assay_error *err)
{
	struct probe_cpuid c;

	if (probe_cpuid(probe, 0x80000021, 0, &c) && c.eax >> 13 & 1)
		*out = SETTING_AMD_PREFETCH;
	else if (id->family >= 0x10 && id->family <= 0x14)
		*out = SETTING_K10_PREFETCH;
	else
		return no_prefetch(err, "this AMD CPU documents no register "
				   "for it (CPUID 8000_0021 EAX bit 13 is "
				   "clear)", "try: the firmware's set-up, "
				   "under 'L1/L2 stream prefetcher'");
	return 0;
}

int setting_prefetch_kind(enum setting_kind *out, const struct probe *probe,
			  struct assay_error *err)
{
	struct machine_id id;

	machine_identify(&id, probe);
	if (id.isa == MACHINE_ARM)
		return no_prefetch(err, "AArch64 lets only the kernel and the "
				   "firmware write CPUACTLR_EL1 and "
				   "CPUECTLR_EL1",
				   "on bare metal: Cortex-A72 CPUACTLR_EL1 "
				   "bit 56, Neoverse N1 CPUECTLR_EL1 bit 15");
	if (!strcmp(id.vendor, "GenuineIntel") && id.family == 6 &&
	    id.model >= 0x1a) {
		*out = SETTING_INTEL_PREFETCH;
		return 0;
	}
	if (!strcmp(id.vendor, "AuthenticAMD"))
		return amd_kind(out, &id, probe, err);
	return no_prefetch(err, "no register is known for this CPU", NULL);
}
