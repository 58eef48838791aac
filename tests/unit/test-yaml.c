/* SPDX-License-Identifier: MIT */
/*
 * YAML texts: places of nodes and of mistakes, and everything that is refused,
 * with its line, column and caret.
 */
#include "check.h"

#include "assay/error.h"
#include "cpus/data-file.h"
#include "cpus/yaml.h"

static struct yaml *parse(const char *text)
{
	struct assay_error err = { 0 };
	struct yaml *yaml = NULL;

	if (yaml_parse(&yaml, "t.yaml", text, strlen(text), &err))
		fail_msg("%s", err.text);
	return yaml;
}

static void places(void **state)
{
	struct yaml *y = parse("a: 1\n"
			       "b:\n"
			       "  - x\n"
			       "  - {c: \"q r\", d: [z]}\n"
			       "\xc3\xa9: |\n"
			       "  text\n");
	const struct yaml_node *b = yaml_get(y->root, "b"), *c, *e;

	(void)state;
	assert_int_equal(y->root->kind, YAML_MAPPING);
	assert_int_equal(y->root->count, 3);
	assert_string_equal(yaml_get(y->root, "a")->text, "1");
	assert_int_equal(b->key_line, 2);
	assert_int_equal(b->key_col, 1);
	assert_int_equal(b->count, 2);
	assert_int_equal(b->first->line, 3);
	assert_int_equal(b->first->col, 5);
	c = yaml_get(b->first->next, "c");
	assert_string_equal(c->text, "q r");
	assert_int_equal(c->line, 4);
	assert_int_equal(c->key_col, 6);
	assert_int_equal(c->col, 10);
	assert_int_equal(yaml_get(b->first->next, "d")->first->col, 20);
	e = yaml_get(y->root, "\xc3\xa9");
	assert_non_null(e);
	assert_string_equal(e->text, "text");
	assert_null(yaml_get(y->root, "zz"));
	assert_null(yaml_get(b, "a"));
	yaml_free(y);
}

static void no_typing(void **state)
{
	struct yaml *y = parse("{a: 0x41, b: no, c: 1.10, d: 64 KiB, e: ~}");

	(void)state;
	assert_string_equal(yaml_get(y->root, "a")->text, "0x41");
	assert_string_equal(yaml_get(y->root, "b")->text, "no");
	assert_string_equal(yaml_get(y->root, "c")->text, "1.10");
	assert_string_equal(yaml_get(y->root, "d")->text, "64 KiB");
	assert_string_equal(yaml_get(y->root, "e")->text, "~");
	yaml_free(y);
}

