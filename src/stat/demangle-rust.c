/* SPDX-License-Identifier: MIT */
/*
 * Rust's mangling v0 (RFC 2603): a name that begins with "_R" is a tree of
 * paths and types, written in prefix order; "B" repeats an earlier part. Hashes
 * of crates are left out, and lifetimes are all "'_". A name that is damaged,
 * too deep or too long is not demangled.
 */
#include "stat/demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4000, DEEPEST = 100, MOST_STEPS = 20000 };

struct rust {
	const char *start, *at;	/* after "_R" */
	char out[LONGEST];
	size_t used;
	unsigned depth, steps;
	bool silent;		/* what is read is not written */
	bool failed;
};

static void path(struct rust *r, bool in_value);
static void type(struct rust *r);

static void put(struct rust *r, const char *text, size_t n)
{
	if (r->silent || r->failed)
		return;
	r->failed = n >= LONGEST - r->used;
	if (r->failed)
		return;
	memcpy(r->out + r->used, text, n);
	r->used += n;
}

static void puts_to(struct rust *r, const char *text)
{
	put(r, text, strlen(text));
}

static bool eat(struct rust *r, char c)
{
	const bool is = !r->failed && *r->at == c;

	r->at += is;
	return is;
}

/* "_" is 0, "0_" 1, ...: digits of base 62. */
static uint64_t base62(struct rust *r)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	uint64_t n = 0;

	if (eat(r, '_'))
		return 0;
	while (!r->failed && !eat(r, '_')) {
		const char *digit = *r->at ? strchr(digits, *r->at) : NULL;

		r->failed = !digit || n > UINT64_MAX / 62 - 1;
		if (r->failed)
			return 0;
		n = 62 * n + (uint64_t)(digit - digits);
		r->at++;
	}
	return n + 1;
}

static uint64_t optional62(struct rust *r, char tag)
{
	return eat(r, tag) ? base62(r) + 1 : 0;
}

static size_t decimal(struct rust *r)
{
	size_t n = 0;

	r->failed |= !isdigit((unsigned char)*r->at);
	if (eat(r, '0'))
		return 0;
	while (isdigit((unsigned char)*r->at) && n < LONGEST)
		n = 10 * n + (size_t)(*r->at++ - '0');
	return n;
}

/* An identifier without its disambiguator. */
static void plain_name(struct rust *r, const char **name, size_t *n,
		       bool *coded)
{
	*coded = eat(r, 'u');
	*n = decimal(r);
	eat(r, '_');
	r->failed |= strnlen(r->at, *n) < *n;
	*name = r->at;
	if (!r->failed)
		r->at += *n;
}

static void put_name(struct rust *r, const char *name, size_t n, bool coded)
{
	puts_to(r, coded ? "punycode{" : "");
	put(r, name, n);
	puts_to(r, coded ? "}" : "");
}

static void identifier(struct rust *r)
{
	const char *name;
	bool coded;
	size_t n;

	optional62(r, 's');
	plain_name(r, &name, &n, &coded);
	if (!r->failed)
		put_name(r, name, n, coded);
}

/* "::name", or "::{closure#1}" for what the compiler named. */
static void nested(struct rust *r, bool in_value)
{
	const char space = *r->at, *name;
	char number[32];
	uint64_t which;
	bool coded;
	size_t n;

	r->failed |= !isalpha((unsigned char)space);
	if (r->failed)
		return;
	r->at++;
	path(r, in_value);
	which = optional62(r, 's');
	plain_name(r, &name, &n, &coded);
	if (r->failed)
		return;
	if (islower((unsigned char)space)) {
		puts_to(r, n ? "::" : "");
		put_name(r, name, n, coded);
		return;
	}
	puts_to(r, space == 'C' ? "::{closure" : space == 'S' ? "::{shim" :
		   "::{");
	put(r, &space, space != 'C' && space != 'S');
	puts_to(r, n ? ":" : "");
	put_name(r, name, n, coded);
	snprintf(number, sizeof(number), "#%llu}", (unsigned long long)which);
	puts_to(r, number);
}

