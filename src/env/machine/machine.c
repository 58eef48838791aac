/* SPDX-License-Identifier: MIT */
/* Identifying a machine: CPU, stepping, microcode, hypervisor, container. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/env.h"
#include "env/machine/machine.h"
#include "env/machine/sysfs-topology.h"

/* Implementer << 12 | part, as in MIDR_EL1. Names: Arm's and makers' TRMs. */
static const struct { unsigned code; const char *name; } cores[] = {
	{ 0x41d03, "Arm Cortex-A53" }, { 0x41d04, "Arm Cortex-A35" },
	{ 0x41d05, "Arm Cortex-A55" }, { 0x41d07, "Arm Cortex-A57" },
	{ 0x41d08, "Arm Cortex-A72" }, { 0x41d09, "Arm Cortex-A73" },
	{ 0x41d0a, "Arm Cortex-A75" }, { 0x41d0b, "Arm Cortex-A76" },
	{ 0x41d0c, "Arm Neoverse N1" }, { 0x41d0d, "Arm Cortex-A77" },
	{ 0x41d40, "Arm Neoverse V1" }, { 0x41d41, "Arm Cortex-A78" },
	{ 0x41d44, "Arm Cortex-X1" }, { 0x41d46, "Arm Cortex-A510" },
	{ 0x41d47, "Arm Cortex-A710" }, { 0x41d48, "Arm Cortex-X2" },
	{ 0x41d49, "Arm Neoverse N2" }, { 0x41d4a, "Arm Neoverse E1" },
	{ 0x41d4d, "Arm Cortex-A715" }, { 0x41d4e, "Arm Cortex-X3" },
	{ 0x41d4f, "Arm Neoverse V2" }, { 0x41d80, "Arm Cortex-A520" },
	{ 0x41d81, "Arm Cortex-A720" }, { 0x41d82, "Arm Cortex-X4" },
	{ 0x41d84, "Arm Neoverse V3" }, { 0x41d8e, "Arm Neoverse N3" },
	{ 0x43516, "Cavium ThunderX2" }, { 0x430af, "Cavium ThunderX2" },
	{ 0x46001, "Fujitsu A64FX" }, { 0x48d01, "HiSilicon TSV110" },
	{ 0x50000, "APM X-Gene" }, { 0x51001, "Qualcomm Oryon" },
	{ 0x61022, "Apple M1 Icestorm" }, { 0x61023, "Apple M1 Firestorm" },
	{ 0x61024, "Apple M1 Pro Icestorm" },
	{ 0x61025, "Apple M1 Pro Firestorm" },
	{ 0x61028, "Apple M1 Max Icestorm" },
	{ 0x61029, "Apple M1 Max Firestorm" },
	{ 0x61032, "Apple M2 Blizzard" }, { 0x61033, "Apple M2 Avalanche" },
	{ 0x61034, "Apple M2 Pro Blizzard" },
	{ 0x61035, "Apple M2 Pro Avalanche" },
	{ 0x61038, "Apple M2 Max Blizzard" },
	{ 0x61039, "Apple M2 Max Avalanche" },
	{ 0xc0ac3, "Ampere-1" }, { 0xc0ac4, "Ampere-1a" },
};

static const struct { const char *signature, *name; } hypervisors[] = {
	{ "KVMKVMKVM", "KVM" }, { "Microsoft Hv", "Hyper-V" },
	{ "VMwareVMware", "VMware" }, { "XenVMMXenVMM", "Xen" },
	{ "TCGTCGTCGTCG", "QEMU TCG" }, { "bhyve bhyve ", "bhyve" },
	{ "VBoxVBoxVBox", "VirtualBox" }, { "ACRNACRNACRN", "ACRN" },
	{ " lrpepyh  vr", "Parallels" }, { "Linux KVM Hv", "KVM" },
};

/* Without CPUID, the maker of the board shows the hypervisor. */
static const struct { const char *maker, *name; } boards[] = {
	{ "QEMU", "KVM or QEMU" }, { "KVM", "KVM" }, { "Xen", "Xen" },
	{ "VMware", "VMware" }, { "Microsoft", "Hyper-V" },
	{ "Google", "KVM" }, { "Parallels", "Parallels" },
	{ "Apple Virtualization", "Apple Virtualization" },
	{ "innotek", "VirtualBox" }, { "OpenStack", "KVM" },
};

const char *machine_midr_name(unsigned midr)
{
	const unsigned code = (midr >> 24) << 12 | ((midr >> 4) & 0xfff);

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
		if (cores[i].code == code)
			return cores[i].name;
	return NULL;
}

