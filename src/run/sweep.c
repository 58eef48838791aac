/* SPDX-License-Identifier: MIT */
/* Parsing settings into axes, and picking shapes of their product. */
#include "run/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

static int add(struct sweep_axis *axis, int64_t value, struct assay_error *err)
{
	if (axis->values == SWEEP_SHAPES)
		return error_set(err, -ASSAY_ERANGE,
				 "--%s: more than %d values", axis->name,
				 SWEEP_SHAPES);
	if (!array_resize(&axis->value, axis->values + 1,
			  sizeof(*axis->value)))
		return error_memory(err);
	axis->value[axis->values++] = value;
	return 0;
}

static int parse_count(int64_t *out, const struct kernel_option *option,
		       const char *text, struct assay_error *err)
{
	struct assay_error why;
	uint64_t value;
	int rc = text_count(&value, text, &why);

	if (rc < 0)
		return error_set(err, rc, "--%s: %s", option->name, why.text);
	if (value > INT64_MAX)
		return error_set(err, -ASSAY_ERANGE, "--%s: '%.60s' is too "
				 "large", option->name, text);
	*out = (int64_t)value;
	return 0;
}

static int parse_word(int64_t *out, const struct kernel_option *option,
		      const char *text, struct assay_error *err)
{
	for (int i = 0; option->words[i]; i++) {
		if (strcmp(option->words[i], text) == 0) {
			*out = i;
			return 0;
		}
	}
	error_set(err, -ASSAY_EINVAL, "--%s: '%.60s' is none of",
		  option->name, text);
	for (int i = 0; option->words[i]; i++)
		error_append(err, "%s %s", i ? "," : "", option->words[i]);
	error_meant(err, text, option->words);
	return -ASSAY_EINVAL;
}

static int parse_flag(int64_t *out, const struct kernel_option *option,
		      const char *text, struct assay_error *err)
{
	if (strcmp(text, "on") && strcmp(text, "off"))
		return error_set(err, -ASSAY_EINVAL,
				 "--%s: '%.60s' is neither on nor off",
				 option->name, text);
	*out = text[1] == 'n';
	return 0;
}

static int parse_real(int64_t *out, const struct kernel_option *option,
		      const char *text, struct assay_error *err)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value) || fabs(value) > 9e12)
		return error_set(err, -ASSAY_EINVAL,
				 "--%s: '%.60s' is not a decimal number",
				 option->name, text);
	*out = llround(value * 1e6);
	return 0;
}

static int parse_value(int64_t *out, const struct kernel_option *option,
		       const char *text, struct assay_error *err)
{
	switch (option->kind) {
	case ASSAY_OPTION_CHOICE:
		return parse_word(out, option, text, err);
	case ASSAY_OPTION_FLAG:
		return parse_flag(out, option, text, err);
	case ASSAY_OPTION_REAL:
		return parse_real(out, option, text, err);
	default:
		return parse_count(out, option, text, err);
	}
}

/* Adds from * 2^(i / steps), rounded, for i = 0, 1 ... up to `to`. */
static int add_range(struct sweep_axis *axis, int64_t from, int64_t to,
		     unsigned steps, bool power_of_two,
		     struct assay_error *err)
{
	int64_t last = -1;
	int rc = 0;

	for (unsigned i = 0; rc == 0; i++) {
		double exact = (double)from * exp2((double)i / steps);
		int64_t value;

		if (i && (exact > (double)to + 0.5 || exact >= 0x1p63))
			break;
		value = i ? llround(exact) : from;
		if (power_of_two && i % steps && value & (value - 1))
			continue;
		if (value != last)
			rc = add(axis, value, err);
		last = value;
	}
	return rc;
}

