/* SPDX-License-Identifier: MIT */
/*
 * The function at an address comes from the ELF symbol table, the source line
 * from DWARF. libdw has functions for both, but they search linearly on each
 * call, so this file keeps a sorted copy of the symbols and, for files without
 * .debug_aranges, of the ranges of compilation units. Both are read on first
 * use. Addresses are those of libdw's module unless a comment says otherwise.
 */
#include "stat/symbols.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stat/inlines.h"
#include "stat/sources.h"

/* A symbol of code. size 0: a label, which ends where the next symbol begins or
 * its section ends. */
struct code_symbol {
	GElf_Addr start, size;
	GElf_Addr section_end;	/* where a label's section ends */
	GElf_Addr highest_end;	/* of this symbol and all earlier ones */
	const char *name;	/* as in the table: maybe mangled */
	const char *file;	/* source of a local symbol; or NULL */
	bool ambiguous;		/* another symbol has the same name */
	char *shown;		/* the name to show, if not .name; made when
				 * first needed */
	int rank;		/* of the binding: 2 global, 1 weak, 0 local */
	int index;		/* in the symbol table */
};

/* A range of a compilation unit's code. */
struct range {
	GElf_Addr start, end;
	GElf_Addr bias;		/* from the unit's addresses to the module's */
	Dwarf_Die unit;
};

struct symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias;		/* from the file's addresses to the module's */
	/* sorted by by_start() */
	struct code_symbol *code_symbol;
	size_t code_symbols;
	bool symbols_read;
	struct range *range;	/* sorted by start */
	size_t ranges;
	bool ranges_read;
	bool has_locals;	/* there are names of local functions */
	struct inlines inlines;
	struct sources sources;
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

struct symbols *symbols_open(const char *path, const char *source_root)
{
	struct symbols *s = calloc(1, sizeof(*s));

	if (s)
		s->sources.root = source_root;
	if (s && load(s, path))
		return s;
	symbols_close(s);
	return NULL;
}

void symbols_close(struct symbols *symbols)
{
	if (!symbols)
		return;
	inlines_fini(&symbols->inlines);
	sources_fini(&symbols->sources);
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	for (size_t i = 0; i < symbols->code_symbols; i++)
		free(symbols->code_symbol[i].shown);
	free(symbols->code_symbol);
	free(symbols->range);
	free(symbols);
}

/* The address at which the file loads the byte at an offset. */
static bool address_at(const struct symbols *s, uint64_t offset,
		       GElf_Addr *out)
{
	GElf_Phdr p;
	size_t n;

	if (elf_getphdrnum(s->elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(s->elf, (int)i, &p) || p.p_type != PT_LOAD ||
		    offset - p.p_offset >= p.p_filesz)
			continue;
		*out = p.p_vaddr + (offset - p.p_offset) + s->bias;
		return true;
	}
	return false;
}

/* A mapping symbol ($x, $d) of "ELF for the Arm 64-bit Architecture": it marks
 * where code or data begins, and names nothing. */
static bool is_mapping(const char *name)
{
	return name[0] == '$' && (name[1] == 'x' || name[1] == 'd') &&
	       (!name[2] || name[2] == '.');
}

static bool names_code(const GElf_Sym *symbol, const char *name)
{
	const int type = GELF_ST_TYPE(symbol->st_info);

	return *name && symbol->st_shndx != SHN_UNDEF && !is_mapping(name) &&
	       type != STT_SECTION && type != STT_FILE && type != STT_TLS;
}

static int rank_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
		return 2;
	case STB_WEAK:
		return 1;
	}
	return 0;
}

/* By start. Of symbols with one start the best name is the last: global before
 * weak before local, then the smallest, then the first in the table. */
static int by_start(const void *pa, const void *pb)
{
	const struct code_symbol *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return a->index < b->index ? 1 : -1;
}

static void sort_code_symbols(struct symbols *s)
{
	GElf_Addr highest_end = 0;

	qsort(s->code_symbol, s->code_symbols, sizeof(*s->code_symbol),
	      by_start);
	for (size_t i = 0; i < s->code_symbols; i++) {
		struct code_symbol *p = &s->code_symbol[i];

		if (p->start + p->size > highest_end)
			highest_end = p->start + p->size;
		p->highest_end = highest_end;
	}
}

