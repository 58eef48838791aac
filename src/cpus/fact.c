/* SPDX-License-Identifier: MIT */
/* Reading facts: a value, its confidence and sources; see fact.h. */
#include "cpus/fact.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char confidences[] = "DRMFG";

/* The reader's list of facts. */
struct fact_item {
	struct fact_item *next;
	struct cpu_fact fact;
};

/* A copy of text[from .. to) without the spaces at both ends. */
static const char *trimmed(struct reader *r, const char *text, size_t from,
			   size_t to)
{
	while (from < to && text[from] == ' ')
		from++;
	while (to > from && text[to - 1] == ' ')
		to--;
	return pool_text(r->pool, text + from, to - from);
}

static bool has_source(const struct reader *r, const char *word,
		       size_t length)
{
	for (const char *const *s = r->source; *s; s++)
		if (strlen(*s) == length && !strncmp(*s, word, length))
			return true;
	return false;
}

static int unknown_source(const struct scope *s, const struct yaml_node *node,
			  size_t at, size_t length)
{
	const char *nearest;
	char word[60];

	text_copy(word, length < sizeof(word) ? length + 1 : sizeof(word),
		  node->text + at);
	nearest = text_nearest(word, s->reader->source);
	return fact_error_in(s, node, at, "unknown source '%s'%s%s%s", word,
			     nearest ? "; did you mean '" : "",
			     nearest ? nearest : "", nearest ? "'?" : "");
}

/* Checks the keys of sources in node->text[at .. end): at least one, known. */
static int check_sources(const struct scope *s, const struct yaml_node *node,
			 size_t at, size_t end)
{
	const char *text = node->text;
	size_t words = 0, length;

	for (;; at += length, words++) {
		while (at < end && text[at] == ' ')
			at++;
		if (at == end)
			break;
		for (length = 0; at + length < end; length++)
			if (text[at + length] == ' ')
				break;
		if (!has_source(s->reader, text + at, length))
			return unknown_source(s, node, at, length);
	}
	return words ? 0 : fact_error_in(s, node, end, "a source is missing "
					 "after the confidence");
}

/* Reads "D wiki72 S3 | remark", which starts at node->text[at]. */
static int read_tag(const struct scope *s, const struct yaml_node *node,
		    size_t at, struct tag *out)
{
	const char *text = node->text;
	size_t end = at + strcspn(text + at, "|");
	struct tag tag = { .note = "" };
	int error;

	while (text[at] == ' ')
		at++;
	if (at >= end || !strchr(confidences, text[at]) ||
	    (text[at + 1] && text[at + 1] != ' ' && text[at + 1] != '|'))
		return fact_error_in(s, node, at, "expected a confidence (D, "
				     "R, M, F or G) and a source");
	tag.confidence = text[at++];
	error = check_sources(s, node, at, end);
	if (error)
		return error;
	tag.source = trimmed(s->reader, text, at, end);
	if (text[end])
		tag.note = trimmed(s->reader, text, end + 1, strlen(text));
	if (!tag.source || !tag.note)
		return error_memory(s->reader->err);
	*out = tag;
	return 0;
}

static int add_fact(const struct scope *s, const char *key, const char *value,
		    const struct tag *tag)
{
	struct reader *r = s->reader;
	struct fact_item *item = pool_get(r->pool, sizeof(*item));
	char path[200];

	snprintf(path, sizeof(path), "%s%s%s", s->path, *s->path ? "." : "",
		 key);
	if (!item)
		return error_memory(r->err);
	item->fact = (struct cpu_fact){
		.path = pool_text(r->pool, path, strlen(path)),
		.value = value,
		.source = tag->source,
		.confidence = tag->confidence,
		.note = tag->note,
	};
	if (!item->fact.path)
		return error_memory(r->err);
	if (r->last)
		r->last->next = item;
	else
		r->first = item;
	r->last = item;
	r->facts++;
	return 0;
}

int fact_split(const struct scope *s, const struct yaml_node *node,
	       const char *key, const char **value, struct tag *tag)
{
	const char *what = node->key ? node->key : "this";
	struct tag tagged = s->tag;
	const char *text;
	size_t bar;
	int error = yaml_is(s->reader->yaml, node, YAML_SCALAR, what,
			    s->reader->err);

	if (error)
		return error;
	bar = strcspn(node->text, "|");
	tagged.note = "";
	if (node->text[bar]) {
		error = read_tag(s, node, bar + 1, &tagged);
		if (error)
			return error;
	}
	if (!tagged.confidence)
		return fact_error(s, node, "'%.60s' needs a confidence and a "
				  "source, such as '| D key'", what);
	text = trimmed(s->reader, node->text, 0, bar);
	if (!text)
		return error_memory(s->reader->err);
	if (!*text)
		return fact_error(s, node, "'%.60s' has no value", what);
	*value = text;
	*tag = tagged;
	return key ? add_fact(s, key, text, tag) : 0;
}

