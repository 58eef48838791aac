/* SPDX-License-Identifier: MIT */
/* Reads data/names/FAMILY.yaml, and finds products by name; see products.h. */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include "cpus/names/products.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "cpus/data-file.h"
#include "cpus/fact.h"
#include "cpus/pool.h"

static const char folder[] = "names";

enum { MOST_CPUS = 3, MOST_NAMES = 16, MOST_STARS = 2, FIRST_YEAR = 1978,
       LAST_YEAR = 2100 };

struct family {
	struct yaml *yaml;
	struct family *next;
};

/* ---- names --------------------------------------------------------------- */

/* Words that say nothing about which CPU it is. */
static bool is_noise(const char *word)
{
	static const char *const noise[] = {
		"intel", "amd", "arm", "apple", "aws", "amazon", "ampere",
		"nvidia", "google", "microsoft", "azure", "core", "cpu",
		"processor", "broadcom", "rockchip", "r", "tm", "th", "gen",
	};

	for (size_t i = 0; i < sizeof(noise) / sizeof(*noise); i++)
		if (!strcmp(word, noise[i]))
			return true;
	return false;
}

/* A clock, "@ 1.80GHz", or "with Radeon Graphics", ends a name. */
static bool is_end(const char *word)
{
	return !strcmp(word, "@") || !strcmp(word, "with") ||
	       !strcmp(word, "w");
}

static bool ends(const char *word, const char *end)
{
	const size_t n = strlen(word), m = strlen(end);

	return n > m && !strcmp(word + n - m, end);
}

/* "12th" generation and "8-Core" are no parts. */
static bool is_part(const char *word)
{
	return !is_noise(word) && !ends(word, "-core") &&
	       !(isdigit((unsigned char)*word) && ends(word, "th"));
}

/* "core-i9-13900k" is "i9-13900k". */
static const char *without_maker(const char *word)
{
	char first[16];
	size_t n = strcspn(word, "-");

	if (!word[n] || n >= sizeof(first))
		return word;
	text_copy(first, n + 1, word);
	return is_noise(first) ? without_maker(word + n + 1) : word;
}

void product_normal(char out[PRODUCT_NAME], const char *name)
{
	char text[2 * PRODUCT_NAME], *rest = text, *word;

	text_copy(text, sizeof(text), name);
	for (char *c = text; *c; c++)
		*c = strchr(" \t()/_", *c) ? ' ' :
		     (char)tolower((unsigned char)*c);
	*out = '\0';
	while ((word = strsep(&rest, " ")) && !is_end(word))
		if (*word && is_part(word))
			text_add(out, PRODUCT_NAME, *out ? "-" : "", "%s",
				 without_maker(word));
}

/* ---- reading ------------------------------------------------------------- */

static int read_year(const struct reader *r, const struct yaml_node *map,
		     unsigned *out)
{
	const struct yaml_node *node = NULL;
	uint64_t year;
	int rc = yaml_need(&node, r->yaml, map, "year", YAML_SCALAR, r->err);

	if (rc)
		return rc;
	if (fact_number(&year, node->text) || year < FIRST_YEAR ||
	    year > LAST_YEAR)
		return yaml_error(r->yaml, node, r->err, "'year' is a number "
				  "such as 2024, not '%.20s'", node->text);
	*out = (unsigned)year;
	return 0;
}

/* Matching a pattern takes long with many '*'. */
static bool is_pattern(const char *text)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyz0123456789-.+?*[]!";
	unsigned stars = 0;

	for (const char *c = text; *c; c++)
		stars += *c == '*';
	return stars <= MOST_STARS && strlen(text) < PRODUCT_NAME && *text &&
	       !text[strspn(text, allowed)];
}

