/* SPDX-License-Identifier: MIT */
#include "program/start.h"

#include <stddef.h>
#include <string.h>

const char start_name[] = "[loader, libc start]";

/* Names of the loader's file, up to the version: glibc's, and musl's. */
static const char *const loaders[] = {
	"ld-linux", "ld-musl-", "ld64.so", "ld.so", "ld-2.", NULL
};

/* Functions of glibc, musl and the compiler's start files; a static program has
 * them itself. A name that ends in '*' is a beginning. */
static const char *const functions[] = {
	"_start", "_start_c", "_init", "_fini", "call_init", "frame_dummy",
	"register_tm_clones", "deregister_tm_clones", "__do_global_dtors_aux",
	"_dl_*", "__libc_start_*", "__libc_init_*", "__libc_setup_tls",
	"__libc_csu_*", "__tunable*", "__GI___tunable*", "init_cacheinfo*",
	"__init_cpu_features*", "__init_tls", "__init_libc", "__rela_iplt*",
	"apply_irel", "libc_start_init", "libc_start_main*", NULL
};

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_like(const char *name, const char *pattern)
{
	const size_t n = strlen(pattern);

	return n && pattern[n - 1] == '*' ?
	       !strncmp(name, pattern, n - 1) : !strcmp(name, pattern);
}

bool start_is(const char *object, const char *function)
{
	const char *slash = strrchr(object, '/');

	for (size_t i = 0; loaders[i]; i++)
		if (begins(slash ? slash + 1 : object, loaders[i]))
			return true;
	for (size_t i = 0; functions[i]; i++)
		if (is_like(function, functions[i]))
			return true;
	return false;
}