/* The message, the line and the caret, word for word. */
static void refused(void **state)
{
	static const struct { const char *text, *said; } rows[] = {
		{ "a: {b: 1\nc: 2}\n",
		  "t.yaml:2:2: error: missing comma in flow mapping\n"
		  "c: 2}\n"
		  " ^" },
		{ "a: 1\nb: 2\na: 3\n",
		  "t.yaml:3:1: error: 'a' is given twice (first in line 1)\n"
		  "a: 3\n"
		  "^" },
		{ "x:\n  - &k 1\n",
		  "t.yaml:2:6: error: anchors are not allowed here\n"
		  "  - &k 1\n"
		  "     ^" },
		{ "x: &k {a: 1}\n",
		  "t.yaml:1:5: error: anchors are not allowed here\n"
		  "x: &k {a: 1}\n"
		  "    ^" },
		{ "x: *k\n",
		  "t.yaml:1:5: error: aliases are not allowed here\n"
		  "x: *k\n"
		  "    ^" },
		{ "x: !!int 3\n",
		  "t.yaml:1:4: error: tags are not allowed here\n"
		  "x: !!int 3\n"
		  "   ^" },
		{ "a: 1\n---\nb: 2\n",
		  "t.yaml:2:1: error: only one document is allowed\n"
		  "---\n"
		  "^" },
		{ "? [a]\n: b\n",
		  "t.yaml:1:3: error: a key must be a word\n"
		  "? [a]\n"
		  "  ^" },
		{ "a: \"x\\0y\"\n",
		  "t.yaml:1:5: error: a text must not hold a NUL byte\n"
		  "a: \"x\\0y\"\n"
		  "    ^" },
		{ "\"\": 1\n",
		  "t.yaml:1:2: error: a key must not be empty\n"
		  "\"\": 1\n"
		  " ^" },
		{ "%YAML 1.2\n---\na: 1\n",
		  "t.yaml:1:1: error: directives are not allowed here\n"
		  "%YAML 1.2\n"
		  "^" },
		{ "a: b\xff\n",
		  "t.yaml:1:5: error: this is not UTF-8\n"
		  "a: b?\n"
		  "    ^" },
		{ "a: \xe2\x82\n",
		  "t.yaml:1:4: error: this is not UTF-8\n"
		  "a: ??\n"
		  "   ^" },
		{ "a: \xed\xa0\x80\n",
		  "t.yaml:1:4: error: this is not UTF-8\n"
		  "a: ???\n"
		  "   ^" },
		{ "a: \xc1\x81\n",
		  "t.yaml:1:4: error: this is not UTF-8\n"
		  "a: ??\n"
		  "   ^" },
		{ "a: x\x1b[2J\n",
		  "t.yaml:1:5: error: control characters are not allowed\n"
		  "a: x?[2J\n"
		  "    ^" },
		{ "", "t.yaml:1:1: error: the file is empty\n\n^" },
		{ "# nothing\n", "t.yaml:1:1: error: the file is empty\n"
				 "# nothing\n^" },
		{ "a:\n\t- b\n",
		  "t.yaml:2:1: error: tab character may not be used as indentation\n"
		  "\t- b\n"
		  "^" },
		{ "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]\n",
		  "t.yaml:1:17: error: nested too deep\n"
		  "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]\n"
		  "                ^" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct assay_error err = { 0 };
		struct yaml *yaml = NULL;
		int rc = yaml_parse(&yaml, "t.yaml", rows[i].text,
				    strlen(rows[i].text), &err);

		assert_int_equal(rc, -ASSAY_EPARSE);
		assert_null(yaml);
		assert_string_equal(err.text, rows[i].said);
	}
}

static void limits(void **state)
{
	const size_t bytes = YAML_BYTES + 1;
	struct assay_error err = { 0 };
	struct yaml *yaml = NULL;
	char *text = malloc(bytes + 16);
	size_t used = 0;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < YAML_KEYS + 1; i++)
		used += (size_t)sprintf(text + used, "k%d: 1\n", i);
	assert_int_equal(yaml_parse(&yaml, "t", text, used, &err),
			 -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "t:2049:1: error: too many keys here"));
	used = 0;
	for (int i = 0; i < YAML_NODES; i++)
		used += (size_t)sprintf(text + used, "- 1\n");
	assert_int_equal(yaml_parse(&yaml, "t", text, used, &err),
			 -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "too many values in one file"));
	memset(text, '#', bytes);
	assert_int_equal(yaml_parse(&yaml, "t", text, bytes, &err),
			 -ASSAY_ERANGE);
	assert_string_equal(err.text, "'t' is larger than 4 MiB");
	assert_int_equal(yaml_parse(&yaml, "t", "a: \0b", 5, &err),
			 -ASSAY_EPARSE);
	assert_string_equal(err.text,
			    "t:1:4: error: a text must not hold a NUL byte\n"
			    "a: \n"
			    "   ^");
	free(text);
}

static void keys(void **state)
{
	static const char *const known[] = { "size", "ways", NULL };
	struct assay_error err = { 0 };
	struct yaml *y = parse("l1d:\n  size: 1\n  wayz: 2\nl2: {zzzz: 3}\n"
			       "l3: [1]\nl4: {size: 4}\n");
	const struct yaml_node *node = NULL;
	const char *text = NULL;

	(void)state;
	assert_int_equal(yaml_keys(y, yaml_get(y->root, "l1d"), known, "l1d",
				   &err), -ASSAY_EPARSE);
	assert_string_equal(err.text, "t.yaml:3:3: error: unknown key 'wayz'; "
				      "did you mean 'ways'?\n"
				      "  wayz: 2\n"
				      "  ^");
	assert_int_equal(yaml_keys(y, yaml_get(y->root, "l2"), known, "l2",
				   &err), -ASSAY_EPARSE);
	assert_string_equal(err.text, "t.yaml:4:6: error: unknown key 'zzzz'; "
				      "'l2' takes: size, ways\n"
				      "l2: {zzzz: 3}\n"
				      "     ^");
	assert_int_equal(yaml_keys(y, yaml_get(y->root, "l3"), known, "l3",
				   &err), -ASSAY_EPARSE);
	assert_string_equal(err.text, "t.yaml:5:5: error: 'l3' must be a "
				      "mapping, not a list\n"
				      "l3: [1]\n"
				      "    ^");
	assert_int_equal(yaml_keys(y, yaml_get(y->root, "l4"), known, "l4",
				   &err), 0);
	assert_int_equal(yaml_need(&node, y, yaml_get(y->root, "l4"), "ways",
				   YAML_SCALAR, &err), -ASSAY_EPARSE);
	assert_string_equal(err.text, "t.yaml:6:1: error: 'l4' needs 'ways'\n"
				      "l4: {size: 4}\n"
				      "^");
	assert_int_equal(yaml_need(&node, y, y->root, "none", YAML_SCALAR,
				   &err), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "error: 'none' is missing"));
	assert_int_equal(yaml_text(&text, y, y->root, "none", &err), 0);
	assert_string_equal(text, "");
	assert_int_equal(yaml_text(&text, y, y->root, "l3", &err),
			 -ASSAY_EPARSE);
	yaml_free(y);
}

