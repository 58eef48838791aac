/* SPDX-License-Identifier: MIT */
/* ELF headers and interpreters, and first lines of scripts. See binary.h. */
#include "store/programs/binary.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const uint16_t machines[ISAS] = {
	[ISA_X86_64] = EM_X86_64,
	[ISA_AARCH64] = EM_AARCH64,
};

const char *const binary_sysroots[ISAS] = {
	[ISA_X86_64] = "/usr/x86_64-linux-gnu",
	[ISA_AARCH64] = "/usr/aarch64-linux-gnu",
};

static bool read_at(int fd, void *out, size_t bytes, uint64_t offset)
{
	return offset <= INT64_MAX &&
	       pread(fd, out, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_segment(int fd, Elf64_Phdr *out, const Elf64_Ehdr *h,
			 unsigned index)
{
	return h->e_phoff <= INT64_MAX &&
	       read_at(fd, out, sizeof(*out),
		       h->e_phoff + index * sizeof(*out));
}

/* Are there PT_LOAD segments, all of them inside the file? */
static bool is_complete(int fd, const Elf64_Ehdr *h)
{
	struct stat st;
	uint64_t bytes;
	Elf64_Phdr p;
	bool loads = false;

	if (h->e_phentsize != sizeof(p) || fstat(fd, &st) < 0)
		return false;
	bytes = (uint64_t)st.st_size;
	for (unsigned i = 0; i < h->e_phnum; i++) {
		if (!read_segment(fd, &p, h, i))
			return false;
		if (p.p_type != PT_LOAD)
			continue;
		loads = true;
		if (p.p_filesz > bytes || p.p_offset > bytes - p.p_filesz)
			return false;
	}
	return loads;
}

static void find_interpreter(struct binary *out, int fd, const Elf64_Ehdr *h)
{
	Elf64_Phdr p;

	for (unsigned i = 0; i < h->e_phnum; i++) {
		if (!read_segment(fd, &p, h, i))
			return;
		if (p.p_type != PT_INTERP || !p.p_filesz ||
		    p.p_filesz >= sizeof(out->interpreter))
			continue;
		if (!read_at(fd, out->interpreter, p.p_filesz, p.p_offset))
			out->interpreter[0] = '\0';
		return;
	}
}

static enum binary_kind kind_of_elf(struct binary *out, const Elf64_Ehdr *h)
{
	if (h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB)
		return BINARY_FOREIGN;
	for (int i = 0; i < ISAS; i++) {
		if (h->e_machine != machines[i])
			continue;
		out->isa = (enum isa)i;
		return h->e_type == ET_EXEC || h->e_type == ET_DYN ?
		       BINARY_PROGRAM : BINARY_OBJECT;
	}
	return BINARY_FOREIGN;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "#! /bin/sh -e\n": the interpreter, and the rest as one argument. */
static enum binary_kind parse_script(struct binary *out, const char *line,
				  size_t bytes)
{
	const char *end = memchr(line, '\n', bytes), *at = line + 2, *word;
	const bool cut = !end && bytes == BINARY_LINE;

	if (!end)
		end = memchr(line, '\0', bytes);
	if (!end)
		end = line + bytes;
	while (end > at && is_blank(end[-1]))
		end--;
	while (at < end && is_blank(*at))
		at++;
	word = at;
	while (at < end && *at && !is_blank(*at))
		at++;
	/* the kernel refuses a name that may be cut off */
	if (at == word || (cut && at == end))
		return BINARY_UNKNOWN;
	memcpy(out->interpreter, word, (size_t)(at - word));
	while (at < end && is_blank(*at))
		at++;
	memcpy(out->argument, at, (size_t)(end - at));
	return BINARY_SCRIPT;
}

int binary_read(struct binary *out, const char *path)
{
	char line[BINARY_LINE];
	Elf64_Ehdr head;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t bytes;

	*out = (struct binary){ .kind = BINARY_UNKNOWN };
	if (fd < 0)
		return -errno;
	bytes = pread(fd, line, sizeof(line), 0);
	if (bytes >= 2 && memcmp(line, "#!", 2) == 0) {
		out->kind = parse_script(out, line, (size_t)bytes);
	} else if (bytes >= (ssize_t)sizeof(head) &&
		   memcmp(line, ELFMAG, SELFMAG) == 0) {
		memcpy(&head, line, sizeof(head));
		out->kind = kind_of_elf(out, &head);
		if (out->kind == BINARY_PROGRAM && !is_complete(fd, &head))
			out->kind = BINARY_CUT;
		if (out->kind == BINARY_PROGRAM)
			find_interpreter(out, fd, &head);
	}
	close(fd);
	return 0;
}

bool binary_changes_rights(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != geteuid())
		return true;
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) &&
	    st.st_gid != getegid())
		return true;
	return geteuid() != 0 &&
	       getxattr(path, "security.capability", NULL, 0) > 0;
}

bool binary_needs_sysroot(const struct binary *binary)
{
	char path[2 * BINARY_LINE];

	if (!binary->interpreter[0] ||
	    access(binary->interpreter, F_OK) == 0)
		return false;
	snprintf(path, sizeof(path), "%s%s", binary_sysroots[binary->isa],
		 binary->interpreter);
	return access(path, F_OK) == 0;
}
