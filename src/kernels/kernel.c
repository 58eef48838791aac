/* SPDX-License-Identifier: MIT */
/*
 * The table of kernels, shapes of defaults, and options checked against their
 * rows. Hosted: it writes error texts with printf.
 */
#include "kernels/kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

const struct kernel *const kernel_table[] = {
#define X(name) &name##_kernel,
#include "kernels/kernels.def"
#undef X
	NULL
};

const struct kernel *kernel_find(const char *name)
{
	for (unsigned i = 0; kernel_table[i]; i++)
		if (strcmp(kernel_table[i]->name, name) == 0)
			return kernel_table[i];
	return NULL;
}

int kernel_unknown(const char *name, struct assay_error *err)
{
	const char *names[sizeof(kernel_table) / sizeof(*kernel_table)] = {
		NULL
	};

	for (unsigned i = 0; kernel_table[i]; i++)
		names[i] = kernel_table[i]->name;
	return error_unknown(err, "kernel", name, names,
			     "try: assay list kernels");
}

static void set_value(struct assay_shape_value *out,
		      const struct kernel_option *option, int64_t value)
{
	out->value = value;
	if (option->kind == ASSAY_OPTION_CHOICE && value >= 0)
		text_copy(out->word, sizeof(out->word), option->words[value]);
}

void kernel_defaults(const struct kernel *kernel, struct assay_shape *out)
{
	memset(out, 0, sizeof(*out));
	text_copy(out->kernel, sizeof(out->kernel), kernel->name);
	out->options = kernel->options;
	for (unsigned i = 0; i < kernel->options; i++) {
		const struct kernel_option *option = &kernel->option[i];

		text_copy(out->option[i].name, sizeof(out->option[i].name),
			  option->name);
		out->option[i].kind = option->kind;
		set_value(&out->option[i], option,
			  option->derived ? -1 : option->initial);
	}
}

const struct kernel_option *kernel_option(const struct kernel *kernel,
					  const char *name)
{
	for (unsigned i = 0; i < kernel->options; i++)
		if (strcmp(kernel->option[i].name, name) == 0)
			return &kernel->option[i];
	return NULL;
}

/* -ASSAY_ENOENT; the text names the most similar option, or all options. */
static int no_such_option(const struct kernel *kernel, const char *name,
			  struct assay_error *err)
{
	const char *words[ASSAY_SHAPE_OPTIONS + 1] = { NULL };

	for (unsigned i = 0; i < kernel->options; i++)
		words[i] = kernel->option[i].name;
	error_set(err, -ASSAY_ENOENT, "kernel '%s' has no option '%.40s'",
		  kernel->name, name);
	if (error_meant(err, name, words))
		return -ASSAY_ENOENT;
	error_add(err, "its options are:");
	for (unsigned i = 0; i < kernel->options; i++)
		error_append(err, "%s %s", i ? "," : "", words[i]);
	return -ASSAY_ENOENT;
}

static int bad_word(const struct kernel_option *option,
		    struct assay_error *err)
{
	error_set(err, -ASSAY_EINVAL, "'%s' must be one of:", option->name);
	for (unsigned i = 0; option->words[i]; i++)
		error_append(err, "%s %s", i ? "," : "", option->words[i]);
	return -ASSAY_EINVAL;
}

static void number_text(char *out, size_t room,
			const struct kernel_option *option, int64_t value)
{
	if (option->kind == ASSAY_OPTION_BYTES && value >= 0)
		text_bytes(out, room, (uint64_t)value);
	else if (option->kind == ASSAY_OPTION_REAL)
		snprintf(out, room, "%g", (double)value / 1e6);
	else
		snprintf(out, room, "%" PRId64, value);
}

static int out_of_bounds(const struct kernel_option *option, int64_t value,
			 struct assay_error *err)
{
	bool unit = option->unit && option->kind != ASSAY_OPTION_BYTES;
	char is[32], low[32], high[32];

	number_text(is, sizeof(is), option, value);
	number_text(low, sizeof(low), option, option->min);
	number_text(high, sizeof(high), option, option->max);
	return error_set(err, -ASSAY_ERANGE,
			 "'%s' must be from %s to %s%s%s, not %s",
			 option->name, low, high, unit ? " " : "",
			 unit ? option->unit : "", is);
}

static unsigned count_words(const struct kernel_option *option)
{
	unsigned n = 0;

	while (option->words[n])
		n++;
	return n;
}

static int check_value(const struct kernel_option *option, int64_t value,
		       struct assay_error *err)
{
	char is[32];

	if (option->kind == ASSAY_OPTION_CHOICE) {
		if (value < 0 || value >= count_words(option))
			return bad_word(option, err);
		return 0;
	}
	if (option->kind == ASSAY_OPTION_FLAG) {
		if (value != 0 && value != 1)
			return error_set(err, -ASSAY_EINVAL,
					 "'%s' must be on or off",
					 option->name);
		return 0;
	}
	if (value < option->min || value > option->max)
		return out_of_bounds(option, value, err);
	if (option->power_of_two && (value <= 0 || value & (value - 1))) {
		number_text(is, sizeof(is), option, value);
		return error_set(err, -ASSAY_ERANGE,
				 "'%s' must be a power of two, not %s",
				 option->name, is);
	}
	return 0;
}

int kernel_set(const struct kernel *kernel, struct assay_shape *shape,
	       const char *name, int64_t value, struct assay_error *err)
{
	const struct kernel_option *option = kernel_option(kernel, name);
	int rc;

	if (!option)
		return no_such_option(kernel, name, err);
	rc = check_value(option, value, err);
	if (rc)
		return rc;
	set_value(&shape->option[option - kernel->option], option, value);
	return 0;
}

int kernel_check(const struct kernel *kernel, const struct assay_shape *shape,
		 struct assay_error *err)
{
	int rc = 0;

	if (strcmp(shape->kernel, kernel->name) ||
	    shape->options != kernel->options)
		return error_set(err, -ASSAY_EINVAL,
				 "this is no shape of kernel '%s'",
				 kernel->name);
	for (unsigned i = 0; !rc && i < kernel->options; i++) {
		if (strcmp(shape->option[i].name, kernel->option[i].name))
			return no_such_option(kernel, shape->option[i].name,
					      err);
		rc = check_value(&kernel->option[i], shape->option[i].value,
				 err);
	}
	return rc;
}