int fact_array(struct reader *r, const struct cpu_fact **out)
{
	struct cpu_fact *array = pool_array(r->pool, r->facts + 1,
					    sizeof(*array));
	size_t n = 0;

	if (!array)
		return error_memory(r->err);
	for (const struct fact_item *i = r->first; i; i = i->next)
		array[n++] = i->fact;
	*out = array;
	return 0;
}

/* ---- scopes ------------------------------------------------------------- */

int scope_from(struct scope *s)
{
	const struct yaml_node *node = yaml_get(s->map, "from");
	int error;

	if (!node)
		return 0;
	error = yaml_is(s->reader->yaml, node, YAML_SCALAR, "from",
			s->reader->err);
	return error ? error : read_tag(s, node, 0, &s->tag);
}

static int check_keys(const struct scope *s, const struct field *fields,
		      const char *what)
{
	const char *key[FACT_KEYS + 2];
	unsigned keys = 0;

	for (; fields[keys].key && keys < FACT_KEYS; keys++)
		key[keys] = fields[keys].key;
	key[keys++] = "from";
	key[keys] = NULL;
	return yaml_keys(s->reader->yaml, s->map, key, what, s->reader->err);
}

int scope_open(struct scope *out, const struct scope *parent, const char *key,
	       const struct field *fields, bool *present)
{
	struct reader *r = parent->reader;
	struct scope s = *parent;
	char path[160];
	int error;

	s.map = yaml_get(parent->map, key);
	if (present)
		*present = s.map != NULL;
	if (!s.map)
		return present ? 0 : yaml_need(&s.map, r->yaml, parent->map,
					       key, YAML_MAPPING, r->err);
	error = yaml_is(r->yaml, s.map, YAML_MAPPING, key, r->err);
	if (!error && fields)
		error = check_keys(&s, fields, key);
	if (!error)
		error = scope_from(&s);
	if (error)
		return error;
	snprintf(path, sizeof(path), "%s%s%s", parent->path,
		 *parent->path ? "." : "", key);
	s.path = pool_text(r->pool, path, strlen(path));
	if (!s.path)
		return error_memory(r->err);
	*out = s;
	return 0;
}

/* ---- fields ------------------------------------------------------------- */

int fact_number(uint64_t *out, const char *text)
{
	uint64_t value = 0;
	const char *p = text + 2;

	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return text_count(out, text, NULL);
	for (; *p; p++) {
		static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
		const char *d = strchr(digits, *p);

		if (!d || value >> 60)
			return -ASSAY_EINVAL;
		value = value << 4 | (uint64_t)(d - digits) / 2;
	}
	if (p == text + 2)
		return -ASSAY_EINVAL;
	*out = value;
	return 0;
}

static int out_of_bounds(const struct scope *s, const struct yaml_node *n,
			 const struct field *f, const char *value)
{
	return fact_error(s, n, "'%s' must be from %llu to %llu, not '%.60s'",
			  f->key, (unsigned long long)f->min,
			  (unsigned long long)f->max, value);
}

static int read_count(const struct scope *s, const struct yaml_node *n,
		      const struct field *f, const char *value, uint64_t *out)
{
	uint64_t number;
	int error = fact_number(&number, value);

	if (error == -ASSAY_ERANGE)
		return out_of_bounds(s, n, f, value);
	if (error)
		return fact_error(s, n, "'%s' must be a whole number, not "
				  "'%.60s'", f->key, value);
	if (number < f->min || number > f->max)
		return out_of_bounds(s, n, f, value);
	*out = number;
	return 0;
}

static struct assay_value no_value(const void *ctx, int name)
{
	(void)ctx, (void)name;
	return (struct assay_value){ .why = "" };
}

/* Parsed as an expression without names, so "1.5 + 2" is a number, too. */
static int read_real(const struct scope *s, const struct yaml_node *n,
		     const struct field *f, const char *value, double *out)
{
	struct assay_value v = { .why = "" };
	struct expr e;

	if (!expr_parse(&e, value, NULL, NULL, NULL, NULL))
		v = expr_value(&e, no_value, NULL);
	if (v.why)
		return fact_error(s, n, "'%s' must be a number, not '%.60s'",
				  f->key, value);
	if (v.number < 0 || (f->max && v.number > (double)f->max))
		return out_of_bounds(s, n, f, value);
	*out = v.number;
	return 0;
}

