/* SPDX-License-Identifier: MIT */
/* Reads assay-ci.yaml: see file.h. */
#define _GNU_SOURCE	/* asprintf */
#include "ci/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { LAYOUTS = 8, BENCHMARKS = 256 };

/* What is being read. */
struct reader {
	struct ci_file *out;
	const struct yaml *yaml;
	const struct assay_ci *ci;
	const char *cpu;
	unsigned layouts;
	struct assay_error *err;
};

/* The number of a scalar, from 0 to `most`; `otherwise` if it is missing. */
static int read_number(const struct reader *r, const struct yaml_node *map,
		       const char *key, unsigned least, unsigned most,
		       unsigned otherwise, unsigned *out)
{
	const struct yaml_node *n = yaml_get(map, key);
	uint64_t value = otherwise;
	int rc = n ? yaml_is(r->yaml, n, YAML_SCALAR, key, r->err) : 0;

	if (rc < 0)
		return rc;
	if (n && (text_count(&value, n->text, NULL) < 0 || value < least ||
		  value > most))
		return yaml_error(r->yaml, n, r->err, "'%s' must be a number "
				  "from %u to %u", key, least, most);
	*out = (unsigned)value;
	return 0;
}

/* ---- commands ----------------------------------------------------------- */

static int add_word(const struct reader *r, struct ci_benchmark *b,
		    const struct yaml_node *n, const char *word)
{
	size_t i = 0;

	while (b->word[i])
		i++;
	if (i == CI_ARGUMENTS)
		return yaml_error(r->yaml, n, r->err, "a command has at most "
				  "%d words", CI_ARGUMENTS);
	b->word[i] = strdup(word);
	return b->word[i] ? 0 : error_memory(r->err);
}

/* "./words 20000": words between blanks. */
static int split(const struct reader *r, struct ci_benchmark *b,
		 const struct yaml_node *n)
{
	char *text = strdup(n->text), *rest = text, *word;
	int rc = text ? 0 : error_memory(r->err);

	if (rc == 0 && strpbrk(text, "\"'\\$|<>"))
		rc = yaml_error(r->yaml, n, r->err, "no shell reads this: write "
				"the words as a list, [./program, \"a b\"]");
	while (rc == 0 && (word = strsep(&rest, " ")) != NULL)
		if (*word)
			rc = add_word(r, b, n, word);
	free(text);
	return rc;
}

static int read_command(const struct reader *r, struct ci_benchmark *b,
			const struct yaml_node *map)
{
	const struct yaml_node *n = yaml_get(map, "command");
	int rc = 0;

	if (!n)
		return yaml_error(r->yaml, map, r->err, "'command' is missing");
	if (n->kind == YAML_SCALAR)
		rc = split(r, b, n);
	else
		rc = yaml_is(r->yaml, n, YAML_SEQUENCE, "command", r->err);
	for (const struct yaml_node *w = n->first; w && rc == 0; w = w->next) {
		rc = yaml_is(r->yaml, w, YAML_SCALAR, "a word of a command",
			     r->err);
		if (rc == 0)
			rc = add_word(r, b, w, w->text);
	}
	if (rc == 0 && !b->word[0])
		rc = yaml_error(r->yaml, n, r->err, "the command is empty");
	return rc;
}

/* ---- budgets ------------------------------------------------------------ */

/* "+1 %" or "1000": more of the quantity is allowed by this. */
static int read_budget(const struct reader *r, struct ci_benchmark *b,
		       const struct yaml_node *n)
{
	struct ci_budget *out = &b->budget[b->budgets];
	struct assay_error why;
	char text[200];
	int q = assay_quantity_find(n->key);
	int rc = yaml_is(r->yaml, n, YAML_SCALAR, "a budget", r->err);

	if (rc < 0)
		return rc;
	if (q < 0) {
		quantity_unknown(n->key, &why);
		return yaml_error_key(r->yaml, n, r->err, "%s", why.text);
	}
	if (b->budgets == CI_BUDGETS)
		return yaml_error(r->yaml, n, r->err, "at most %d budgets",
				  CI_BUDGETS);
	snprintf(text, sizeof(text), "%s > %.100s", n->key, n->text);
	if (compare_limit_parse(&out->limit, text, &why) < 0 ||
	    out->limit.by < 0)
		return yaml_error(r->yaml, n, r->err, "a budget is a number "
				  "from 0 on, of counts or with %%: '+1 %%'");
	out->quantity = (enum assay_quantity)q;
	out->layouts = q == ASSAY_Q_instructions ? 1 : r->layouts;
	b->budgets++;
	return 0;
}

