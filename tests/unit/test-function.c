/* SPDX-License-Identifier: MIT */
/* Functions of ELF files by name: of this program itself, and of damaged
 * copies of its file. */
#define _GNU_SOURCE	/* memfd_create */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/programs/function.h"

#define SELF "/proc/self/exe"

void found_here(void);
__attribute__((noinline)) void found_here(void)
{
	__asm__ volatile("");
}

static __attribute__((noinline, used)) void local_here(void)
{
	__asm__ volatile("");
}

static char *demangle(const char *symbol)
{
	return strcmp(symbol, "_Z4workv") == 0 ? strdup("work()") : NULL;
}

static size_t find(const char *wanted, struct function_entry *first)
{
	struct function_entry found[FUNCTION_ENTRIES];
	const size_t n = functions_find(SELF, wanted, demangle, found);

	if (n)
		*first = found[0];
	return n;
}

static void test_symbols(void **state)
{
	struct function_entry e;
	uint64_t from, to;

	(void)state;
	local_here();
	assert_int_equal(find("found_here", &e), 1);
	assert_string_equal(e.name, "found_here");
	assert_string_equal(e.source, "");
	assert_true(e.bytes > 0);
	assert_true(function_around(SELF, e.offset, &from, &to));
	assert_int_equal(from, e.offset);
	assert_int_equal(to, e.offset + e.bytes);
	assert_int_equal(find("test-function.c:local_here", &e), 1);
	assert_string_equal(e.source, "test-function.c");
	assert_int_equal(find("nction.c:local_here", &e), 0);
	assert_int_equal(find("other.c:local_here", &e), 0);
	assert_int_equal(find("found_her", &e), 0);
	assert_int_equal(find("", &e), 0);
	assert_int_equal(find("printf", &e), 0);	/* of a library */
	assert_false(function_around(SELF, UINT64_MAX, &from, &to));
}

static void test_names(void **state)
{
	static const struct { const char *source, *wanted; bool meant; } of[] = {
		{ "a::work(int)", "a::work", true },
		{ "a::work(int)", "a::work(int)", true },
		{ "a::work(int)", "work", true },
		{ "a::work(int)", "work(int)", true },
		{ "a::work(int)", "a::work(long)", false },
		{ "a::work(int)", "ork", false },
		{ "a::homework(int)", "work", false },
		{ "int f<long>(long)", "f", true },
		{ "int f<long>(long)", "f<long>", true },
		{ "int f<long>(long)", "f<int>", false },
		{ "A::operator()(int) const", "A::operator()", true },
		{ "A::operator<(int) const", "A::operator<", true },
		{ "(anonymous namespace)::g(int)", "g", true },
		{ "std::vector<int, std::allocator<int> >::push(int&&)",
		  "push", true },
		{ "a::myoperator()", "myoperator", true },
		{ "", "work", false }, { "(", "work", false },
		{ "<>>((", "work", false }, { "::", "work", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (function_is_named(of[i].source, of[i].wanted) !=
		    of[i].meant)
			fail_msg("%s, %s", of[i].source, of[i].wanted);
}

/* A file of these bytes. */
static void use(const char *path, int fd, const char *bytes, size_t n)
{
	struct function_entry found[FUNCTION_ENTRIES];
	uint64_t from, to;

	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(pwrite(fd, bytes, n, 0), (ssize_t)n);
	functions_find(path, "found_here", demangle, found);
	function_around(path, 0x1000, &from, &to);
}

/* Nothing but the answer may suffer. */
static void test_damaged(void **state)
{
	FILE *self = fopen(SELF, "re");
	const int fd = memfd_create("damaged", 0);
	static char bytes[1 << 22], copy[sizeof(bytes)];
	char path[40];
	size_t n;

	(void)state;
	assert_non_null(self);
	assert_true(fd >= 0);
	n = fread(bytes, 1, sizeof(bytes), self);
	fclose(self);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (size_t cut = 0; cut < 100; cut++)
		use(path, fd, bytes, n * cut / 100);
	srand(1);
	for (int i = 0; i < 500; i++) {
		memcpy(copy, bytes, n);
		for (int k = 0; k < 8; k++) {
			/* its header, its section headers, or anywhere */
			size_t at = k < 3 ? (size_t)rand() % 64 :
				    k < 6 ? n - 1 - (size_t)rand() % 2048 :
				    (size_t)rand() % n;

			copy[at] = (char)rand();
		}
		use(path, fd, copy, n);
	}
	close(fd);
	assert_int_equal(functions_find("/", "f", demangle, NULL), 0);
	assert_int_equal(functions_find("/dev/zero", "f", demangle, NULL), 0);
	assert_int_equal(functions_find("/nowhere", "f", demangle, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