static int key_number(const char *text, const char *key)
{
	char value[64];

	if (!sysfile_key(value, sizeof(value), text, key))
		return -1;
	return (int)strtol(value, NULL, 0);
}

static void read_flags(struct machine_id *id, const char *cpuinfo,
		       const char *key)
{
	id->flags[0] = ' ';
	if (!sysfile_key(id->flags + 1, sizeof(id->flags) - 2, cpuinfo, key))
		id->flags[1] = '\0';
	strcat(id->flags, " ");
}

static void identify_x86(struct machine_id *id, const char *cpuinfo)
{
	id->isa = MACHINE_X86;
	id->family = key_number(cpuinfo, "cpu family");
	id->model = key_number(cpuinfo, "model");
	id->stepping = key_number(cpuinfo, "stepping");
	sysfile_key(id->name, sizeof(id->name), cpuinfo, "model name");
	read_flags(id, cpuinfo, "flags");
}

static unsigned cpuinfo_midr(const char *cpuinfo)
{
	const int implementer = key_number(cpuinfo, "CPU implementer");
	const int part = key_number(cpuinfo, "CPU part");
	const int variant = key_number(cpuinfo, "CPU variant");
	const int revision = key_number(cpuinfo, "CPU revision");

	if (implementer < 0 || part < 0)
		return 0;
	return (unsigned)implementer << 24 | (unsigned)(variant & 15) << 20 |
	       0xfu << 16 | (unsigned)(part & 0xfff) << 4 |
	       (unsigned)(revision & 15);
}

static const char midr_path[] = SYSFS_CPUS "/cpu%d/regs/identification/"
				"midr_el1";

static void identify_arm(struct machine_id *id, const char *cpuinfo,
			 const char *sysroot)
{
	const char *name;
	int64_t midr;

	id->isa = MACHINE_ARM;
	read_flags(id, cpuinfo, "Features");
	id->midr = sysfile_number(&midr, sysroot, midr_path,
				  sysfs_first(sysroot)) ?
		   (unsigned)midr : cpuinfo_midr(cpuinfo);
	if (!id->midr)
		return;
	name = machine_midr_name(id->midr);
	if (name)
		text_copy(id->name, sizeof(id->name), name);
	else
		snprintf(id->name, sizeof(id->name),
			 "implementer 0x%02x part 0x%03x", id->midr >> 24,
			 (id->midr >> 4) & 0xfff);
}

void machine_identify(struct machine_id *out, const struct probe *probe)
{
	char cpuinfo[8192];

	memset(out, 0, sizeof(*out));
	out->isa = MACHINE_OTHER;
	out->family = out->model = out->stepping = -1;
	sysfile_text(cpuinfo, sizeof(cpuinfo), probe->sysroot,
		     "/proc/cpuinfo");
	if (sysfile_key(out->vendor, sizeof(out->vendor), cpuinfo,
			"vendor_id"))
		identify_x86(out, cpuinfo);
	else if (strstr(cpuinfo, "CPU implementer") ||
		 sysfile_exists(probe->sysroot, midr_path,
				sysfs_first(probe->sysroot)))
		identify_arm(out, cpuinfo, probe->sysroot);
}

bool machine_flag(const struct machine_id *id, const char *flag)
{
	const size_t length = strlen(flag);
	const char *at = id->flags;

	while ((at = strstr(at, flag))) {
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
		at += length;
	}
	return false;
}

static bool hypervisor_by_cpuid(char *out, size_t room,
				const struct probe *probe)
{
	struct probe_cpuid c;
	char text[13];

	if (!probe_cpuid(probe, 0x40000000, 0, &c))
		return false;
	memcpy(text, &c.ebx, 4);
	memcpy(text + 4, &c.ecx, 4);
	memcpy(text + 8, &c.edx, 4);
	text[12] = '\0';
	for (size_t i = 0; i < sizeof(hypervisors) / sizeof(hypervisors[0]);
	     i++)
		if (!strcmp(text, hypervisors[i].signature)) {
			text_copy(out, room, hypervisors[i].name);
			return true;
		}
	snprintf(out, room, "'%s'", text);
	return true;
}