static int parse_range(struct sweep_axis *axis,
		       const struct kernel_option *option, char *text,
		       char *dots, struct assay_error *err)
{
	char *slash = strchr(dots + 2, '/');
	int64_t from, to, steps = 1;
	int rc;

	if (option->kind != ASSAY_OPTION_COUNT &&
	    option->kind != ASSAY_OPTION_BYTES)
		return error_set(err, -ASSAY_EINVAL,
				 "--%s takes no range, only a list",
				 option->name);
	*dots = '\0';
	if (slash)
		*slash = '\0';
	rc = parse_count(&from, option, text, err);
	if (rc == 0)
		rc = parse_count(&to, option, dots + 2, err);
	if (rc == 0 && slash)
		rc = parse_count(&steps, option, slash + 1, err);
	if (rc < 0)
		return rc;
	if (from < 1 || to < from)
		return error_set(err, -ASSAY_EINVAL, "--%s: a range A..B needs "
				 "1 <= A <= B", option->name);
	if (steps < 1 || steps > 64)
		return error_set(err, -ASSAY_EINVAL, "--%s: A..B/N needs "
				 "1 <= N <= 64", option->name);
	return add_range(axis, from, to, (unsigned)steps,
			 option->power_of_two, err);
}

static int parse_item(struct sweep_axis *axis,
		      const struct kernel_option *option, char *text,
		      struct assay_error *err)
{
	char *dots = strstr(text, "..");
	int64_t value;
	int rc;

	if (!*text)
		return error_set(err, -ASSAY_EINVAL, "--%s: an empty value",
				 option->name);
	if (dots)
		return parse_range(axis, option, text, dots, err);
	rc = parse_value(&value, option, text, err);
	return rc < 0 ? rc : add(axis, value, err);
}

static int parse_axis(struct sweep *sweep, const struct assay_setting *setting,
		      struct assay_error *err)
{
	const struct kernel_option *option;
	struct sweep_axis *axis = &sweep->axis[sweep->axes];
	char *text, *next, *item;
	struct assay_shape unused;
	int rc = 0;

	option = kernel_option(sweep->kernel, setting->name);
	kernel_defaults(sweep->kernel, &unused);
	if (!option)
		return kernel_set(sweep->kernel, &unused, setting->name, 0,
				  err);
	for (unsigned i = 0; i < sweep->axes; i++)
		if (strcmp(sweep->axis[i].name, option->name) == 0)
			return error_set(err, -ASSAY_EINVAL,
					 "--%s is given twice", option->name);
	text = strdup(setting->text);
	if (!text)
		return error_memory(err);
	axis->name = option->name;
	sweep->axes++;
	next = text;
	while (rc == 0 && (item = strsep(&next, ","))) {
		sweep->range |= strstr(item, "..") != NULL;
		rc = parse_item(axis, option, item, err);
	}
	free(text);
	return rc;
}

static int count_shapes(struct sweep *sweep, struct assay_error *err)
{
	uint64_t shapes = 1;

	for (unsigned i = 0; i < sweep->axes; i++) {
		shapes *= sweep->axis[i].values;
		if (shapes > SWEEP_SHAPES)
			return error_set(err, -ASSAY_ERANGE,
					 "more than %d shapes", SWEEP_SHAPES);
	}
	sweep->shapes = (unsigned)shapes;
	return 0;
}

int sweep_init(struct sweep *out, const struct kernel *kernel,
	       const struct assay_setting *setting, size_t settings,
	       struct assay_error *err)
{
	int rc = 0;

	*out = (struct sweep){ .kernel = kernel };
	for (size_t i = 0; i < settings && rc == 0; i++)
		rc = parse_axis(out, &setting[i], err);
	if (rc == 0)
		rc = count_shapes(out, err);
	if (rc < 0)
		sweep_fini(out);
	return rc;
}

void sweep_fini(struct sweep *sweep)
{
	for (unsigned i = 0; i < sweep->axes; i++)
		free(sweep->axis[i].value);
	*sweep = (struct sweep){ 0 };
}

int sweep_shape(const struct sweep *sweep, unsigned index,
		struct assay_shape *out, struct assay_error *err)
{
	int rc = 0;

	kernel_defaults(sweep->kernel, out);
	for (unsigned i = sweep->axes; i-- && rc == 0;) {
		const struct sweep_axis *axis = &sweep->axis[i];

		rc = kernel_set(sweep->kernel, out, axis->name,
				axis->value[index % axis->values], err);
		index /= axis->values;
	}
	return rc < 0 ? rc : sweep->kernel->resolve(out, err);
}