/* The end of a symbol's section, as an address of the module. */
static GElf_Addr section_end_of(Elf *elf, GElf_Word section,
				const GElf_Sym *symbol, GElf_Addr value)
{
	GElf_Shdr header;

	if (!gelf_getshdr(elf_getscn(elf, section), &header))
		return 0;
	return header.sh_addr + header.sh_size - symbol->st_value + value;
}

/* Copies the symbols of code. In the table, local symbols follow the symbol of
 * their source file. */
static void add_symbols(struct symbols *s, int n)
{
	const char *file = NULL;
	GElf_Sym symbol;
	GElf_Addr value;
	GElf_Word section;
	Elf *elf;

	for (int i = 1; i < n; i++) {
		const char *name = dwfl_module_getsym_info(s->module, i,
							   &symbol, &value,
							   &section, &elf,
							   NULL);

		if (name && GELF_ST_TYPE(symbol.st_info) == STT_FILE)
			file = *name ? name : NULL;
		if (!name || !names_code(&symbol, name))
			continue;
		s->has_locals |= GELF_ST_BIND(symbol.st_info) == STB_LOCAL &&
			   GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
		s->code_symbol[s->code_symbols++] = (struct code_symbol){
			.start = value, .size = symbol.st_size, .name = name,
			.section_end = section_end_of(elf, section, &symbol,
						      value),
			.rank = rank_of(&symbol), .index = i };
		if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
			s->code_symbol[s->code_symbols - 1].file = file;
	}
}

/* Adds "[plt]" for each procedure linkage table: its jumps have no symbols. */
static void add_jumps(struct symbols *s)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(s->elf, &names) != 0)
		return;
	while ((section = elf_nextscn(s->elf, section))) {
		const char *name = gelf_getshdr(section, &header) ?
				   elf_strptr(s->elf, names, header.sh_name) :
				   NULL;

		if (name && (strncmp(name, ".plt", 4) == 0 ||
			     strcmp(name, ".iplt") == 0))
			s->code_symbol[s->code_symbols++] =
				(struct code_symbol){
					.start = header.sh_addr + s->bias,
					.size = header.sh_size,
					.name = "[plt]" };
	}
}

static int by_name(const void *pa, const void *pb)
{
	const struct code_symbol *const *a = pa, *const *b = pb;

	return strcmp((*a)->name, (*b)->name);
}

static void find_ambiguous(struct symbols *s)
{
	struct code_symbol **p = calloc(s->code_symbols + 1, sizeof(*p));

	for (size_t i = 0; p && i < s->code_symbols; i++)
		p[i] = &s->code_symbol[i];
	if (p)
		qsort(p, s->code_symbols, sizeof(*p), by_name);
	for (size_t i = 1; p && i < s->code_symbols; i++)
		if (p[i]->start != p[i - 1]->start &&
		    by_name(&p[i], &p[i - 1]) == 0)
			p[i]->ambiguous = p[i - 1]->ambiguous = true;
	free(p);
}

static void read_code_symbols(struct symbols *s)
{
	const int n = dwfl_module_getsymtab(s->module);
	size_t sections;

	s->symbols_read = true;
	if (elf_getshdrnum(s->elf, &sections) != 0)
		return;
	s->code_symbol = calloc(sections + (n > 0 ? (size_t)n : 0),
			    sizeof(*s->code_symbol));
	if (!s->code_symbol)
		return;
	add_symbols(s, n);
	add_jumps(s);
	sort_code_symbols(s);
	find_ambiguous(s);
}

/* NULL: no memory. */
static char *name_in_file(const char *name, const char *file)
{
	const size_t room = strlen(name) + strlen(file) + 4;
	char *out = malloc(room);

	if (out)
		snprintf(out, room, "%s (%s)", name, file);
	return out;
}

static char *make_shown_name(const struct code_symbol *p)
{
	char *source = symbols_demangle(p->name), *out;

	if (!p->ambiguous || !p->file)
		return source;
	out = name_in_file(source ? source : p->name, p->file);
	free(source);
	return out;
}

/* The name as the source has it; an ambiguous one with its source file. */
static const char *shown_name(struct code_symbol *p)
{
	if (!p->shown)
		p->shown = make_shown_name(p);
	return p->shown ? p->shown : p->name;
}