static int read_patterns(struct reader *r, const struct yaml_node *map,
			 const char *const **out)
{
	const struct yaml_node *list, *n;
	const char **name;
	size_t i = 0;
	int rc = yaml_list(&list, r->yaml, map, "names", 0, MOST_NAMES, r->err);

	if (rc)
		return rc;
	name = pool_array(r->pool, list ? list->count + 1 : 1, sizeof(*name));
	if (!name)
		return error_memory(r->err);
	for (n = list ? list->first : NULL; n; n = n->next) {
		rc = yaml_is(r->yaml, n, YAML_SCALAR, "names", r->err);
		if (rc)
			return rc;
		if (!is_pattern(n->text))
			return yaml_error(r->yaml, n, r->err, "names are small "
					  "letters, digits, '-', '.', '+', "
					  "'?', [...] and at most %d '*'",
					  MOST_STARS);
		name[i++] = pool_text(r->pool, n->text, strlen(n->text));
	}
	*out = name;
	return 0;
}

/* Each difference is a fact with a confidence and a source of its own. */
static int check_differs(const struct reader *r, const struct yaml_node *map,
			 const struct yaml_node **out)
{
	const struct yaml_node *differs = yaml_get(map, "differs");
	int rc = differs ? yaml_is(r->yaml, differs, YAML_MAPPING, "differs",
				   r->err) : 0;

	*out = differs;
	for (const struct yaml_node *n = differs ? differs->first : NULL;
	     n && !rc; n = n->next) {
		rc = yaml_is(r->yaml, n, YAML_SCALAR, n->key, r->err);
		if (!rc && !strchr(n->text, '|'))
			rc = yaml_error(r->yaml, n, r->err, "'%.60s' needs a "
					"confidence and a source, such as "
					"'| D key'", n->key);
	}
	return rc;
}

static int read_product(struct reader *r, const struct yaml_node *map,
			struct product *out)
{
	const struct yaml_member members[] = {
		YAML_WORD("title", &out->title), YAML_OTHER("year"),
		YAML_OTHER("cpu"), YAML_OTHER("names"), YAML_OTHER("differs"),
		{ .key = NULL }
	};
	int rc = yaml_members(r->yaml, map, members, map->key, r->err);

	if (!rc)
		rc = fact_name(r, map, map->key);
	if (!rc)
		rc = read_year(r, map, &out->year);
	if (!rc)
		rc = fact_words(r, yaml_get(map, "cpu"), &out->cpu);
	if (!rc)
		rc = read_patterns(r, map, &out->name);
	if (!rc)
		rc = check_differs(r, map, &out->differs);
	out->key = map->key;
	out->yaml = r->yaml;
	return rc;
}

static int add_product(struct products *p, struct reader *r,
		       const struct yaml_node *map, const char *family)
{
	const size_t more = p->room ? 2 * p->room : 64;
	struct product *new;

	if (p->products == p->room) {
		if (!array_resize(&p->product, more, sizeof(*p->product)))
			return error_memory(r->err);
		p->room = more;
	}
	new = &p->product[p->products++];
	*new = (struct product){ .family = family };
	return read_product(r, map, new);
}

static int read_file(struct products *p, struct yaml *yaml, const char *family,
		     struct assay_error *err)
{
	struct reader r = { .yaml = yaml, .pool = p->owned, .err = err };
	const struct yaml_node *list = NULL;
	const struct yaml_member members[] = {
		YAML_SCHEMA("assay-names/1"), YAML_OTHER("sources"),
		YAML_OTHER("products"), { .key = NULL }
	};
	int rc = yaml_members(yaml, yaml->root, members, "a file of names",
			      err);

	if (!rc)
		rc = yaml_need(&list, yaml, yaml->root, "products",
			       YAML_MAPPING, err);
	for (const struct yaml_node *n = list ? list->first : NULL; n && !rc;
	     n = n->next)
		rc = add_product(p, &r, n, family);
	return rc;
}

/* Takes the file over. */
static int add_file(struct products *p, struct yaml *yaml, const char *family,
		    struct assay_error *err)
{
	struct family *f = pool_get(p->owned, sizeof(*f));

