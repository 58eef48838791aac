/* SPDX-License-Identifier: MIT */
/* Shapes of saved records. Choices are found by word, not by their number. */
#include "run/saved.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static int64_t value_of(const struct kernel *kernel,
			const struct assay_shape_value *saved)
{
	const struct kernel_option *option = kernel_option(kernel,
							   saved->name);

	if (!option || option->kind != ASSAY_OPTION_CHOICE ||
	    saved->kind != ASSAY_OPTION_CHOICE)
		return saved->value;
	for (int w = 0; option->words[w]; w++)
		if (strcmp(option->words[w], saved->word) == 0)
			return w;
	return saved->value;
}

bool saved_shape(struct assay_shape *out, const struct kernel *kernel,
		 const struct assay_shape *saved)
{
	int rc = 0;

	kernel_defaults(kernel, out);
	for (unsigned i = 0; i < saved->options && !rc; i++)
		rc = kernel_set(kernel, out, saved->option[i].name,
				value_of(kernel, &saved->option[i]), NULL);
	return rc == 0 && kernel->resolve(out, NULL) == 0;
}

void saved_shape_text(char *out, size_t room, const struct kernel *kernel,
		      const struct assay_shape *shape)
{
	struct assay_shape initial;
	char word[40];

	text_copy(out, room, kernel->name);
	kernel_defaults(kernel, &initial);
	for (unsigned i = 0; i < shape->options; i++) {
		const struct assay_shape_value *v = &shape->option[i];

		if (kernel->size_option &&
		    strcmp(v->name, kernel->size_option) == 0) {
			if (v->kind == ASSAY_OPTION_BYTES)
				text_bytes(word, sizeof(word),
					   (uint64_t)v->value);
			else
				snprintf(word, sizeof(word), "%lld",
					 (long long)v->value);
			text_add(out, room, " ", "%s", word);
		} else if (v->kind == ASSAY_OPTION_CHOICE &&
			   v->value != initial.option[i].value) {
			text_add(out, room, " ", "%s", v->word);
		}
	}
}

struct assay_value saved_number(const struct kernel *kernel,
				const struct assay_shape *shape,
				const char *name)
{
	const int at = assay_shape_find(shape, name);
	struct assay_value v = { .why = NULL };

	if (at >= 0)
		v.number = (double)shape->option[at].value /
			   (shape->option[at].kind == ASSAY_OPTION_REAL ? 1e6 :
									  1);
	else if (strcmp(name, "accesses") == 0)
		v.number = (double)kernel->accesses(shape);
	else
		v.why = "the kernel has no such option";
	return v;
}

bool saved_own_code(const struct assay_record *record, enum isa isa)
{
	return strcmp(record->provider, "published") != 0 &&
	       text_equal(record->machine.isa, isa_names[isa]);
}