/* The last symbol to start before the address whose size reaches over it; else
 * the label before the address, if no symbol with a size lies between. */
static const char *name_of(struct symbols *s, GElf_Addr address)
{
	size_t low = 0, high = s->code_symbols;
	struct code_symbol *last;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (s->code_symbol[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	last = low ? &s->code_symbol[low - 1] : NULL;
	for (struct code_symbol *p = last; p && p->highest_end > address; p--) {
		if (p->size && address - p->start < p->size)
			return shown_name(p);
		if (p == s->code_symbol)
			break;
	}
	return last && last->highest_end <= last->start &&
	       address < last->section_end ? shown_name(last) : NULL;
}

static int by_range(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static bool add_range(struct symbols *s, const struct range *range)
{
	if ((s->ranges & (s->ranges - 1)) == 0 &&
	    !array_resize(&s->range, s->ranges ? 2 * s->ranges : 1,
			  sizeof(*s->range)))
		return false;
	s->range[s->ranges++] = *range;
	return true;
}

/* libdw finds a unit by .debug_aranges only, which clang does not write: reads
 * the ranges of all units. */
static void find_ranges(struct symbols *s)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr base, bias;

	s->ranges_read = true;
	while ((unit = dwfl_module_nextcu(s->module, unit, &bias))) {
		struct range r = { .bias = bias, .unit = *unit };
		ptrdiff_t next = 0;

		while ((next = dwarf_ranges(unit, next, &base, &r.start,
					    &r.end)) > 0)
			if (r.start < r.end && !add_range(s, &r))
				return;
	}
	if (s->ranges)
		qsort(s->range, s->ranges, sizeof(*s->range), by_range);
}

/* The last range that begins at or before the address, if it reaches over the
 * address. */
static struct range *range_of(const struct symbols *s, GElf_Addr address)
{
	size_t low = 0, high = s->ranges;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct range *r = &s->range[middle];

		if (r->start + r->bias <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address - s->range[low - 1].bias <
	       s->range[low - 1].end ? &s->range[low - 1] : NULL;
}

/* Sets the line, and the compilation unit of the address; false: none. */
static bool find_line(struct symbols *s, GElf_Addr address, Dwarf_Die *unit,
		      Dwarf_Addr *bias, struct place_in_code *out)
{
	Dwfl_Line *line_info = dwfl_module_getsrc(s->module, address);
	Dwarf_Die *found = line_info ? dwfl_linecu(line_info) : NULL;
	struct range *range;
	Dwarf_Line *line;

	if (line_info) {
		out->file = dwfl_lineinfo(line_info, NULL, &out->line, NULL,
					  NULL, NULL);
		if (found && dwfl_module_getdwarf(s->module, bias))
			*unit = *found;
		return found;
	}
	if (!s->ranges_read)
		find_ranges(s);
	range = range_of(s, address);
	if (!range)
		return false;
	*unit = range->unit;
	*bias = range->bias;
	line = dwarf_getsrc_die(unit, address - *bias);
	if (line && dwarf_lineno(line, &out->line) == 0)
		out->file = dwarf_linesrc(line, NULL, NULL);
	return true;
}

void symbols_find(struct symbols *symbols, uint64_t offset, bool inlines,
		  struct place_in_code *out)
{
	GElf_Addr address;
	Dwarf_Addr bias = 0;
	Dwarf_Die unit = { .addr = NULL };

	*out = (struct place_in_code){ 0 };
	if (!address_at(symbols, offset, &address))
		return;
	if (!symbols->symbols_read)
		read_code_symbols(symbols);
	out->function = name_of(symbols, address);
	if (find_line(symbols, address, &unit, &bias, out) && inlines)
		out->inlined = inlines_find(&symbols->inlines, &unit,
					    address - bias);
	if (out->file)
		out->file = sources_name(&symbols->sources, unit.addr ?
					 inlines_folder(&unit) : NULL,
					 out->file);
}

const char *symbols_call_file(struct symbols *symbols,
			      const struct inlined *inlined)
{
	return inlined->file ? sources_name(&symbols->sources, inlined->folder,
					    inlined->file) : NULL;
}

bool symbols_stripped(struct symbols *symbols)
{
	if (!symbols->symbols_read)
		read_code_symbols(symbols);
	return !symbols->has_locals;
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
