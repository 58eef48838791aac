/* SPDX-License-Identifier: MIT */
/*
 * Chooses the scheme of a mangled name. Rust's older scheme is that of C++ with
 * a hash as the last part and "$LT$" for characters that C++ has not: both are
 * undone here, after __cxa_demangle().
 */
#include "stat/demangle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stat/symbols.h"

static const struct { const char *code; char character; } escapes[] = {
	{ "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
	{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' },
	{ "$u20$", ' ' }, { "$u27$", '\'' }, { "$u5b$", '[' },
	{ "$u5d$", ']' }, { "$u7b$", '{' }, { "$u7d$", '}' },
	{ "$u7e$", '~' }, { "$u22$", '"' }, { "$u2b$", '+' },
	{ "$u3b$", ';' },
};

#define HASH 19	/* "::h" and 16 hexadecimal digits */

static bool has_hash(const char *name, size_t n)
{
	return n > HASH && !strncmp(name + n - HASH, "::h", 3) &&
	       strspn(name + n - HASH + 3, "0123456789abcdef") == HASH - 3;
}

/* The character of the escape at the text, and its length; 0: no escape. */
static size_t escape_at(const char *text, char *out)
{
	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		const size_t n = strlen(escapes[i].code);

		if (!strncmp(text, escapes[i].code, n)) {
			*out = escapes[i].character;
			return n;
		}
	}
	return 0;
}

/* Undoes the escapes of a part of a path; a part that begins with one has "_"
 * before it. ".." stands for "::". */
static void unescape(char *name)
{
	char *out = name;
	bool begins = true;

	while (*name) {
		size_t n;

		name += begins && name[0] == '_' && name[1] == '$';
		n = escape_at(name, out);
		begins = !strncmp(name, "::", 2);
		if (n) {
			name += n;
			out++;
		} else if (begins || !strncmp(name, "..", 2)) {
			*out++ = ':';
			*out++ = ':';
			name += 2;
		} else {
			*out++ = *name++;
		}
	}
	*out = '\0';
}

/* LLVM adds ".llvm." and a number to a name that it made unique. */
static char *demangle_unsuffixed(const char *name)
{
	const char *suffix = strstr(name, ".llvm.");
	char *copy = strndup(name, suffix ? (size_t)(suffix - name) :
			     strlen(name));
	char *out = copy ? demangle_cxx(copy) : NULL;

	free(copy);
	return out;
}

char *symbols_demangle(const char *name)
{
	char *out;
	size_t n;

	if (!strncmp(name, "_R", 2))
		return demangle_rust(name);
	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	out = demangle_unsuffixed(name);
	n = out ? strlen(out) : 0;
	if (!has_hash(out, n))
		return out;
	out[n - HASH] = '\0';
	unescape(out);
	return out;
}
