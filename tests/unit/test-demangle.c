/* SPDX-License-Identifier: MIT */
/* Names of Rust, both schemes, as rustc writes them; and damaged ones. */
#include <stdlib.h>
#include <string.h>

#include "check.h"

#include "stat/symbols.h"

static const struct { const char *mangled, *name; } names[] = {
	{ "_RNvC6_123foo3bar", "123foo::bar" },
	{ "_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_",
	  "cc::spawn::{closure#0}::{closure#0}" },
	{ "_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6"
	  "OutputuEL_ECs1iopQbuBiw2_3std",
	  "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>" },
	{ "_RMC0INtC8arrayvec8ArrayVechKj7b_E",
	  "<arrayvec::ArrayVec<u8, 123>>" },
	{ "_RINvC1a1fTRhOxAtj3_FsEbEEB2_",
	  "a::f::<(&u8, *mut i64, [u16; 3], fn(i16) -> bool)>" },
	/* too short, no path, a reference to itself, a number without an end */
	{ "_R", NULL }, { "_RNvC6_123fo", NULL }, { "_RB_", NULL },
	{ "_RNvCs", NULL }, { "_RNvC99999999999999999999a1b", NULL },
	{ "main", NULL }, { "f", NULL }, { "", NULL },
};

static void names_become_those_of_the_source(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *name = symbols_demangle(names[i].mangled);

		if (!name != !names[i].name ||
		    (name && strcmp(name, names[i].name) != 0))
			fail_msg("%s: %s", names[i].mangled,
				 name ? name : "(none)");
		free(name);
	}
}

/* Each prefix ends, and so does a name of many references. */
static void any_text_ends(void **ctx)
{
	char text[3000];

	(void)ctx;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t n = 0; n <= strlen(names[i].mangled); n++) {
			snprintf(text, sizeof(text), "%.*s", (int)n,
				 names[i].mangled);
			free(symbols_demangle(text));
		}
	memset(text, 'T', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, "_RIC1a", 6);
	assert_null(symbols_demangle(text));
}

/* Rust's older scheme is that of C++ with a hash; it needs libstdc++. */
static void hashes_go(void **ctx)
{
	char *cxx = symbols_demangle("_ZN4list4walkEm");
	char *name = symbols_demangle("_ZN69_$LT$a..B$LT$T$GT$$u20$as$u20$"
				      "core..fmt..Debug$GT$3fmt17h"
				      "0123456789abcdefE.llvm.42");

	(void)ctx;
	if (!cxx)
		skip();
	assert_string_equal(cxx, "list::walk(unsigned long)");
	free(cxx);
	if (name)
		assert_null(strstr(name, "0123456789abcdef"));
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_become_those_of_the_source),
		cmocka_unit_test(any_text_ends),
		cmocka_unit_test(hashes_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