/* The caret goes into plain, quoted, folded and literal texts. */
static void carets_inside(void **state)
{
	static const struct { const char *text; size_t at; const char *place; }
	rows[] = {
		{ "k: ab + X\n", 5, "t.yaml:1:9:" },
		{ "k: \"ab + X\"\n", 5, "t.yaml:1:10:" },
		{ "k: ab +\n   X\n", 5, "t.yaml:2:4:" },
		{ "k:\n  ab\n    + X\n", 5, "t.yaml:3:7:" },
		{ "k: |\n   ab + X\n", 5, "t.yaml:2:9:" },
		{ "k: >-\n   ab +\n   X\n", 5, "t.yaml:3:4:" },
		{ "k: ab    + X\n", 8, "t.yaml:1:12:" },
		{ "k: \"a\\x62 + X\"\n", 5, "t.yaml:1:5:" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct yaml *y = parse(rows[i].text);
		const struct yaml_node *k = yaml_get(y->root, "k");
		struct assay_error err;

		assert_int_equal(k->text[rows[i].at], 'X');
		yaml_error_in(y, k, rows[i].at, &err, "here");
		if (strncmp(err.text, rows[i].place, strlen(rows[i].place)))
			fail_msg("%zu: %s", i, err.text);
		yaml_free(y);
	}
}

static void nothing_is_printed(void **state)
{
	char line[64];
	FILE *kept = tmpfile(), *was = stderr;
	struct yaml *yaml = NULL;

	(void)state;
	assert_non_null(kept);
	stderr = kept;
	assert_int_equal(yaml_parse(&yaml, "t", "a: [\n", 5, NULL),
			 -ASSAY_EPARSE);
	assert_int_equal(yaml_parse(&yaml, "t", "a: \"\\q\"", 7, NULL),
			 -ASSAY_EPARSE);
	stderr = was;
	rewind(kept);
	assert_null(fgets(line, sizeof(line), kept));
	fclose(kept);
}

static void paths_and_names(void **state)
{
	struct assay_error err = { 0 };
	struct data_text s = { 0 };

	(void)state;
	assert_true(data_file_is_path("./x"));
	assert_true(data_file_is_path("x.yaml"));
	assert_true(data_file_is_path("x.yml"));
	assert_false(data_file_is_path("cortex-a72"));
	assert_int_equal(data_file_open(&s, "cpus", "/nowhere/x.yaml", NULL,
				     &err), -ASSAY_ENOENT);
	assert_string_equal(err.text, "cannot read '/nowhere/x.yaml': "
				      "No such file or directory");
	assert_int_equal(data_file_open(&s, "cpus", "..", NULL, &err),
			 -ASSAY_ENOENT);
	assert_int_equal(data_file_open(&s, "cpus", "./", NULL, &err),
			 -ASSAY_ENOENT);
	assert_int_equal(data_file_open(&s, "cpus", "cortex-a73", NULL, &err),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "did you mean 'cortex-a"));
	assert_int_equal(data_file_open(&s, "cpus", "", NULL, &err),
			 -ASSAY_ENOENT);
	assert_int_equal(data_file_open(&s, "cpus", "/dev/zero", NULL, &err),
			 -ASSAY_ERANGE);
	assert_int_equal(data_file_open(&s, "cpus", "Cortex-A72", NULL, &err), 0);
	assert_string_equal(s.file, "data/cpus/cortex-a72.yaml");
	data_file_fini(&s);
	data_file_fini(&s);
}

static void a_directory_overrides(void **state)
{
	char dir[] = "/tmp/assay-test-XXXXXX", path[256];
	struct assay_error err = { 0 };
	struct data_text s = { 0 };
	const char **names;
	size_t n = 0, own = 0;
	FILE *out;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "mkdir %s/cpus", dir);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), "%s/cpus/cortex-a72.yaml", dir);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs("mine", out);
	fclose(out);
	snprintf(path, sizeof(path), "cp %s/cpus/cortex-a72.yaml "
		 "%s/cpus/mine.yaml", dir, dir);
	assert_int_equal(system(path), 0);
	assert_int_equal(data_file_open(&s, "cpus", "cortex-a72", dir, &err), 0);
	assert_string_equal(s.text, "mine");
	data_file_fini(&s);
	assert_int_equal(data_file_names(&names, "cpus", dir, &err), 0);
	for (; names[n]; n++) {
		own += strcmp(names[n], "mine") == 0;
		assert_true(!n || strcmp(names[n - 1], names[n]) < 0);
	}
	assert_int_equal(own, 1);
	assert_true(n > 2);
	free(names);
	snprintf(path, sizeof(path), "rm -r %s", dir);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(no_typing),
		cmocka_unit_test(refused),
		cmocka_unit_test(limits),
		cmocka_unit_test(keys),
		cmocka_unit_test(carets_inside),
		cmocka_unit_test(nothing_is_printed),
		cmocka_unit_test(paths_and_names),
		cmocka_unit_test(a_directory_overrides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
