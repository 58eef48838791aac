/* SPDX-License-Identifier: MIT */
/* Symbol tables of ELF files, read by pread(). See function.h. */
#include "store/programs/function.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEGMENTS = 64 };

struct elf {
	int fd;
	uint64_t bytes;
	Elf64_Ehdr head;
	Elf64_Phdr load[SEGMENTS];
	unsigned loads;
	bool variables;		/* are wanted, not functions */
};

/* ---- the file ----------------------------------------------------------- */

static bool read_at(const struct elf *e, void *out, uint64_t bytes,
		    uint64_t offset)
{
	return offset <= e->bytes && bytes <= e->bytes - offset &&
	       pread(e->fd, out, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_segments(struct elf *e)
{
	Elf64_Phdr p;

	for (unsigned i = 0; i < e->head.e_phnum; i++) {
		if (!read_at(e, &p, sizeof(p),
			     e->head.e_phoff + i * sizeof(p)))
			return false;
		if (p.p_type == PT_LOAD && e->loads < SEGMENTS)
			e->load[e->loads++] = p;
	}
	return true;
}

static bool open_elf(struct elf *e, const char *path)
{
	struct stat st;

	*e = (struct elf){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK |
						O_NOCTTY) };
	if (e->fd < 0)
		return false;
	e->bytes = fstat(e->fd, &st) == 0 && S_ISREG(st.st_mode) ?
		   (uint64_t)st.st_size : 0;
	if (read_at(e, &e->head, sizeof(e->head), 0) &&
	    memcmp(e->head.e_ident, ELFMAG, SELFMAG) == 0 &&
	    e->head.e_ident[EI_CLASS] == ELFCLASS64 &&
	    e->head.e_ident[EI_DATA] == ELFDATA2LSB &&
	    e->head.e_phentsize == sizeof(Elf64_Phdr) && read_segments(e))
		return true;
	close(e->fd);
	return false;
}

static bool offset_of(const struct elf *e, uint64_t address, uint64_t *out)
{
	for (unsigned i = 0; i < e->loads; i++) {
		const Elf64_Phdr *p = &e->load[i];

		if (address - p->p_vaddr >= p->p_filesz)
			continue;
		*out = address - p->p_vaddr + p->p_offset;
		return true;
	}
	return false;
}

/* ---- symbols ------------------------------------------------------------ */

struct symbol {
	const char *name;
	uint64_t offset, bytes;
	const char *source;	/* of a local symbol; or "" */
	bool chosen_late;
};

typedef void symbol_fn(void *ctx, const struct symbol *symbol);

/* A part of the file with a NUL behind; NULL: no such part, or no memory. */
static char *load(const struct elf *e, const Elf64_Shdr *s)
{
	char *out = s->sh_size <= e->bytes ? malloc(s->sh_size + 1) : NULL;

	if (out && read_at(e, out, s->sh_size, s->sh_offset)) {
		out[s->sh_size] = '\0';
		return out;
	}
	free(out);
	return NULL;
}

static bool is_function(const Elf64_Sym *s)
{
	const int type = ELF64_ST_TYPE(s->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
	       s->st_shndx != SHN_UNDEF;
}

static bool is_variable(const Elf64_Sym *s)
{
	return ELF64_ST_TYPE(s->st_info) == STT_OBJECT && s->st_size &&
	       s->st_shndx != SHN_UNDEF;
}

/* offset: of a variable, its address. */
static bool is_wanted(const struct elf *e, const Elf64_Sym *s,
		      uint64_t *offset)
{
	*offset = s->st_value;
	return e->variables ? is_variable(s) :
	       is_function(s) && offset_of(e, s->st_value, offset);
}

/* In the table, local symbols follow the symbol of their source file. */
static void each_of(const struct elf *e, const Elf64_Shdr *table,
		    const char *symbols, const Elf64_Shdr *names,
		    const char *text, symbol_fn *fn, void *ctx)
{
	const char *source = "";
	struct symbol found;
	Elf64_Sym s;

	for (uint64_t at = 0; at + sizeof(s) <= table->sh_size;
	     at += sizeof(s)) {
		memcpy(&s, symbols + at, sizeof(s));
		if (s.st_name >= names->sh_size)
			continue;
		if (ELF64_ST_TYPE(s.st_info) == STT_FILE)
			source = text + s.st_name;
		if (!is_wanted(e, &s, &found.offset))
			continue;
		found.name = text + s.st_name;
		found.bytes = s.st_size;
		found.source = ELF64_ST_BIND(s.st_info) == STB_LOCAL ? source :
			       "";
		found.chosen_late = ELF64_ST_TYPE(s.st_info) == STT_GNU_IFUNC;
		fn(ctx, &found);
	}
}

static bool section(const struct elf *e, Elf64_Shdr *out, uint32_t index)
{
	return e->head.e_shentsize == sizeof(*out) &&
	       read_at(e, out, sizeof(*out),
		       e->head.e_shoff + index * sizeof(*out));
}

/* Calls fn for each function of the tables of one type. */
static bool each_in(const struct elf *e, uint32_t type, symbol_fn *fn,
		    void *ctx)
{
	Elf64_Shdr table, names;
	bool any = false;

	for (uint32_t i = 0; i < e->head.e_shnum && section(e, &table, i);
	     i++) {
		char *symbols, *text;

		if (table.sh_type != type || !section(e, &names, table.sh_link))
			continue;
		symbols = load(e, &table);
		text = load(e, &names);
		if (symbols && text)
			each_of(e, &table, symbols, &names, text, fn, ctx);
		any |= symbols && text;
		free(symbols);
		free(text);
	}
	return any;
}

/* Exported functions are in both tables, if the file is not stripped. */
static void each_symbol(struct elf *e, symbol_fn *fn, void *ctx)
{
	if (!each_in(e, SHT_SYMTAB, fn, ctx))
		each_in(e, SHT_DYNSYM, fn, ctx);
	close(e->fd);
}

static void each_function(const char *path, symbol_fn *fn, void *ctx)
{
	struct elf e;

	if (open_elf(&e, path))
		each_symbol(&e, fn, ctx);
}

struct variables {
	variable_fn *fn;
	void *ctx;
};

static void put_variable(void *ctx, const struct symbol *symbol)
{
	const struct variables *v = ctx;

	v->fn(v->ctx, symbol->name, symbol->offset, symbol->bytes);
}

bool variables_find(const char *path, uint64_t offset, uint64_t *address,
		    variable_fn *fn, void *ctx)
{
	struct variables v = { fn, ctx };
	bool found = false;
	struct elf e;

	if (!open_elf(&e, path))
		return false;
	for (unsigned i = 0; i < e.loads && !found; i++) {
		const Elf64_Phdr *p = &e.load[i];
		const uint64_t in_page = p->p_offset & 4095;

		found = offset - (p->p_offset - in_page) <
			p->p_filesz + in_page;
		*address = offset - p->p_offset + p->p_vaddr;
	}
	e.variables = true;
	each_symbol(&e, put_variable, &v);
	return found;
}

/* ---- names -------------------------------------------------------------- */

static void copy_name(char out[FUNCTION_NAME], const char *name)
{
	snprintf(out, FUNCTION_NAME, "%.*s", FUNCTION_NAME - 1, name);
}

bool path_ends(const char *path, const char *end, size_t length)
{
	const size_t n = strlen(path);

	return length && n >= length &&
	       memcmp(path + n - length, end, length) == 0 &&
	       (n == length || path[n - length - 1] == '/');
}

/* The colon of FILE:FUNCTION, which is not one of C++'s; NULL: none. */
static const char *colon_of(const char *wanted)
{
	for (const char *p = wanted; *p && *p != '(' && *p != '<'; p++) {
		if (*p != ':')
			continue;
		if (p[1] != ':')
			return p;
		p++;
	}
	return NULL;
}

/* The length without what compilers append to the name of a copy. 0: the symbol
 * is a part of a function only. */
static size_t plain_length(const char *name)
{
	const char *dot = *name == '.' ? NULL : strchr(name, '.');
	const size_t length = dot ? (size_t)(dot - name) : strlen(name);

	for (; dot; dot = strchr(dot + 1, '.'))
		if (strncmp(dot, ".part", 5) == 0 ||
		    strncmp(dot, ".cold", 5) == 0)
			return 0;
	return length;
}

/* Rust's older names end in "::h" and 16 digits. */
static void cut_hash(char *name)
{
	const size_t n = strlen(name);

	if (n > 19 && strncmp(name + n - 19, "::h", 3) == 0 &&
	    strspn(name + n - 16, "0123456789abcdef") == 16)
		name[n - 19] = '\0';
}

/* The end of "operator<<" and the like; the name is at `p`, or another one. */
static char *skip_operator(char *p)
{
	if (strncmp(p, "operator", 8) != 0 || isalnum((unsigned char)p[8]) ||
	    p[8] == '_')
		return p;
	p += 8;
	return p + (strncmp(p, "()", 2) == 0 ? 2 :
		    strspn(p, "<>=!+-*/%^&|~,[]"));
}

/*
 * A demangled name without its result's type and its arguments, and, if
 * `templates`, without the arguments of its template: in place.
 */
static char *bare_name(char *name, bool templates)
{
	char *from = name, *p = skip_operator(name);
	int depth = 0;

	for (; *p && (depth || *p != '(' || p == name ||
		      strncmp(p, "(anonymous", 10) == 0);
	     p = isalnum((unsigned char)*p) || *p == '_' ? p + 1 :
		 skip_operator(p + 1)) {
		depth += *p == '<' || *p == '(' ? 1 :
			 *p == '>' || *p == ')' ? -1 : 0;
		if (depth == 0 && *p == ' ' && p[1] != '(')
			from = p + 1;
	}
	*p = '\0';
	if (templates && p > from && p[-1] == '>' && strchr(from, '<'))
		*strchr(from, '<') = '\0';
	return from;
}

/* Is it the name, or the end of the name behind a namespace or class? */
static bool is_end(const char *name, const char *wanted)
{
	const size_t n = strlen(name), m = strlen(wanted);

	return n >= m && strcmp(name + n - m, wanted) == 0 &&
	       (n == m || (n - m > 2 &&
			   memcmp(name + n - m - 2, "::", 2) == 0));
}

bool function_is_named(const char *source_name, const char *wanted)
{
	char name[1024];
	const size_t n = strlen(source_name);

	if (n >= sizeof(name))
		return strcmp(source_name, wanted) == 0;
	memcpy(name, source_name, n + 1);
	if (is_end(name, wanted) || is_end(bare_name(name, false), wanted))
		return true;
	memcpy(name, source_name, n + 1);
	return is_end(bare_name(name, true), wanted);
}

/* ---- finding ------------------------------------------------------------ */

struct search {
	const char *path, *function;
	const char *file;	/* the part before the colon; NULL: none */
	size_t file_length;
	char word[64];		/* is in each mangled name that can match */
	function_demangle *demangle;
	struct function_entry *out;
	size_t found;
};

/* The last word of letters and digits before arguments. */
static void find_word(struct search *s)
{
	const char *end = s->function + strcspn(s->function, "(<"), *from;

	for (from = end; from > s->function &&
			 (isalnum((unsigned char)from[-1]) || from[-1] == '_');)
		from--;
	if (strncmp(from, "operator", 8) != 0)
		snprintf(s->word, sizeof(s->word), "%.*s", (int)(end - from),
			 from);
}

/* The name as the source has it, if the symbol is what is wanted. */
static bool matches(const struct search *s, const char *symbol, char *name)
{
	char plain[4096];
	const size_t n = plain_length(symbol);
	char *source;
	bool found;

	if (!n || n >= sizeof(plain))
		return false;
	memcpy(plain, symbol, n);
	plain[n] = '\0';
	copy_name(name, plain);
	if (strcmp(plain, s->function) == 0 ||
	    strcmp(symbol, s->function) == 0)
		return true;
	if (strncmp(plain, "_Z", 2) != 0 || !strstr(plain, s->word))
		return false;
	source = s->demangle ? s->demangle(plain) : NULL;
	if (!source)
		return false;
	cut_hash(source);
	copy_name(name, source);
	found = function_is_named(source, s->function);
	free(source);
	return found;
}

/* One symbol may stand in both tables, and have several names. */
static bool is_known(const struct search *s, uint64_t offset)
{
	for (size_t i = 0; i < s->found && i < FUNCTION_ENTRIES; i++)
		if (s->out[i].offset == offset)
			return true;
	return false;
}

static void take(void *ctx, const struct symbol *symbol)
{
	struct search *s = ctx;
	struct function_entry entry = { .offset = symbol->offset,
					.bytes = symbol->bytes,
					.chosen_late = symbol->chosen_late };
	size_t at;

	if (!matches(s, symbol->name, entry.name) ||
	    is_known(s, symbol->offset))
		return;
	if (s->file && !path_ends(s->path, s->file, s->file_length) &&
	    !path_ends(symbol->source, s->file, s->file_length))
		return;
	copy_name(entry.source, symbol->source);
	if (s->found++ >= FUNCTION_ENTRIES)
		return;
	for (at = s->found - 1; at && s->out[at - 1].offset > entry.offset;
	     at--)
		s->out[at] = s->out[at - 1];
	s->out[at] = entry;
}

size_t functions_find(const char *path, const char *wanted,
		      function_demangle *demangle,
		      struct function_entry out[FUNCTION_ENTRIES])
{
	const char *colon = colon_of(wanted);
	struct search s = {
		.path = path, .function = colon ? colon + 1 : wanted,
		.file = colon ? wanted : NULL,
		.file_length = colon ? (size_t)(colon - wanted) : 0,
		.demangle = demangle, .out = out,
	};

	find_word(&s);
	each_function(path, take, &s);
	return s.found;
}

bool function_same(const struct function_entry *a,
		   const struct function_entry *b)
{
	return strcmp(a->name, b->name) == 0 &&
	       (!*a->source || !*b->source ||
		strcmp(a->source, b->source) == 0);
}

/* ---- around ------------------------------------------------------------- */

struct around { uint64_t offset, from, to; };

static void reach(void *ctx, const struct symbol *symbol)
{
	struct around *a = ctx;

	if (a->offset - symbol->offset >= symbol->bytes)
		return;
	a->from = symbol->offset;
	a->to = symbol->offset + symbol->bytes;
}

bool function_around(const char *path, uint64_t offset, uint64_t *from,
		     uint64_t *to)
{
	struct around a = { .offset = offset };

	each_function(path, reach, &a);
	*from = a.from;
	*to = a.to;
	return a.to > a.from;
}