static int read_bool(const struct scope *s, const struct yaml_node *n,
		     const struct field *f, const char *value, bool *out)
{
	static const char *const words[] = { "no", "yes", "off", "on", "false",
					     "true" };

	for (unsigned i = 0; i < 6; i++) {
		if (strcmp(value, words[i]))
			continue;
		*out = i % 2;
		return 0;
	}
	return fact_error(s, n, "'%s' must be yes or no, not '%.60s'", f->key,
			  value);
}

int fact_not_among(const struct scope *s, const struct yaml_node *n,
		   const char *const *words, const char *value)
{
	const char *nearest = text_nearest(value, words);
	char list[200];

	if (nearest)
		return fact_error(s, n, "'%s' cannot be '%.60s'; did you mean "
				  "'%s'?", n->key, value, nearest);
	text_join(list, sizeof(list), words, ", ");
	return fact_error(s, n, "'%s' cannot be '%.60s'; it is one of: %s",
			  n->key, value, list);
}

static int unknown_word(const struct scope *s, const struct yaml_node *n,
			const struct field *f, const char *value)
{
	const char *words[FACT_WORDS + 1] = { NULL };

	memcpy(words, f->words, (size_t)f->count * sizeof(words[0]));
	return fact_not_among(s, n, words, value);
}

static int read_word(const struct scope *s, const struct yaml_node *n,
		     const struct field *f, const char *value, int *out)
{
	for (int i = 0; i < f->count; i++) {
		if (!text_equal(value, f->words[i]))
			continue;
		*out = i;
		return 0;
	}
	return unknown_word(s, n, f, value);
}

static int read_field(const struct scope *s, const struct yaml_node *n,
		      const struct field *f, void *out)
{
	unsigned char *at = (unsigned char *)out + f->offset;
	const char *value;
	struct tag tag;
	int error = fact_split(s, n, f->key, &value, &tag);

	if (error)
		return error;
	switch (f->kind) {
	case FIELD_COUNT:
		return read_count(s, n, f, value, (uint64_t *)(void *)at);
	case FIELD_REAL:
		return read_real(s, n, f, value, (double *)(void *)at);
	case FIELD_BOOL:
		return read_bool(s, n, f, value, (bool *)at);
	case FIELD_WORD:
		return read_word(s, n, f, value, (int *)(void *)at);
	default:
		*(const char **)(void *)at = value;
		return 0;
	}
}

int scope_read(const struct scope *s, const struct field *fields, void *out)
{
	int error;

	for (const struct field *f = fields; f->key; f++) {
		const struct yaml_node *n = yaml_get(s->map, f->key);

		if (!n && f->required) {
			error = yaml_need(&n, s->reader->yaml, s->map, f->key,
					  YAML_SCALAR, s->reader->err);
			return error;
		}
		error = n ? read_field(s, n, f, out) : 0;
		if (error)
			return error;
	}
	return 0;
}

/* The most aliases of a CPU or event, and the most errata of an event. */
enum { NAMES_MOST = 16 };

int fact_words(struct reader *r, const struct yaml_node *node,
	      const char *const **out)
{
	const size_t count = !node ? 0 : node->kind == YAML_SCALAR ? 1 :
			     node->count;
	const char **words = pool_array(r->pool, count + 1, sizeof(*words));
	const struct yaml_node *n = node;
	int error;

	if (!words)
		return error_memory(r->err);
	if (node && node->kind == YAML_MAPPING)
		return yaml_is(r->yaml, node, YAML_SEQUENCE, node->key, r->err);
	if (count > NAMES_MOST)
		return yaml_error(r->yaml, node, r->err, "more than %d names",
				  NAMES_MOST);
	if (node && node->kind == YAML_SEQUENCE)
		n = node->first;
	for (size_t i = 0; i < count; i++, n = n->next) {
		error = yaml_is(r->yaml, n, YAML_SCALAR, node->key, r->err);
		if (error)
			return error;
		if (!*n->text)
			return yaml_error(r->yaml, n, r->err,
					  "a name must not be empty");
		error = fact_name(r, n, n->text);
		if (error)
			return error;
		words[i] = pool_text(r->pool, n->text, strlen(n->text));
		if (!words[i])
			return error_memory(r->err);
	}
	*out = words;
	return 0;
}

int fact_name(const struct reader *r, const struct yaml_node *node,
	      const char *name)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789_.:-";
	static const char why[] =
		"'%.60s': names hold letters, digits and _ . : - only";

	if (!name[strspn(name, allowed)])
		return 0;
	if (name == node->key)
		return yaml_error_key(r->yaml, node, r->err, why, name);
	return yaml_error(r->yaml, node, r->err, why, name);
}

int scope_refuse(const struct scope *s, const char *key, const char *why)
{
	const struct yaml_node *n = yaml_get(s->map, key);

	return fact_error(s, n ? n : s->map, "%s", why);
}