static bool hypervisor_by_board(char *out, size_t room, const char *sysroot)
{
	char maker[128], product[64];

	sysfile_text(maker, 64, sysroot, "/sys/class/dmi/id/sys_vendor");
	sysfile_text(product, sizeof(product), sysroot,
		     "/sys/class/dmi/id/product_name");
	if (strstr(product, ".metal"))
		return false;
	if (!strncmp(maker, "Amazon EC2", 10)) {
		text_copy(out, room, "Nitro (KVM)");
		return true;
	}
	strcat(maker, " ");
	strcat(maker, product);
	for (size_t i = 0; i < sizeof(boards) / sizeof(boards[0]); i++)
		if (!strncmp(maker, boards[i].maker, strlen(boards[i].maker))) {
			text_copy(out, room, boards[i].name);
			return true;
		}
	return false;
}

/* A board of Microsoft, Google or Amazon may be bare metal: on x86 the CPU's
 * flag "hypervisor" decides. */
static void hypervisor_of(char *out, size_t room, const struct machine_id *id,
			  const struct probe *probe)
{
	char text[64];

	text_copy(out, room, "");
	if (id->isa == MACHINE_X86) {
		if (!machine_flag(id, "hypervisor"))
			return;
		if (hypervisor_by_cpuid(out, room, probe) ||
		    hypervisor_by_board(out, room, probe->sysroot))
			return;
		text_copy(out, room, "unknown");
		return;
	}
	if (sysfile_text(text, sizeof(text), probe->sysroot,
			 "/sys/hypervisor/type") > 0 ||
	    sysfile_text(text, sizeof(text), probe->sysroot,
			 "/proc/device-tree/hypervisor/compatible") > 0) {
		text_copy(out, room, text);
		return;
	}
	if (hypervisor_by_board(out, room, probe->sysroot))
		return;
	if (sysfile_text(text, sizeof(text), probe->sysroot,
			 "/proc/device-tree/compatible") > 0 &&
	    !strcmp(text, "linux,dummy-virt"))
		text_copy(out, room, "KVM or QEMU");
}

void machine_hypervisor(char *out, size_t room, const struct probe *probe)
{
	struct machine_id id;

	machine_identify(&id, probe);
	hypervisor_of(out, room, &id, probe);
}

void machine_container(char *out, size_t room, const struct probe *probe)
{
	const char *root = probe->sysroot;
	char text[64];

	text_copy(out, room, "");
	if (sysfile_text(text, sizeof(text), root, "/run/systemd/container") >
	    0)
		text_copy(out, room, text);
	else if (sysfile_exists(root, "/run/.containerenv"))
		text_copy(out, room, "podman");
	else if (sysfile_exists(root, "/.dockerenv"))
		text_copy(out, room, "docker");
}

static const char *isa_of(const struct machine_id *id,
			  const struct probe *probe)
{
	if (probe->live)
		return arch_isa();
	return id->isa == MACHINE_X86 ? "x86-64" :
	       id->isa == MACHINE_ARM ? "aarch64" : "unknown";
}

int env_machine(struct assay_machine *out, const char *sysroot,
		struct assay_error *err)
{
	struct machine_id id;
	struct probe probe;

	(void)err;
	probe_init_quiet(&probe, sysroot);
	machine_identify(&id, &probe);
	memset(out, 0, sizeof(*out));
	sysfile_text(out->host, sizeof(out->host), sysroot,
		     "/proc/sys/kernel/hostname");
	sysfile_text(out->kernel, sizeof(out->kernel), sysroot,
		     "/proc/sys/kernel/osrelease");
	text_copy(out->cpu, sizeof(out->cpu), id.name[0] ? id.name :
		  "unknown CPU");
	text_copy(out->isa, sizeof(out->isa), isa_of(&id, &probe));
	hypervisor_of(out->hypervisor, sizeof(out->hypervisor), &id, &probe);
	return 0;
}

void env_revision(char *stepping, size_t stepping_room, char *microcode,
		  size_t microcode_room, const char *sysroot)
{
	char cpuinfo[8192], variant[24], revision[24];

	*stepping = *microcode = '\0';
	sysfile_text(cpuinfo, sizeof(cpuinfo), sysroot, "/proc/cpuinfo");
	if (sysfile_key(variant, sizeof(variant), cpuinfo, "CPU variant") &&
	    sysfile_key(revision, sizeof(revision), cpuinfo, "CPU revision"))
		snprintf(stepping, stepping_room, "r%ldp%ld",
			 strtol(variant, NULL, 0), strtol(revision, NULL, 0));
	else
		sysfile_key(stepping, stepping_room, cpuinfo, "stepping");
	sysfile_key(microcode, microcode_room, cpuinfo, "microcode");
}
