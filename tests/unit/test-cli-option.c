/* SPDX-License-Identifier: MIT */
/* Command lines: what is taken, what is refused, and with which words. */
#include "check.h"

#include "cli/option.h"

#define FIELD(name) offsetof(struct settings, name)

static const struct option first[] = {
	{ 'j', "json", OPTION_FLAG, NULL, "", FIELD(json), 0, NULL },
	{ 'v', "verbose", OPTION_FLAG, NULL, "", FIELD(verbose), 0, NULL },
	{ 'x', "field-separator", OPTION_TEXT, "SEP", "", FIELD(separator), 0,
	  NULL },
	{ 0 }
};
static const struct option second[] = {
	{ 'e', "event", OPTION_LIST, "EVENTS", "", FIELD(events), 0, NULL },
	{ 'r', "repeat", OPTION_NUMBER, "N", "", FIELD(repeats), 1, NULL },
	{ 0, "color", OPTION_TEXT, "WHEN", "", FIELD(colour), 0,
	  "auto|always|never" },
	{ 0 }
};
static const struct option *const tables[] = { first, second, NULL };

static const struct assay_kernel_option kernel[] = {
	{ .name = "elements", .kind = ASSAY_OPTION_COUNT },
	{ .name = "generator", .kind = ASSAY_OPTION_FLAG },
};

static const struct grammar grammar = {
	.table = tables, .kernel = kernel, .kernels = 2, .args = 2,
};

#define WORDS(...) ((char *[]){ __VA_ARGS__, NULL })

static int count_words(char **words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

static void good(struct settings *s, char **words)
{
	struct assay_error err = { 0 };

	settings_init(s);
	if (options_parse(s, &grammar, count_words(words), words, &err))
		fail_msg("%s", err.text);
}

static void bad(char **words, const char *text)
{
	struct assay_error err = { 0 };
	struct settings s;

	settings_init(&s);
	assert_int_equal(options_parse(&s, &grammar, count_words(words), words,
				       &err), -ASSAY_EINVAL);
	assert_string_equal(err.text, text);
	settings_fini(&s);
}

static void any_order_and_form(void **state)
{
	struct settings s;

	(void)state;
	good(&s, WORDS("-jv", "a", "-r3", "--event", "x,y", "-x", ",",
		       "--event=z", "--", "-q"));
	assert_true(s.json && s.verbose);
	assert_int_equal(s.repeats, 3);
	assert_string_equal(s.events, "x,y,z");
	assert_string_equal(s.separator, ",");
	assert_int_equal(s.args, 2);
	assert_string_equal(s.arg[0], "a");
	assert_string_equal(s.arg[1], "-q");
	settings_fini(&s);
	good(&s, WORDS("-", "-x,", "--color=always"));
	assert_string_equal(s.arg[0], "-");
	assert_string_equal(s.separator, ",");
	assert_string_equal(s.colour, "always");
	assert_int_equal(s.repeats, -1);
	settings_fini(&s);
}

static void kernel_options(void **state)
{
	struct settings s;

	(void)state;
	good(&s, WORDS("--elements", "1..8", "--generator", "a"));
	assert_int_equal(s.kernels, 2);
	assert_string_equal(s.kernel[0].name, "elements");
	assert_string_equal(s.kernel[0].text, "1..8");
	assert_string_equal(s.kernel[1].text, "on");
	assert_string_equal(s.arg[0], "a");
	good(&s, WORDS("--generator", "off", "--no-generator",
		       "--generator=on,off", "--generator", "on,off"));
	assert_int_equal(s.kernels, 4);
	assert_int_equal(s.args, 0);
	assert_string_equal(s.kernel[0].text, "off");
	assert_string_equal(s.kernel[1].text, "off");
	assert_string_equal(s.kernel[2].text, "on,off");
	assert_string_equal(s.kernel[3].text, "on,off");
}

static void mistakes(void **state)
{
	(void)state;
	bad(WORDS("--jsn"), "unknown option '--jsn'\ndid you mean '--json'?");
	bad(WORDS("--elemets=3"), "unknown option '--elemets'\n"
	    "did you mean '--elements'?");
	bad(WORDS("--zzzzzzzzzz"), "unknown option '--zzzzzzzzzz'\n"
	    "the kernel's options are: --elements --generator");
	bad(WORDS("--no-elements"), "unknown option '--no-elements'\n"
	    "did you mean '--elements'?");
	bad(WORDS("-jq"), "unknown option '-q'");
	bad(WORDS("--elements"), "option '--elements' needs a value");
	bad(WORDS("--event"), "option '--event' needs a value");
	bad(WORDS("-r"), "option '-r' needs a value");
	bad(WORDS("--json=1"), "option '--json' takes no value");
	bad(WORDS("-r", "0"), "option '--repeat': '0' is not in 1 .. "
	    "2147483647");
	bad(WORDS("-r", "99999999999"), "option '--repeat': '99999999999' is "
	    "not in 1 .. 2147483647");
	bad(WORDS("-r", "x"), "option '--repeat': 'x' is not a whole number");
	bad(WORDS("--color", "red"), "option '--color': 'red' is none of its "
	    "words\ntry: auto always never");
	bad(WORDS("a", "b", "c"), "'c' is one argument too many");
}

/* As many as there is room for, and not one more. */
static void too_many_kernel_options(void **state)
{
	char *words[SETTINGS_KERNEL + 1];
	struct settings s;
	int n = SETTINGS_KERNEL;

	(void)state;
	for (int i = 0; i <= n; i++)
		words[i] = (char *)"--elements=1";
	settings_init(&s);
	assert_int_equal(options_parse(&s, &grammar, n, words, NULL), 0);
	settings_init(&s);
	assert_int_equal(options_parse(&s, &grammar, n + 1, words, NULL),
			 -ASSAY_EINVAL);
}

static const char *argument(char **words)
{
	return options_first_argument(&(struct grammar){ .table = tables },
				      count_words(words), words);
}

static void first_argument(void **state)
{
	(void)state;
	assert_string_equal(argument(WORDS("chase")), "chase");
	assert_string_equal(argument(WORDS("--elements", "5", "chase")),
			    "chase");
	assert_string_equal(argument(WORDS("-r", "3", "-jx", "--json",
					   "--elements=5", "-e", "x", "k")),
			    "k");
	assert_string_equal(argument(WORDS("--", "-k")), "-k");
	assert_null(argument(WORDS("--elements", "5", "-j")));
	assert_null(argument(WORDS("--")));
}

static void words(void **state)
{
	(void)state;
	assert_true(words_have("a|bc|d", "bc"));
	assert_true(words_have("a|bc|d", "d"));
	assert_false(words_have("a|bc|d", "b"));
	assert_false(words_have("a|bc|d", "c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_and_form),
		cmocka_unit_test(kernel_options),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(too_many_kernel_options),
		cmocka_unit_test(first_argument),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests_name("cli-option", tests, NULL, NULL);
}
