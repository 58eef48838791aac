/* SPDX-License-Identifier: MIT */
/*
 * Loads libdw and libelf on first use: only symbols.c needs them, and they need
 * four more libraries. Each FORWARD line is one function of theirs.
 */
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "base/loading/load.h"

FORWARD(DW, Dwfl *, NULL, dwfl_begin, (const Dwfl_Callbacks *callbacks),
	(callbacks))
FORWARD_VOID(DW, dwfl_end, (Dwfl *dwfl), (dwfl))
FORWARD_VOID(DW, dwfl_report_begin, (Dwfl *dwfl), (dwfl))
FORWARD(DW, Dwfl_Module *, NULL, dwfl_report_offline,
	(Dwfl *dwfl, const char *name, const char *file, int fd),
	(dwfl, name, file, fd))
FORWARD(DW, int, -1, dwfl_report_end,
	(Dwfl *dwfl, int (*removed)(Dwfl_Module *, void *, const char *,
				    Dwarf_Addr, void *), void *arg),
	(dwfl, removed, arg))
FORWARD(DW, Elf *, NULL, dwfl_module_getelf,
	(Dwfl_Module *module, GElf_Addr *bias), (module, bias))
FORWARD(DW, int, -1, dwfl_module_getsymtab, (Dwfl_Module *module),
	(module))
FORWARD(DW, const char *, NULL, dwfl_module_getsym_info,
	(Dwfl_Module *module, int index, GElf_Sym *symbol, GElf_Addr *address,
	 GElf_Word *section, Elf **elf, Dwarf_Addr *bias),
	(module, index, symbol, address, section, elf, bias))
FORWARD(DW, Dwfl_Line *, NULL, dwfl_module_getsrc,
	(Dwfl_Module *module, Dwarf_Addr address), (module, address))
FORWARD(DW, const char *, NULL, dwfl_lineinfo,
	(Dwfl_Line *line, Dwarf_Addr *address, int *number, int *column,
	 Dwarf_Word *time, Dwarf_Word *length),
	(line, address, number, column, time, length))
FORWARD(DW, Dwarf_Die *, NULL, dwfl_linecu, (Dwfl_Line *line), (line))
FORWARD(DW, Dwarf *, NULL, dwfl_module_getdwarf,
	(Dwfl_Module *module, Dwarf_Addr *bias), (module, bias))
FORWARD(DW, int, -1, dwarf_getsrcfiles,
	(Dwarf_Die *unit, Dwarf_Files **files, size_t *n), (unit, files, n))
FORWARD(DW, const char *, NULL, dwarf_filesrc,
	(Dwarf_Files *files, size_t i, Dwarf_Word *time, Dwarf_Word *length),
	(files, i, time, length))
FORWARD(DW, int, -1, dwarf_child, (Dwarf_Die *die, Dwarf_Die *out),
	(die, out))
FORWARD(DW, int, -1, dwarf_siblingof, (Dwarf_Die *die, Dwarf_Die *out),
	(die, out))
FORWARD(DW, int, -1, dwarf_tag, (Dwarf_Die *die), (die))
FORWARD(DW, const char *, NULL, dwarf_diename, (Dwarf_Die *die), (die))
FORWARD(DW, Dwarf_Attribute *, NULL, dwarf_attr,
	(Dwarf_Die *die, unsigned name, Dwarf_Attribute *out),
	(die, name, out))
FORWARD(DW, Dwarf_Attribute *, NULL, dwarf_attr_integrate,
	(Dwarf_Die *die, unsigned name, Dwarf_Attribute *out),
	(die, name, out))
FORWARD(DW, const char *, NULL, dwarf_formstring,
	(Dwarf_Attribute *attribute), (attribute))
FORWARD(DW, int, -1, dwarf_formudata,
	(Dwarf_Attribute *attribute, Dwarf_Word *out), (attribute, out))
FORWARD(DW, Dwarf_Die *, NULL, dwfl_module_nextcu,
	(Dwfl_Module *module, Dwarf_Die *last, Dwarf_Addr *bias),
	(module, last, bias))
FORWARD(DW, ptrdiff_t, -1, dwarf_ranges,
	(Dwarf_Die *die, ptrdiff_t offset, Dwarf_Addr *base, Dwarf_Addr *start,
	 Dwarf_Addr *end),
	(die, offset, base, start, end))
FORWARD(DW, Dwarf_Line *, NULL, dwarf_getsrc_die,
	(Dwarf_Die *unit, Dwarf_Addr address), (unit, address))
FORWARD(DW, int, -1, dwarf_lineno, (Dwarf_Line *line, int *number),
	(line, number))
FORWARD(DW, const char *, NULL, dwarf_linesrc,
	(Dwarf_Line *line, Dwarf_Word *time, Dwarf_Word *length),
	(line, time, length))
FORWARD(DW, int, -1, dwfl_build_id_find_elf,
	(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
	 char **file, Elf **elf),
	(module, data, name, base, file, elf))
FORWARD(DW, int, -1, dwfl_standard_find_debuginfo,
	(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
	 const char *file, const char *link, GElf_Word crc, char **found),
	(module, data, name, base, file, link, crc, found))
FORWARD(DW, int, -1, dwfl_offline_section_address,
	(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
	 const char *section, GElf_Word index, const GElf_Shdr *header,
	 Dwarf_Addr *address),
	(module, data, name, base, section, index, header, address))
FORWARD(ELF, int, -1, elf_getphdrnum, (Elf *elf, size_t *out), (elf, out))
FORWARD(ELF, int, -1, elf_getshdrnum, (Elf *elf, size_t *out), (elf, out))
FORWARD(ELF, int, -1, elf_getshdrstrndx, (Elf *elf, size_t *out),
	(elf, out))
FORWARD(ELF, Elf_Scn *, NULL, elf_getscn, (Elf *elf, size_t index),
	(elf, index))
FORWARD(ELF, Elf_Scn *, NULL, elf_nextscn, (Elf *elf, Elf_Scn *section),
	(elf, section))
FORWARD(ELF, char *, NULL, elf_strptr,
	(Elf *elf, size_t section, size_t offset), (elf, section, offset))
FORWARD(ELF, GElf_Shdr *, NULL, gelf_getshdr,
	(Elf_Scn *section, GElf_Shdr *out), (section, out))
FORWARD(ELF, GElf_Phdr *, NULL, gelf_getphdr,
	(Elf *elf, int index, GElf_Phdr *out), (elf, index, out))