static int read_budgets(const struct reader *r, struct ci_benchmark *b,
			const struct yaml_node *map)
{
	const struct yaml_node *all;
	int rc = yaml_need(&all, r->yaml, map, "budgets", YAML_MAPPING, r->err);

	for (const struct yaml_node *n = rc ? NULL : all->first; n && rc == 0;
	     n = n->next)
		rc = read_budget(r, b, n);
	if (rc == 0 && !b->budgets)
		rc = yaml_error_key(r->yaml, all, r->err, "'budgets' is empty: "
				    "nothing would be judged");
	return rc;
}

/* ---- benchmarks --------------------------------------------------------- */

static int read_inputs(const struct reader *r, struct ci_benchmark *b,
		       const struct yaml_node *map)
{
	const struct yaml_node *all;
	int rc = yaml_list(&all, r->yaml, map, "inputs", 0, 256, r->err);

	if (rc == 0 && all)
		b->input = all->first;
	for (const struct yaml_node *n = b->input; n && rc == 0; n = n->next) {
		rc = yaml_is(r->yaml, n, YAML_SCALAR, "an input file", r->err);
		if (rc == 0 && (!*n->text || *n->text == '/'))
			rc = yaml_error(r->yaml, n, r->err, "an input file's "
					"path begins in the folder of "
					CI_FILE);
	}
	return rc;
}

/* The part of the program that counts. */
static int read_part(const struct reader *r, struct ci_benchmark *b,
		     const struct yaml_node *n)
{
	const char *from = "", *region = "";
	int rc = yaml_text(&from, r->yaml, n, "from", r->err);

	if (rc == 0)
		rc = yaml_text(&region, r->yaml, n, "region", r->err);
	if (rc == 0 && *from && *region)
		rc = yaml_error(r->yaml, yaml_get(n, "region"), r->err,
				"either 'from' or 'region' says what counts");
	b->from = *from ? from : NULL;
	b->region = *region ? region : NULL;
	return rc;
}

static int read_benchmark(const struct reader *r, const struct yaml_node *n)
{
	static const char *const keys[] = {
		"command", "status", "cpu", "inputs", "layouts", "budgets",
		"from", "region", NULL
	};
	struct ci_benchmark *b = &r->out->benchmark[r->out->benchmarks++];
	struct reader own = *r;
	const char *cpu = "";
	unsigned status;
	int rc = yaml_keys(r->yaml, n, keys, "a benchmark", r->err);

	b->name = n->key;
	if (rc == 0 && strlen(n->key) >= CI_NAME)
		rc = yaml_error_key(r->yaml, n, r->err, "the name is longer "
				    "than %d bytes", CI_NAME - 1);
	if (rc == 0)
		rc = yaml_text(&cpu, r->yaml, n, "cpu", r->err);
	b->cpu = !r->ci->cpu && *cpu ? cpu : r->cpu;
	if (rc == 0)
		rc = read_number(r, n, "status", 0, 255, 0, &status);
	if (rc == 0)
		rc = read_number(r, n, "layouts", 1, CI_LAYOUTS, r->layouts,
				 &own.layouts);
	if (r->ci->layouts)
		own.layouts = r->ci->layouts;
	if (rc == 0)
		rc = read_part(r, b, n);
	if (rc == 0)
		rc = read_command(r, b, n);
	if (rc == 0)
		rc = read_inputs(r, b, n);
	if (rc == 0)
		rc = read_budgets(&own, b, n);
	b->status = rc ? 0 : (int)status;
	return rc;
}

