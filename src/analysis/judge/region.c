/* SPDX-License-Identifier: MIT */
/* Splits shapes along their parameter into stretches of equal labels. */
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/parts.h"

/* The number of `key` (n characters) in "key=value;..."; NAN if the key is
 * missing or the value is no number. */
static double value_of(const char *shape, const char *key, size_t n)
{
	while (shape) {
		const char *at = strncmp(shape, key, n) ? NULL : shape + n;

		if (at && *at == '=') {
			char *end;
			const double value = strtod(at + 1, &end);

			return end > at + 1 && (!*end || *end == ';') &&
			       isfinite(value) ? value : NAN;
		}
		shape = strchr(shape, ';');
		shape = shape ? shape + 1 : NULL;
	}
	return NAN;
}

static bool varies(struct judge_list list, const char *key, size_t n)
{
	bool different = false;
	double first = value_of(list.shape[0]->row[0]->shape, key, n);

	for (size_t i = 0; i < list.shapes; i++) {
		const double value = value_of(list.shape[i]->row[0]->shape,
					      key, n);

		if (isnan(value))
			return false;
		different |= value != first;
	}
	return different;
}

const char *judge_parameter(struct judge_list list)
{
	const char *key = list.shape[0]->row[0]->shape;

	for (size_t i = 0; i < list.shapes; i++)
		list.shape[i]->parameter = NAN;
	while (key && *key) {
		const size_t n = strcspn(key, "=;");

		if (key[n] == '=' && varies(list, key, n)) {
			for (size_t i = 0; i < list.shapes; i++)
				list.shape[i]->parameter = value_of(
					list.shape[i]->row[0]->shape, key, n);
			return key;
		}
		key = strchr(key, ';');
		key = key ? key + 1 : NULL;
	}
	return "";
}

/* An unstable shape makes a stretch with unstable shapes only: a region is
 * where other shapes agree, or fail in another way. */
static enum judge_label label_of(const struct judge_shape *s)
{
	return judge_is_unstable(s) ? JUDGE_LABELS :
				      (enum judge_label)s->label;
}

/* End of the shapes with one value of the parameter; *label: the worst label of
 * these shapes. */
static size_t step(struct judge_list list, size_t from,
		   enum judge_label *label)
{
	const double at = list.shape[from]->parameter;
	size_t to = from;

	*label = JUDGE_NONE;
	while (to < list.shapes &&
	       (isnan(at) || list.shape[to]->parameter == at)) {
		if (label_of(list.shape[to]) > *label)
			*label = label_of(list.shape[to]);
		to++;
	}
	return to;
}

size_t judge_stretch(struct judge_list list, size_t from,
		     enum judge_label *label)
{
	size_t to = step(list, from, label);

	while (to < list.shapes) {
		enum judge_label next;
		const size_t end = step(list, to, &next);

		if (next != *label)
			break;
		to = end;
	}
	return to;
}
