/* SPDX-License-Identifier: MIT */
/* perf's JSON metric files. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/metrics/metrics.h"

static const char *member(const json_t *of, const char *key)
{
	const char *text = json_string_value(json_object_get(of, key));

	return text ? text : "";
}

static void take(struct metric_list *out, const json_t *one)
{
	const char *name = member(one, "MetricName");
	const char *expression = member(one, "MetricExpr");
	const char *about = member(one, "BriefDescription");

	if (!*name || !*expression)
		return;
	out->item[out->items++] = (struct metric_item){
		.name = name, .expression = expression, .about = about,
		.unit = member(one, "ScaleUnit"),
	};
}

/* Takes the JSON; its strings are the list's. */
static int take_all(struct metric_list *out, json_t *json, const char *file,
		    struct assay_error *err)
{
	const size_t n = json_is_array(json) ? json_array_size(json) : 1;

	out->owned = json;
	if (n > METRICS_MOST)
		return error_set(err, -ASSAY_ERANGE, "%.200s has more than %d "
				 "entries", file, METRICS_MOST);
	out->item = calloc(n + 1, sizeof(*out->item));
	if (!out->item)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (!json_is_array(json))
		take(out, json);
	for (size_t i = 0; json_is_array(json) && i < n; i++)
		take(out, json_array_get(json, i));
	return 0;
}

int metrics_perf(struct metric_list *out, const char *file, const char *text,
		 size_t bytes, struct assay_error *err)
{
	json_error_t why;
	json_t *json = json_loadb(text, bytes, 0, &why);

	out->format = "perf";
	if (!json)
		return error_at(err, file, text,
				why.line > 0 ? (unsigned)why.line : 1,
				why.column > 0 ? (unsigned)why.column : 1,
				"%s", why.text);
	return take_all(out, json, file, err);
}

void metrics_fini(struct metric_list *list)
{
	if (list->format && !strcmp(list->format, "perf"))
		json_decref(list->owned);
	else
		free(list->owned);
	free(list->item);
	free(list->counter);
	*list = (struct metric_list){ .title = "" };
}