/* Reads what a back reference repeats. */
static void repeated(struct rust *r, void (*read)(struct rust *r))
{
	const char *here = r->at - 1, *after;
	const uint64_t to = base62(r);

	r->failed |= to >= (uint64_t)(here - r->start);
	if (r->failed)
		return;
	after = r->at;
	r->at = r->start + to;
	read(r);
	r->at = after;
}

static void hidden_path(struct rust *r)
{
	const bool silent = r->silent;

	optional62(r, 's');
	r->silent = true;
	path(r, false);
	r->silent = silent;
}

/* A constant of n hexadecimal digits: in decimal, if 64 bits hold it. */
static void put_constant(struct rust *r, char kind, const char *digits,
			 size_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu",
		 n <= 16 ? strtoull(digits, NULL, 16) : 0);
	if (kind == 'b')
		puts_to(r, *digits == '1' ? "true" : "false");
	else if (n <= 16)
		puts_to(r, n ? text : "0");
	else
		puts_to(r, "0x");
	put(r, digits, kind != 'b' && n > 16 ? n : 0);
}

static void constant(struct rust *r)
{
	const char *from;
	char kind = *r->at;

	if (eat(r, 'B')) {
		repeated(r, constant);
		return;
	}
	if (eat(r, 'p')) {
		puts_to(r, "_");
		return;
	}
	r->failed |= !kind || !strchr("abcehijlmnostxy", kind);
	if (r->failed)
		return;
	r->at++;
	if (eat(r, 'n'))
		puts_to(r, "-");
	from = r->at;
	r->at += strspn(r->at, "0123456789abcdef");
	put_constant(r, kind, from, (size_t)(r->at - from));
	r->failed |= !eat(r, '_');
}

static void lifetime(struct rust *r)
{
	base62(r);
	puts_to(r, "'_");
}

/* Reads items up to "E", with separators. */
static void list(struct rust *r, void (*item)(struct rust *r),
		 const char *between)
{
	for (unsigned i = 0; !r->failed && !eat(r, 'E'); i++) {
		puts_to(r, i ? between : "");
		item(r);
		r->failed |= !*r->at;
	}
}

static void generic(struct rust *r)
{
	if (eat(r, 'L'))
		lifetime(r);
	else if (eat(r, 'K'))
		constant(r);
	else
		type(r);
}

static void path_in_type(struct rust *r)
{
	path(r, false);
}

static void path_in_value(struct rust *r)
{
	path(r, true);
}

/* "<T as Trait>" */
static void as_trait(struct rust *r)
{
	puts_to(r, "<");
	type(r);
	puts_to(r, " as ");
	path(r, false);
	puts_to(r, ">");
}

static void path_of(struct rust *r, char tag, bool in_value)
{
	switch (tag) {
	case 'C':
		identifier(r);
		break;
	case 'M':
		hidden_path(r);
		puts_to(r, "<");
		type(r);
		puts_to(r, ">");
		break;
	case 'X':
		hidden_path(r);
		as_trait(r);
		break;
	case 'Y':
		as_trait(r);
		break;
	case 'N':
		nested(r, in_value);
		break;
	case 'I':
		path(r, in_value);
		puts_to(r, in_value ? "::<" : "<");
		list(r, generic, ", ");
		puts_to(r, ">");
		break;
	case 'B':
		repeated(r, in_value ? path_in_value : path_in_type);
		break;
	default:
		r->failed = true;
	}
}

/* in_value: generic arguments follow "::". */
static void path(struct rust *r, bool in_value)
{
	r->failed |= !*r->at || ++r->depth > DEEPEST ||
		     ++r->steps > MOST_STEPS;
	if (r->failed)
		return;
	r->at++;
	path_of(r, r->at[-1], in_value);
	r->depth--;
}

