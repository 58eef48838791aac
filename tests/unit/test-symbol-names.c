/* SPDX-License-Identifier: MIT */
/* Which symbol names a place, where several could: in this program itself. */
#include "check.h"

#include <elf.h>

#include "stat/symbols.h"
#include "symbol.h"

__asm__(".pushsection symbol_names, \"ax\", %progbits\n"
	"1:	.skip 192\n"
	SYMBOL("local", "near", 0, 16)
	SYMBOL("weak", "weak", 0, 16)
	SYMBOL("globl", "global", 0, 16)
	SYMBOL("local", "outer", 16, 32)
	SYMBOL("globl", "label of outer", 16, 0)
	SYMBOL("local", "inner", 24, 8)
	SYMBOL("local", "label", 48, 0)
	SYMBOL("local", "wide", 64, 16)
	SYMBOL("local", "narrow", 64, 8)
	SYMBOL("local", "label in wide", 72, 0)
	SYMBOL("local", "$x", 84, 0)
	SYMBOL("local", "$d.0", 88, 0)
	SYMBOL("local", "$xyz", 96, 0)
	SYMBOL("local", "first", 112, 8)
	SYMBOL("local", "second", 112, 8)
	SYMBOL("local", "_ZN4list4walkEm", 120, 8)
	SYMBOL("local", "last", 128, 0)
	SYMBOL("local", "same", 136, 16)
	SYMBOL("globl", "twice", 152, 8)
	".popsection\n"
	".pushsection symbol_names_none, \"ax\", %progbits\n"
	".skip 64\n"
	".popsection\n");

static struct symbols *symbols;

/* A section of this program; its offset, or 0 and no section. */
static Elf64_Shdr section(const char *wanted)
{
	FILE *file = fopen("/proc/self/exe", "rb");
	Elf64_Shdr header[80], found = { 0 };
	char names[4096];
	Elf64_Ehdr elf;

	assert_non_null(file);
	assert_int_equal(fread(&elf, sizeof(elf), 1, file), 1);
	assert_in_range(elf.e_shnum, 1, 80);
	fseek(file, (long)elf.e_shoff, SEEK_SET);
	assert_int_equal(fread(header, sizeof(*header), elf.e_shnum, file),
			 elf.e_shnum);
	fseek(file, (long)header[elf.e_shstrndx].sh_offset, SEEK_SET);
	assert_true(fread(names, 1, sizeof(names), file) > 0);
	for (unsigned i = 1; i < elf.e_shnum; i++)
		if (strcmp(names + header[i].sh_name, wanted) == 0)
			found = header[i];
	fclose(file);
	return found;
}

static const char *name_at(uint64_t offset)
{
	struct place_in_code place;

	symbols_find(symbols, offset, false, &place);
	return place.function ? place.function : "";
}

/* From a place on, up to the next one. */
static void the_best_names_each_byte(void **state)
{
	static const struct { unsigned from; const char *name; } want[] = {
		{ 0, "global" }, { 16, "outer" }, { 24, "inner" },
		{ 32, "outer" }, { 48, "label" }, { 64, "narrow" },
		{ 72, "wide" }, { 80, "" }, { 96, "$xyz" }, { 112, "first" },
		{ 120, NULL }, { 128, "last" },
		{ 136, "same (test-symbol-names.c)" }, { 152, "twice" },
		{ 160, "" }
	};
	const uint64_t start = section("symbol_names").sh_offset;
	unsigned i = 0;

	(void)state;
	assert_true(start > 0);
	for (unsigned at = 0; at < 192 + 64; at++) {
		if (i + 1 < sizeof(want) / sizeof(*want) &&
		    want[i + 1].from == at)
			i++;
		if (want[i].name)
			assert_string_equal(name_at(start + at), want[i].name);
		else	/* where there is no libstdc++, as it is */
			assert_non_null(strstr(name_at(start + at), "walk"));
	}
}

static void files_tell_equal_names_apart(void **state)
{
	const uint64_t start = section("other_names").sh_offset;

	(void)state;
	assert_true(start > 0);
	assert_string_equal(name_at(start), "same (same-name.c)");
	assert_string_equal(name_at(start + 16), "twice (same-name.c)");
}

static void what_jumps_elsewhere_has_a_name(void **state)
{
	const Elf64_Shdr plt = section(".plt");

	(void)state;
	if (!plt.sh_size)
		skip_since("the linker made no .plt");
	assert_string_equal(name_at(plt.sh_offset), "[plt]");
	assert_string_equal(name_at(plt.sh_offset + plt.sh_size - 1), "[plt]");
}

static void addresses_are_the_files(void **state)
{
	uint64_t address = 0;

	(void)state;
	assert_true(symbols_address(symbols, "global", &address));
	assert_int_equal(address, section("symbol_names").sh_addr);
	assert_false(symbols_address(symbols, "no such symbol", &address));
	assert_false(symbols_stripped(symbols));
}

static int open_it(void **state)
{
	(void)state;
	symbols = symbols_open("/proc/self/exe", NULL);
	return symbols ? 0 : -1;
}

static int close_it(void **state)
{
	(void)state;
	symbols_close(symbols);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_names_each_byte),
		cmocka_unit_test(files_tell_equal_names_apart),
		cmocka_unit_test(what_jumps_elsewhere_has_a_name),
		cmocka_unit_test(addresses_are_the_files),
	};

	return cmocka_run_group_tests(tests, open_it, close_it);
}