static int read_benchmarks(const struct reader *r)
{
	const struct yaml_node *all;
	int rc = yaml_need(&all, r->yaml, r->yaml->root, "benchmarks",
			   YAML_MAPPING, r->err);

	if (rc < 0)
		return rc;
	if (!all->count || all->count > BENCHMARKS)
		return yaml_error_key(r->yaml, all, r->err, "there must be 1 "
				      "to %d benchmarks", BENCHMARKS);
	r->out->benchmark = calloc(all->count, sizeof(*r->out->benchmark));
	if (!r->out->benchmark)
		return error_memory(r->err);
	for (const struct yaml_node *n = all->first; n && rc == 0; n = n->next)
		rc = read_benchmark(r, n);
	return rc;
}

/* ---- the file ----------------------------------------------------------- */

static int read_environment(const struct reader *r)
{
	const struct yaml_node *all = yaml_get(r->yaml->root, "environment");
	int rc = all ? yaml_is(r->yaml, all, YAML_MAPPING, "environment",
			       r->err) : 0;
	size_t n = 0;

	if (rc < 0 || !all)
		return rc;
	if (all->count > CI_ARGUMENTS / 2)
		return yaml_error(r->yaml, all, r->err, "more than %d "
				  "variables", CI_ARGUMENTS / 2);
	for (const struct yaml_node *v = all->first; v && rc == 0;
	     v = v->next) {
		rc = yaml_is(r->yaml, v, YAML_SCALAR, "a variable", r->err);
		if (rc == 0 && (!strncmp(v->key, "QEMU_", 5) ||
				!strncmp(v->key, "LD_", 3)))
			rc = yaml_error_key(r->yaml, v, r->err, "'%s' would "
					    "act on QEMU, not on the program",
					    v->key);
		if (rc == 0 && asprintf(&r->out->environment[n++], "%s=%s",
					v->key, v->text) < 0)
			rc = error_memory(r->err);
	}
	return rc;
}

static int read_all(struct reader *r)
{
	const char *cpu, *guest;
	const struct yaml_member members[] = {
		YAML_SCHEMA("assay-ci/1"), YAML_TEXT("cpu", &cpu),
		YAML_TEXT("guest", &guest), YAML_OTHER("layouts"),
		YAML_OTHER("environment"), YAML_OTHER("benchmarks"),
		{ .key = NULL },
	};
	int rc = yaml_members(r->yaml, r->yaml->root, members, CI_FILE, r->err);

	if (rc < 0)
		return rc;
	r->cpu = r->ci->cpu ? r->ci->cpu : *cpu ? cpu : NULL;
	r->out->guest = *guest ? guest : NULL;
	rc = read_number(r, r->yaml->root, "layouts", 1, CI_LAYOUTS, LAYOUTS,
			 &r->layouts);
	if (rc == 0)
		rc = read_environment(r);
	return rc ? rc : read_benchmarks(r);
}

int ci_file_parse(struct ci_file *out, const char *name, const char *text,
		  size_t bytes, const struct assay_ci *ci,
		  struct assay_error *err)
{
	struct reader r = { .out = out, .ci = ci, .err = err };
	int rc;

	*out = (struct ci_file){ .benchmarks = 0 };
	rc = yaml_parse(&out->yaml, name, text, bytes, err);
	if (rc < 0)
		return rc;
	r.yaml = out->yaml;
	rc = read_all(&r);
	if (rc < 0)
		ci_file_fini(out);
	return rc;
}

int ci_file_read(struct ci_file *out, const struct assay_ci *ci,
		 struct assay_error *err)
{
	char path[4096], *text;
	size_t bytes;
	int rc;

	snprintf(path, sizeof(path), "%s%s" CI_FILE, ci->folder ? ci->folder :
		 "", ci->folder ? "/" : "");
	rc = text_load(&text, &bytes, path, YAML_BYTES, err);
	if (rc < 0) {
		if (rc == -ASSAY_ENOENT)
			error_add(err, "assay ci init writes one");
		return rc;
	}
	rc = ci_file_parse(out, path, text, bytes, ci, err);
	free(text);
	return rc;
}

void ci_file_fini(struct ci_file *file)
{
	for (size_t i = 0; i < file->benchmarks; i++)
		for (char **w = file->benchmark[i].word; *w; w++)
			free(*w);
	for (char **v = file->environment; *v; v++)
		free(*v);
	free(file->benchmark);
	if (file->yaml)
		yaml_free(file->yaml);
	*file = (struct ci_file){ .benchmarks = 0 };
}
