/* SPDX-License-Identifier: MIT */
/* Shapes from words, and arenas for them, for the tests of kernels. */
#define _GNU_SOURCE
#include "kernel-shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/text.h"

static int word_value(const struct kernel_option *option, const char *text,
		      int64_t *out, struct assay_error *err)
{
	uint64_t count;
	int rc;

	if (option->kind == ASSAY_OPTION_CHOICE) {
		for (*out = 0; option->words[*out]; ++*out)
			if (strcmp(option->words[*out], text) == 0)
				return 0;
		return 0;
	}
	if (option->kind == ASSAY_OPTION_FLAG) {
		*out = strcmp(text, "on") == 0;
		return 0;
	}
	if (option->kind == ASSAY_OPTION_REAL) {
		*out = (int64_t)(strtod(text, NULL) * 1e6 + 0.5);
		return 0;
	}
	rc = text_count(&count, text, err);
	*out = (int64_t)count;
	return rc;
}

static int set_word(const struct kernel *kernel, struct assay_shape *shape,
		    const char *word, struct assay_error *err)
{
	const char *equals = strchr(word, '=');
	const struct kernel_option *option;
	char name[24];
	int64_t value = 0;

	if (!equals || equals - word >= (int)sizeof(name))
		return error_set(err, -ASSAY_EINVAL, "'%s'?", word);
	memcpy(name, word, (size_t)(equals - word));
	name[equals - word] = '\0';
	option = kernel_option(kernel, name);
	if (option && word_value(option, equals + 1, &value, err))
		return err ? err->code : -ASSAY_EINVAL;
	return kernel_set(kernel, shape, name, value, err);
}

const struct kernel *shape_make(struct assay_shape *out,
				const char *const *words,
				struct assay_error *err)
{
	const struct kernel *kernel = kernel_find(words[0]);

	if (!kernel) {
		error_set(err, -ASSAY_ENOENT, "no kernel '%s'", words[0]);
		return NULL;
	}
	kernel_defaults(kernel, out);
	for (unsigned i = 1; words[i]; i++)
		if (set_word(kernel, out, words[i], err))
			return NULL;
	return kernel->resolve(out, err) ? NULL : kernel;
}

const struct kernel *shape_text(struct assay_shape *out, const char *text,
				struct assay_error *err)
{
	const char *words[ASSAY_SHAPE_OPTIONS + 2] = { NULL };
	char copy[512], *save, *word;
	unsigned n = 0;

	text_copy(copy, sizeof(copy), text);
	for (word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save))
		if (n <= ASSAY_SHAPE_OPTIONS)
			words[n++] = word;
	return shape_make(out, words, err);
}

void shape_arena(struct arena *out, const struct kernel *kernel,
		 const struct assay_shape *shape)
{
	out->bytes = kernel->arena_bytes(shape);
	out->base = NULL;
	out->pages = ARENA_4K;
	if (out->bytes) {
		out->base = mmap(NULL, out->bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (out->base == MAP_FAILED) {
			perror("mmap");
			exit(1);
		}
	}
	kernel->prepare(shape, out);
}

void shape_arena_free(struct arena *arena)
{
	if (arena->base)
		munmap(arena->base, arena->bytes);
	arena->base = NULL;
}
