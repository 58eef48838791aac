/* SPDX-License-Identifier: MIT */
/*
 * See heap-library.h. The file is one page: ELF header, program headers,
 * dynamic section, symbol and hash tables, code. DF_1_INITFIRST: the dynamic
 * linker runs DT_INIT of this library before that of any other.
 */
#include "ci/heap-library.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { DYNAMICS = 8, CODE = 40, X86_BY = 12 /* offset of the immediate */ };

struct image {
	Elf64_Ehdr head;
	Elf64_Phdr program[3];
	Elf64_Dyn dynamic[DYNAMICS];
	Elf64_Sym none;
	uint32_t hash[4];	/* one bucket, one symbol: none */
	unsigned char code[CODE];
	char names[8];
};

/* brk(brk(0) + by), then return. */
static const unsigned char x86_64_code[] = {
	0xb8, 12, 0, 0, 0,		/* mov $SYS_brk, %eax */
	0x31, 0xff,			/* xor %edi, %edi */
	0x0f, 0x05,			/* syscall */
	0x48, 0x8d, 0xb8, 0, 0, 0, 0,	/* lea by(%rax), %rdi */
	0xb8, 12, 0, 0, 0,		/* mov $SYS_brk, %eax */
	0x0f, 0x05, 0xc3		/* syscall; ret */
};
static const uint32_t aarch64_code[] = {
	0xd2801ac8, 0xd2800000, 0xd4000001,	/* brk(0) */
	0xd2800001,				/* mov x1, #by */
	0x8b010000, 0xd4000001, 0xd65f03c0	/* brk(x0 + x1); ret */
};

static void put_code(unsigned char *out, enum isa isa, uint32_t by)
{
	uint32_t mov = aarch64_code[3] | by << 5;

	if (isa == ISA_X86_64) {
		memcpy(out, x86_64_code, sizeof(x86_64_code));
		memcpy(out + X86_BY, &by, sizeof(by));
		return;
	}
	memcpy(out, aarch64_code, sizeof(aarch64_code));
	memcpy(out + 12, &mov, sizeof(mov));
}

static const struct image *fill(struct image *out, enum isa isa, unsigned by)
{
	const Elf64_Dyn dynamic[DYNAMICS] = {
		{ DT_HASH, { offsetof(struct image, hash) } },
		{ DT_SYMTAB, { offsetof(struct image, none) } },
		{ DT_STRTAB, { offsetof(struct image, names) } },
		{ DT_STRSZ, { sizeof(out->names) } },
		{ DT_SYMENT, { sizeof(Elf64_Sym) } },
		{ DT_INIT, { offsetof(struct image, code) } },
		{ DT_FLAGS_1, { DF_1_INITFIRST } },
	};

	*out = (struct image){
		.head = { .e_type = ET_DYN, .e_version = EV_CURRENT,
			.e_machine = isa == ISA_X86_64 ? EM_X86_64 : EM_AARCH64,
			.e_phoff = offsetof(struct image, program),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3,
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
				ELFCLASS64, ELFDATA2LSB, EV_CURRENT } },
		.program = {
			{ .p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X,
			  .p_filesz = sizeof(*out), .p_memsz = sizeof(*out),
			  .p_align = 1 << 16 },
			{ .p_type = PT_DYNAMIC, .p_flags = PF_R | PF_W,
			  .p_offset = offsetof(struct image, dynamic),
			  .p_vaddr = offsetof(struct image, dynamic),
			  .p_filesz = sizeof(dynamic),
			  .p_memsz = sizeof(dynamic), .p_align = 8 },
			{ .p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W },
		},
		.hash = { 1, 1, 0, 0 },
	};
	memcpy(out->dynamic, dynamic, sizeof(dynamic));
	put_code(out->code, isa, by);
	return out;
}

int heap_library_write(const char *path, enum isa isa, unsigned by)
{
	struct image image;
	const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    0700);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, fill(&image, isa, by), sizeof(image));
	return close(fd) < 0 || n != (ssize_t)sizeof(image) ? -1 : 0;
}
