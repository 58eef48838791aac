/* SPDX-License-Identifier: MIT */
/* Checked access to a YAML tree, and errors with a place; see yaml.h. */
#include "cpus/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cpus/data-file.h"
#include "cpus/pool.h"

int yaml_open(struct yaml **out, const char *folder, const char *name_or_path,
	      const char *data_dir, struct assay_error *err)
{
	struct data_text data;
	int error = data_file_open(&data, folder, name_or_path, data_dir, err);

	if (error)
		return error;
	error = yaml_parse(out, data.file, data.text, data.bytes, err);
	data_file_fini(&data);
	return error;
}

/* The file that a node was written in. */
static const struct yaml *home_of(const struct yaml *yaml,
				  const struct yaml_node *node)
{
	return node->home ? node->home : yaml;
}

static int error_place(const struct yaml *yaml, unsigned line, unsigned col,
		       struct assay_error *err, const char *format,
		       va_list args)
{
	char why[400];

	vsnprintf(why, sizeof(why), format, args);
	return error_at(err, yaml->file, yaml->text, line, col, "%s", why);
}

int yaml_error(const struct yaml *yaml, const struct yaml_node *node,
	       struct assay_error *err, const char *format, ...)
{
	va_list args;
	int error;

	va_start(args, format);
	error = error_place(home_of(yaml, node), node->line, node->col, err,
			    format, args);
	va_end(args);
	return error;
}

int yaml_error_key(const struct yaml *yaml, const struct yaml_node *node,
		   struct assay_error *err, const char *format, ...)
{
	const unsigned line = node->key ? node->key_line : node->line;
	const unsigned col = node->key ? node->key_col : node->col;
	va_list args;
	int error;

	va_start(args, format);
	error = error_place(home_of(yaml, node), line, col, err, format, args);
	va_end(args);
	return error;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/*
 * The offset in the file's text of byte `offset` of a scalar's value. Equal
 * bytes correspond; one space of the value may stand for a folded run of white
 * space. Where escapes differ from the text, the offset of the scalar's start.
 */
static size_t source_offset(const struct yaml *yaml,
			    const struct yaml_node *node, size_t offset)
{
	const char *source = yaml->text + node->offset, *p = source;

	for (size_t i = 0; i < offset; i++) {
		if (is_space(node->text[i]) && is_space(*p)) {
			while (is_space(*p) && !(is_space(node->text[i + 1]) &&
						 *p == node->text[i]))
				p++;
			if (is_space(node->text[i + 1]))
				p++;
		} else if (*p == node->text[i]) {
			p++;
		} else {
			return node->offset;
		}
	}
	return node->offset + (size_t)(p - source);
}

int yaml_error_in(const struct yaml *yaml, const struct yaml_node *node,
		  size_t offset, struct assay_error *err, const char *format,
		  ...)
{
	unsigned line = node->line, col = node->col;
	va_list args;
	size_t end;
	int error;

	yaml = home_of(yaml, node);
	end = source_offset(yaml, node, offset);
	for (size_t i = node->offset; i < end; i++) {
		col++;
		if (yaml->text[i] != '\n')
			continue;
		line++;
		col = 1;
	}
	va_start(args, format);
	error = error_place(yaml, line, col, err, format, args);
	va_end(args);
	return error;
}

int yaml_is(const struct yaml *yaml, const struct yaml_node *node,
	    enum yaml_kind kind, const char *what, struct assay_error *err)
{
	static const char *const words[] = { "a single value", "a mapping",
					     "a list" };

	if (node->kind == kind)
		return 0;
	return yaml_error(yaml, node, err, "'%.60s' must be %s, not %s", what,
			  words[kind], words[node->kind]);
}

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(word, *words) == 0)
			return true;
	return false;
}

static int unknown_key(const struct yaml *yaml, const struct yaml_node *node,
		       const char *const *keys, const char *what,
		       struct assay_error *err)
{
	const char *nearest = text_nearest(node->key, keys);
	const char *quote = strchr(what, ' ') ? "" : "'";
	char known[200];

	if (nearest)
		return yaml_error_key(yaml, node, err,
				      "unknown key '%.60s'; did you mean '%s'?",
				      node->key, nearest);
	text_join(known, sizeof(known), keys, ", ");
	return yaml_error_key(yaml, node, err,
			      "unknown key '%.60s'; %s%.60s%s takes: %s",
			      node->key, quote, what, quote, known);
}

int yaml_keys(const struct yaml *yaml, const struct yaml_node *map,
	      const char *const *keys, const char *what,
	      struct assay_error *err)
{
	int error = yaml_is(yaml, map, YAML_MAPPING, what, err);

	if (error)
		return error;
	for (const struct yaml_node *n = map->first; n; n = n->next)
		if (!is_one_of(n->key, keys))
			return unknown_key(yaml, n, keys, what, err);
	return 0;
}

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
	if (map->kind != YAML_MAPPING)
		return NULL;
	for (const struct yaml_node *n = map->first; n; n = n->next)
		if (strcmp(n->key, key) == 0)
			return n;
	return NULL;
}

/* ---- putting a node into another tree ------------------------------------ */