	family = pool_text(p->owned, family, strlen(family));
	if (!f || !family) {
		yaml_free(yaml);
		return error_memory(err);
	}
	*f = (struct family){ yaml, p->family };
	p->family = f;
	return read_file(p, yaml, family, err);
}

int products_parse(struct products *out, const char *file, const char *text,
		   size_t bytes, struct assay_error *err)
{
	struct products p = { .owned = pool_new() };
	struct yaml *yaml;
	int rc = p.owned ? yaml_parse(&yaml, file, text, bytes, err) :
			   error_memory(err);

	if (!rc)
		rc = add_file(&p, yaml, file, err);
	if (rc)
		products_free(&p);
	else
		*out = p;
	return rc;
}

static int load_family(struct products *p, const char *family,
		       const char *data_dir, struct assay_error *err)
{
	struct yaml *yaml;
	int rc = yaml_open(&yaml, folder, family, data_dir, err);

	return rc ? rc : add_file(p, yaml, family, err);
}

int products_load(struct products *out, const char *data_dir,
		  struct assay_error *err)
{
	struct products p = { .owned = pool_new() };
	const char **names = NULL;
	int rc = p.owned ? data_file_names(&names, folder, data_dir, err) :
			   error_memory(err);

	for (size_t i = 0; !rc && names[i]; i++)
		rc = load_family(&p, names[i], data_dir, err);
	free(names);
	if (rc)
		products_free(&p);
	else
		*out = p;
	return rc;
}

void products_free(struct products *p)
{
	for (struct family *f = p->family; f; f = f->next)
		yaml_free(f->yaml);
	free(p->product);
	pool_free(p->owned);
	*p = (struct products){ .product = NULL };
}

/* ---- finding ------------------------------------------------------------- */

static bool fits(const struct product *p, const char *name)
{
	for (const char *const *pattern = p->name; *pattern; pattern++)
		if (!fnmatch(*pattern, name, FNM_CASEFOLD))
			return true;
	return false;
}

const struct product *products_keyed(const struct products *p, const char *key)
{
	for (size_t i = 0; i < p->products; i++)
		if (text_equal(p->product[i].key, key))
			return &p->product[i];
	return NULL;
}

const struct product *products_find(const struct products *p, const char *name)
{
	const struct product *found = products_keyed(p, name);
	char normal[PRODUCT_NAME];

	product_normal(normal, name);
	if (!found)
		found = products_keyed(p, normal);
	for (size_t i = 0; i < p->products && !found; i++)
		if (fits(&p->product[i], normal))
			found = &p->product[i];
	return found;
}

/* ---- products without a CPU file ---------------------------------------- */

static unsigned years_between(const struct product *a, const struct product *b)
{
	return a->year > b->year ? a->year - b->year : b->year - a->year;
}

static bool is_file(const char *const *files, const char *name)
{
	for (; *files; files++)
		if (!strcmp(*files, name))
			return true;
	return false;
}

/* The product of the same family whose year is nearest to that of `to`. Only
 * products with a CPU file in `files` and with another core than `not` count;
 * NULL: there is none. */
static const struct product *nearest(const struct products *p,
				     const struct product *to,
				     const struct product *not,
				     const char *const *files)
{
	const struct product *best = NULL;

	for (size_t i = 0; i < p->products; i++) {
		const struct product *one = &p->product[i];

		if (!*one->cpu || strcmp(one->family, to->family) ||
		    (not && !strcmp(*one->cpu, *not->cpu)) ||
		    !is_file(files, *one->cpu))
			continue;
		if (!best || years_between(one, to) < years_between(best, to))
			best = one;
	}
	return best;
}

int product_undescribed(const struct products *p, const struct product *product,
			const char *name, const char *data_dir,
			struct assay_error *err)
{
	const struct product *first, *second;
	const char **files;
	int rc = data_file_names(&files, "cpus", data_dir, err);