static const char *basic(char tag)
{
	static const char tags[] = "abcdefhijlmnopstuvxyz";
	static const char *const names[] = {
		"i8", "bool", "char", "f64", "str", "f32", "u8", "isize",
		"usize", "i32", "u32", "i128", "u128", "_", "i16", "u16", "()",
		"...", "i64", "u64", "!",
	};
	const char *found = tag ? strchr(tags, tag) : NULL;

	return found ? names[found - tags] : NULL;
}

static void function_type(struct rust *r)
{
	optional62(r, 'G');
	puts_to(r, eat(r, 'U') ? "unsafe fn(" : "fn(");
	if (eat(r, 'K') && !eat(r, 'C')) {
		const char *name;
		bool coded;
		size_t n;

		plain_name(r, &name, &n, &coded);
	}
	list(r, type, ", ");
	puts_to(r, ")");
	if (eat(r, 'u'))
		return;
	puts_to(r, " -> ");
	type(r);
}

/* A trait and its associated types: "Iterator<Item = u8>". */
static void dyn_trait(struct rust *r)
{
	bool open = false;

	path(r, false);
	while (eat(r, 'p')) {
		const char *name;
		bool coded;
		size_t n;

		if (!open && !r->silent && r->used &&
		    r->out[r->used - 1] == '>') {
			r->used--;	/* the trait's own arguments go on */
			open = true;
		}
		puts_to(r, open ? ", " : "<");
		open = true;
		plain_name(r, &name, &n, &coded);
		if (!r->failed)
			put_name(r, name, n, coded);
		puts_to(r, " = ");
		type(r);
	}
	puts_to(r, open ? ">" : "");
}

static void reference(struct rust *r, const char *sign)
{
	if (eat(r, 'L'))
		base62(r);
	puts_to(r, sign);
	type(r);
}

static void array(struct rust *r, bool sized)
{
	puts_to(r, "[");
	type(r);
	puts_to(r, sized ? "; " : "");
	if (sized)
		constant(r);
	puts_to(r, "]");
}

static void tuple(struct rust *r)
{
	const size_t from = r->used;

	puts_to(r, "(");
	list(r, type, ", ");
	if (r->used > from + 1 && !memchr(r->out + from, ',', r->used - from))
		puts_to(r, ",");
	puts_to(r, ")");
}

static void dynamic(struct rust *r)
{
	puts_to(r, "dyn ");
	optional62(r, 'G');
	list(r, dyn_trait, " + ");
	r->failed |= !eat(r, 'L');
	base62(r);
}

static void type_of(struct rust *r, char tag)
{
	switch (tag) {
	case 'A':
	case 'S':
		array(r, tag == 'A');
		break;
	case 'T':
		tuple(r);
		break;
	case 'R':
	case 'Q':
		reference(r, tag == 'R' ? "&" : "&mut ");
		break;
	case 'P':
	case 'O':
		puts_to(r, tag == 'P' ? "*const " : "*mut ");
		type(r);
		break;
	case 'F':
		function_type(r);
		break;
	case 'D':
		dynamic(r);
		break;
	case 'B':
		repeated(r, type);
		break;
	default:
		r->at--;
		path(r, false);
	}
}

static void type(struct rust *r)
{
	const char *name = basic(*r->at);

	r->failed |= !*r->at || ++r->depth > DEEPEST ||
		     ++r->steps > MOST_STEPS;
	if (r->failed)
		return;
	r->at++;
	if (name)
		puts_to(r, name);
	else
		type_of(r, r->at[-1]);
	r->depth--;
}

char *demangle_rust(const char *name)
{
	struct rust *r = calloc(1, sizeof(*r));
	char *out = NULL;

	if (!r)
		return NULL;
	r->start = r->at = name + 2;
	path(r, true);
	if (!r->failed && r->used)
		out = strndup(r->out, r->used);
	free(r);
	return out;
}