/* A copy of the node as the member `key` of the mapping, in place of the member
 * of that key. NULL: no memory. The nodes of a tree can be written. */
static struct yaml_node *put_member(struct yaml *to, struct yaml_node *map,
				    const char *key, size_t bytes,
				    const struct yaml_node *node)
{
	struct yaml_node *new = pool_get(to->owned, sizeof(*new));
	const struct yaml_node **at = &map->first;
	char *copy = pool_text(to->owned, key, bytes);

	if (!new || !copy)
		return NULL;
	while (*at && strcmp((*at)->key, copy)) {
		struct yaml_node *n = (struct yaml_node *)*at;

		at = &n->next;
	}
	map->count += !*at;
	*new = *node;
	new->key = copy;
	new->next = *at ? (*at)->next : NULL;
	*at = new;
	return new;
}

/* The mapping of that key, made at the place of `node` if it is missing. NULL:
 * it is no mapping, or there is no memory. */
static struct yaml_node *into(struct yaml *to, struct yaml_node *map,
			      const char *key, size_t bytes,
			      const struct yaml_node *node)
{
	const struct yaml_node none = {
		.kind = YAML_MAPPING, .line = node->line, .col = node->col,
		.key_line = node->key_line, .key_col = node->key_col,
		.home = node->home,
	};
	const struct yaml_node *n = map->first;

	while (n && (strlen(n->key) != bytes || strncmp(n->key, key, bytes)))
		n = n->next;
	if (!n)
		n = put_member(to, map, key, bytes, &none);
	return n && n->kind == YAML_MAPPING ? (struct yaml_node *)n : NULL;
}

int yaml_put(struct yaml *to, const char *path, const struct yaml *from,
	     const struct yaml_node *node, struct assay_error *err)
{
	struct yaml_node *map = (struct yaml_node *)to->root, copy = *node;

	copy.home = from;
	for (const char *dot; map && (dot = strchr(path, '.')); path = dot + 1)
		map = into(to, map, path, (size_t)(dot - path), &copy);
	if (!map || map->kind != YAML_MAPPING)
		return yaml_error_key(from, node, err, "'%.60s' is nothing "
				      "that %.60s has", node->key, to->file);
	return put_member(to, map, path, strlen(path), &copy) ? 0 :
	       error_memory(err);
}

int yaml_need(const struct yaml_node **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      enum yaml_kind kind, struct assay_error *err)
{
	const struct yaml_node *n = yaml_get(map, key);
	int error;

	if (!n && map->key)
		return yaml_error_key(yaml, map, err, "'%.60s' needs '%s'",
				      map->key, key);
	if (!n)
		return yaml_error(yaml, map, err, "'%s' is missing", key);
	error = yaml_is(yaml, n, kind, key, err);
	if (!error)
		*out = n;
	return error;
}

int yaml_word(const char **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      struct assay_error *err)
{
	const struct yaml_node *n = NULL;
	int error = yaml_need(&n, yaml, map, key, YAML_SCALAR, err);

	if (!error && !*n->text)
		error = yaml_error(yaml, n, err, "'%s' must not be empty", key);
	if (!error)
		*out = n->text;
	return error;
}

int yaml_text(const char **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      struct assay_error *err)
{
	const struct yaml_node *n = yaml_get(map, key);
	int error = n ? yaml_is(yaml, n, YAML_SCALAR, key, err) : 0;

	if (!error)
		*out = n ? n->text : "";
	return error;
}

int yaml_list(const struct yaml_node **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key, size_t least,
	      size_t most, struct assay_error *err)
{
	const struct yaml_node *n = yaml_get(map, key);
	int error = n ? yaml_is(yaml, n, YAML_SEQUENCE, key, err) : 0;

	*out = n;
	if (error || (!n && !least))
		return error;
	if (!n)
		return yaml_error(yaml, map, err, "'%s' is missing", key);
	if (n->count < least || n->count > most)
		return yaml_error_key(yaml, n, err, "'%s' has %zu to %zu "
				      "members", key, least, most);
	return 0;
}

/* The file's member "schema" must be that text. */
static int check_schema(const struct yaml *yaml, const char *schema,
			struct assay_error *err)
{
	const char *text;
	int error = yaml_word(&text, yaml, yaml->root, "schema", err);

	if (error || strcmp(text, schema) == 0)
		return error;
	return yaml_error(yaml, yaml_get(yaml->root, "schema"), err,
			  "schema '%.60s' is not known; this program reads "
			  "'%s'", text, schema);
}

int yaml_members(const struct yaml *yaml, const struct yaml_node *map,
		 const struct yaml_member *member, const char *what,
		 struct assay_error *err)
{
	const char *keys[YAML_MEMBERS + 1] = { NULL };
	int error;

	for (size_t i = 0; i < YAML_MEMBERS && member[i].key; i++)
		keys[i] = member[i].key;
	error = yaml_keys(yaml, map, keys, what, err);
	for (; member->key && !error; member++)
		if (member->schema)
			error = check_schema(yaml, member->schema, err);
		else if (member->required)
			error = yaml_word(member->text, yaml, map, member->key,
					  err);
		else if (member->text)
			error = yaml_text(member->text, yaml, map, member->key,
					  err);
	return error;
}
