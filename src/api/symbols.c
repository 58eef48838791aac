/* SPDX-License-Identifier: MIT */
/* Functions by symbol table, lines by DWARF. */
#include "api/symbols.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;		/* from the file's addresses to the module's */
};

/* Separate debug files are looked for in the usual places. */
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static bool load(struct symbols *s, const char *path)
{
	s->dwfl = dwfl_begin(&callbacks);
	if (!s->dwfl)
		return false;
	dwfl_report_begin(s->dwfl);
	s->module = dwfl_report_offline(s->dwfl, path, path, -1);
	dwfl_report_end(s->dwfl, NULL, NULL);
	if (s->module)
		s->elf = dwfl_module_getelf(s->module, &s->bias);
	return s->elf;
}

struct symbols *symbols_open(const char *path)
{
	struct symbols *s = calloc(1, sizeof(*s));

	if (s && load(s, path))
		return s;
	symbols_close(s);
	return NULL;
}

void symbols_close(struct symbols *symbols)
{
	if (symbols && symbols->dwfl)
		dwfl_end(symbols->dwfl);
	free(symbols);
}

/* The address that the file gives to an offset of it. */
static bool address_of(const struct symbols *s, uint64_t offset,
		       GElf_Addr *out)
{
	GElf_Phdr p;
	size_t n;

	if (elf_getphdrnum(s->elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(s->elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    offset < p.p_offset || offset - p.p_offset >= p.p_filesz)
			continue;
		*out = p.p_vaddr + (offset - p.p_offset) + s->bias;
		return true;
	}
	return false;
}

void symbols_find(const struct symbols *symbols, uint64_t offset,
		  struct place_in_code *out)
{
	Dwfl_Line *line;
	GElf_Addr address, start;
	GElf_Sym symbol;

	*out = (struct place_in_code){ 0 };
	if (!address_of(symbols, offset, &address))
		return;
	out->function = dwfl_module_addrinfo(symbols->module, address, &start,
					     &symbol, NULL, NULL, NULL);
	line = dwfl_module_getsrc(symbols->module, address);
	if (line)
		out->file = dwfl_lineinfo(line, NULL, &out->line, NULL, NULL,
					  NULL);
}

bool symbols_stripped(const struct symbols *symbols)
{
	int n = dwfl_module_getsymtab(symbols->module);
	GElf_Sym symbol;
	GElf_Addr value;

	for (int i = 1; i < n; i++)
		if (dwfl_module_getsym_info(symbols->module, i, &symbol,
					    &value, NULL, NULL, NULL) &&
		    symbol.st_shndx != SHN_UNDEF &&
		    GELF_ST_BIND(symbol.st_info) == STB_LOCAL &&
		    GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
			return false;
	return true;
}

bool symbols_address(const struct symbols *symbols, const char *name,
		     uint64_t *out)
{
	int n = dwfl_module_getsymtab(symbols->module);
	GElf_Sym symbol;
	GElf_Addr value;

	for (int i = 1; i < n; i++) {
		const char *found = dwfl_module_getsym_info(symbols->module, i,
							    &symbol, &value,
							    NULL, NULL, NULL);

		if (!found || strcmp(found, name) != 0)
			continue;
		*out = value - symbols->bias;
		return true;
	}
	return false;
}
