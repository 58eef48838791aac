/* SPDX-License-Identifier: MIT */
/* Functions by symbol table, lines by DWARF. */
#include "stat/symbols.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A named stretch of code; size 0: a label, which ends where another begins, or
 * its section ends. */
struct stretch {
	GElf_Addr start, size;
	GElf_Addr limit;	/* a label's section's end */
	GElf_Addr reach;	/* the highest end of this and those before */
	const char *name;
	const char *file;	/* of a local one: its source; or NULL */
	bool twin;		/* another one has that name */
	char *plain;		/* what it is called, if that is not its name;
				 * once it was asked for */
	int rank;		/* of its binding */
	int index;		/* in the table: the first of equals is named */
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
	/* made when first asked: libdw itself looks at all, each time */
	struct stretch *stretch;
	size_t stretches;
	bool sorted;
	struct range *range;	/* only where libdw knows no line */
	size_t ranges;
	bool ranged;
	bool full;		/* there are names of local functions */
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
	for (size_t i = 0; symbols && i < symbols->stretches; i++)
		free(symbols->stretch[i].plain);
	if (symbols) {
		free(symbols->stretch);
		free(symbols->range);
	}
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
		    offset - p.p_offset >= p.p_filesz)
			continue;
		*out = p.p_vaddr + (offset - p.p_offset) + s->bias;
		return true;
	}
	return false;
}

/* ELF for the Arm 64-bit Architecture: where code and data begin. */
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

/* Of those that begin together the best is last. */
static int by_start(const void *pa, const void *pb)
{
	const struct stretch *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return a->index < b->index ? 1 : -1;
}

static void sort_stretches(struct symbols *s)
{
	GElf_Addr reach = 0;

	qsort(s->stretch, s->stretches, sizeof(*s->stretch), by_start);
	for (size_t i = 0; i < s->stretches; i++) {
		struct stretch *p = &s->stretch[i];

		if (p->start + p->size > reach)
			reach = p->start + p->size;
		p->reach = reach;
	}
}

/* The end of a symbol's section, in the module. */
static GElf_Addr limit_of(Elf *elf, GElf_Word section, const GElf_Sym *symbol,
			  GElf_Addr value)
{
	GElf_Shdr header;

	if (!gelf_getshdr(elf_getscn(elf, section), &header))
		return 0;
	return header.sh_addr + header.sh_size - symbol->st_value + value;
}

/* Local symbols follow that of their source file. */
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
		s->full |= GELF_ST_BIND(symbol.st_info) == STB_LOCAL &&
			   GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
		s->stretch[s->stretches++] = (struct stretch){
			.start = value, .size = symbol.st_size, .name = name,
			.limit = limit_of(elf, section, &symbol, value),
			.rank = rank_of(&symbol), .index = i };
		if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
			s->stretch[s->stretches - 1].file = file;
	}
}

/* What jumps to functions of other files has no symbols. */
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
			s->stretch[s->stretches++] = (struct stretch){
				.start = header.sh_addr + s->bias,
				.size = header.sh_size, .name = "[plt]" };
	}
}

static int by_name(const void *pa, const void *pb)
{
	const struct stretch *const *a = pa, *const *b = pb;

	return strcmp((*a)->name, (*b)->name);
}

static void find_twins(struct symbols *s)
{
	struct stretch **p = calloc(s->stretches + 1, sizeof(*p));

	for (size_t i = 0; p && i < s->stretches; i++)
		p[i] = &s->stretch[i];
	if (p)
		qsort(p, s->stretches, sizeof(*p), by_name);
	for (size_t i = 1; p && i < s->stretches; i++)
		if (p[i]->start != p[i - 1]->start &&
		    by_name(&p[i], &p[i - 1]) == 0)
			p[i]->twin = p[i - 1]->twin = true;
	free(p);
}

static void find_stretches(struct symbols *s)
{
	const int n = dwfl_module_getsymtab(s->module);
	size_t sections;

	s->sorted = true;
	if (elf_getshdrnum(s->elf, &sections) != 0)
		return;
	s->stretch = calloc(sections + (n > 0 ? (size_t)n : 0),
			    sizeof(*s->stretch));
	if (!s->stretch)
		return;
	add_symbols(s, n);
	add_jumps(s);
	sort_stretches(s);
	find_twins(s);
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

static char *find_plain(const struct stretch *p)
{
	char *source = strncmp(p->name, "_Z", 2) == 0 ?
		       symbols_demangle(p->name) : NULL, *out;

	if (!p->twin || !p->file)
		return source;
	out = name_in_file(source ? source : p->name, p->file);
	free(source);
	return out;
}

/* As its source has it; where that is not one alone, with its file. */
static const char *plain_name(struct stretch *p)
{
	if (!p->plain)
		p->plain = find_plain(p);
	return p->plain ? p->plain : p->name;
}

/* The closest that holds the address; else the label before it, if nothing
 * that has a size came between. */
static const char *name_of(struct symbols *s, GElf_Addr address)
{
	size_t low = 0, high = s->stretches;
	struct stretch *last;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (s->stretch[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	last = low ? &s->stretch[low - 1] : NULL;
	for (struct stretch *p = last; p && p->reach > address; p--) {
		if (p->size && address - p->start < p->size)
			return plain_name(p);
		if (p == s->stretch)
			break;
	}
	return last && last->reach <= last->start &&
	       address < last->limit ? plain_name(last) : NULL;
}

static int by_range(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static bool add_range(struct symbols *s, const struct range *range)
{
	struct range *more = s->range;

	if ((s->ranges & (s->ranges - 1)) == 0)
		more = realloc(more, (s->ranges ? 2 * s->ranges : 1) *
				     sizeof(*more));
	if (!more)
		return false;
	s->range = more;
	s->range[s->ranges++] = *range;
	return true;
}

/* libdw looks for units in .debug_aranges alone, which clang does not write. */
static void find_ranges(struct symbols *s)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr base, bias;

	s->ranged = true;
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

/* The last range that begins there or before, if it holds the address. */
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

static void find_line(struct symbols *s, GElf_Addr address,
		      struct place_in_code *out)
{
	Dwfl_Line *known = dwfl_module_getsrc(s->module, address);
	struct range *range;
	Dwarf_Line *line;

	if (known) {
		out->file = dwfl_lineinfo(known, NULL, &out->line, NULL, NULL,
					  NULL);
		return;
	}
	if (!s->ranged)
		find_ranges(s);
	range = range_of(s, address);
	line = range ? dwarf_getsrc_die(&range->unit, address - range->bias) :
		       NULL;
	if (line && dwarf_lineno(line, &out->line) == 0)
		out->file = dwarf_linesrc(line, NULL, NULL);
}

void symbols_find(struct symbols *symbols, uint64_t offset,
		  struct place_in_code *out)
{
	GElf_Addr address;

	*out = (struct place_in_code){ 0 };
	if (!address_of(symbols, offset, &address))
		return;
	if (!symbols->sorted)
		find_stretches(symbols);
	out->function = name_of(symbols, address);
	find_line(symbols, address, out);
}

bool symbols_stripped(struct symbols *symbols)
{
	if (!symbols->sorted)
		find_stretches(symbols);
	return !symbols->full;
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