	if (rc)
		return rc;
	first = nearest(p, product, NULL, files);
	second = first ? nearest(p, product, first, files) : NULL;
	free(files);
	error_set(err, -ASSAY_ENOENT, "no CPU file describes '%.60s': %s, %u",
		  name, product->title, product->year);
	if (first)
		error_add(err, "did you mean another generation? %s (%s, %u)",
			  *first->cpu, first->title, first->year);
	if (second)
		error_append(err, ", %s (%s, %u)", *second->cpu,
			     second->title, second->year);
	error_add(err, "or make one: assay cpu new");
	return -ASSAY_ENOENT;
}

static size_t letters_of(const char *name)
{
	size_t n = 0;

	while (isalpha((unsigned char)name[n]))
		n++;
	return n;
}

static bool begins_as(const char *name, const char *other)
{
	const size_t n = letters_of(name);

	return n && letters_of(other) == n && !strncasecmp(name, other, n);
}

static bool is_of_family(const struct product *p, const char *name)
{
	for (const char *const *pattern = p->name; *pattern; pattern++)
		if (begins_as(name, *pattern))
			return true;
	return begins_as(name, p->key);
}

void product_add_family(const struct products *p, const char *name,
			struct assay_error *err)
{
	char normal[PRODUCT_NAME], text[400] = "";
	const char *family = NULL;

	product_normal(normal, name);
	for (size_t i = 0; i < p->products && !family; i++)
		if (is_of_family(&p->product[i], normal))
			family = p->product[i].family;
	for (size_t i = 0; i < p->products && family; i++) {
		const struct product *one = &p->product[i];

		if (*one->cpu && !strcmp(one->family, family) &&
		    !strstr(text, *one->cpu))
			text_add(text, sizeof(text), ", ", "%s (%u)", *one->cpu,
				 one->year);
	}
	if (*text)
		error_add(err, "its family has: %s", text);
}

/* ---- differences --------------------------------------------------------- */

/* Is the word among the sources of "VALUE | D word word | remark"? */
static bool cites(const char *fact, const char *word)
{
	const size_t bytes = strlen(word);
	const char *at = strchr(fact, '|') + 1, *end = at + strcspn(at, "|");

	for (; at < end; at += strspn(at, " ")) {
		const size_t n = strcspn(at, " |");

		if (n == bytes && !strncmp(at, word, n))
			return true;
		at += n;
	}
	return false;
}

static int put_source(struct yaml *cpu, const struct product *p,
		      const struct yaml_node *source, struct assay_error *err)
{
	const struct yaml_node *all = yaml_get(cpu->root, "sources");
	const struct yaml_node *old = all ? yaml_get(all, source->key) : NULL;
	char path[2 * PRODUCT_NAME];

	if (strchr(source->key, '.') || old)
		return yaml_error_key(p->yaml, source, err, "the CPU file has "
				      "a source of this name, too");
	snprintf(path, sizeof(path), "sources.%s", source->key);
	return yaml_put(cpu, path, p->yaml, source, err);
}

static bool is_cited(const struct product *p, const char *source)
{
	for (const struct yaml_node *n = p->differs->first; n; n = n->next)
		if (cites(n->text, source))
			return true;
	return false;
}

int product_apply(struct yaml *cpu, const struct product *p,
		  struct assay_error *err)
{
	const struct yaml_node *sources = yaml_get(p->yaml->root, "sources");
	int rc = 0;

	for (const struct yaml_node *n = p->differs->first; n && !rc;
	     n = n->next)
		rc = yaml_put(cpu, n->key, p->yaml, n, err);
	for (const struct yaml_node *n = sources && sources->kind ==
	     YAML_MAPPING ? sources->first : NULL; n && !rc; n = n->next)
		if (is_cited(p, n->key))
			rc = put_source(cpu, p, n, err);
	return rc;
}
