/* SPDX-License-Identifier: MIT */
/* Identity files: YAML -> struct identities. See docs/identity-file.md. */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/identity.h"
#include "base/text.h"
#include "cpus/pool.h"
#include "cpus/data-file.h"
#include "cpus/yaml.h"

enum { FILES = 64, IDENTITIES = 512, EVENTS = 1024 };

/* Behind identities.owned. */
struct owned {
	struct identities set;
	struct pool *pool;
	struct yaml *yaml[FILES];
	unsigned files;
	struct identity *identity;
	const char **event;
};

struct identity_loader {
	struct owned *owned;
	struct yaml *yaml;		/* the file that is being loaded */
	const struct yaml_node *alias;	/* its member `events`, or NULL */
	const char *file, *source;	/* its name and source */
	double slack, offset;		/* its defaults */
	struct assay_error *err;
};

static int fail(const struct identity_loader *l, const struct yaml_node *at,
		const char *what)
{
	return yaml_error(l->yaml, at, l->err, "%s", what);
}

static int event_index(struct owned *o, const char *name)
{
	for (size_t i = 0; i < o->set.events; i++)
		if (text_equal(o->event[i], name))
			return (int)i;
	if (o->set.events == EVENTS)
		return -1;
	o->event[o->set.events] = name;
	return (int)o->set.events++;
}

/* An expr_name_fn: a name is an alias in `events`, or an event's name. */
static int resolve(void *ctx, const char *name)
{
	struct identity_loader *l = ctx;
	const struct yaml_node *alias = l->alias ? yaml_get(l->alias, name) :
						   NULL;
	char *copy;

	if (alias)
		return event_index(l->owned, alias->text);
	copy = pool_text(l->owned->pool, name, strlen(name));
	return copy ? event_index(l->owned, copy) : -1;
}

static int load_side(struct identity_loader *l, const struct yaml_node *map,
		     const char *key, struct identity_side *out)
{
	const struct yaml_node *n;
	struct assay_error why;
	size_t column = 0;
	int rc = yaml_need(&n, l->yaml, map, key, YAML_SCALAR, l->err);

	if (rc)
		return rc;
	out->text = n->text;
	rc = expr_parse(&out->expr, n->text, resolve, l, &column, &why);
	if (rc == -ASSAY_ENOENT)
		return fail(l, n, "too many events");
	return rc ? yaml_error_in(l->yaml, n, column, l->err, "%s", why.text)
		  : 0;
}

static int load_relation(struct identity_loader *l, const struct yaml_node *map,
			 enum identity_relation *out)
{
	const struct yaml_node *n;
	int rc = yaml_need(&n, l->yaml, map, "is", YAML_SCALAR, l->err);

	for (int i = IDENTITY_EQUAL; !rc && i <= IDENTITY_AT_LEAST; i++) {
		if (strcmp(n->text, identity_relation_signs[i]) == 0) {
			*out = (enum identity_relation)i;
			return 0;
		}
	}
	return rc ? rc : yaml_error(l->yaml, n, l->err,
				    "'%.20s' is none of '=', '<=', '>='",
				    n->text);
}

/* The member `key`, a number from 0 to `most`; if missing, *out stays. */
static int load_number(struct identity_loader *l, const struct yaml_node *map,
		       const char *key, double most, double *out)
{
	const struct yaml_node *n = yaml_get(map, key);
	char *end;
	double value;
	int rc = n ? yaml_is(l->yaml, n, YAML_SCALAR, key, l->err) : 0;

	if (rc || !n)
		return rc;
	value = strtod(n->text, &end);
	if (end == n->text || *end || !isdigit((unsigned char)*n->text) ||
	    !(value <= most))
		return yaml_error(l->yaml, n, l->err, "'%s' is a number from "
				  "0 to %g", key, most);
	*out = value;
	return 0;
}

static int load_suspect(struct identity_loader *l, const struct yaml_node *map,
			struct identity *identity)
{
	const char *text;
	int rc = yaml_text(&text, l->yaml, map, "suspect", l->err);

	identity->suspect = -1;
	if (rc || !*text)
		return rc;
	identity->suspect = resolve(l, text);
	if (identity_has(identity, identity->suspect))
		return 0;
	return yaml_error(l->yaml, yaml_get(map, "suspect"), l->err,
			  "neither side names '%.60s'", text);
}

static int load_identity(struct identity_loader *l, const struct yaml_node *map)
{
	struct identities *set = &l->owned->set;
	struct identity *identity = &l->owned->identity[set->count];
	const struct yaml_member members[] = {
		YAML_WORD("name", &identity->name), YAML_OTHER("left"),
		YAML_OTHER("is"), YAML_OTHER("right"),
		YAML_WORD("why", &identity->why),
		YAML_TEXT("source", &identity->source), YAML_OTHER("slack"),
		YAML_OTHER("offset"), YAML_OTHER("suspect"), { .key = NULL },
	};
	int rc;

	*identity = (struct identity){ .file = l->file, .slack = l->slack,
				  .offset = l->offset };
	rc = yaml_members(l->yaml, map, members, "an identity", l->err);
	if (!rc)
		rc = load_side(l, map, "left", &identity->left);
	if (!rc)
		rc = load_relation(l, map, &identity->relation);
	if (!rc)
		rc = load_side(l, map, "right", &identity->right);
	if (!rc)
		rc = load_number(l, map, "slack", 1, &identity->slack);
	if (!rc)
		rc = load_number(l, map, "offset", 1e9, &identity->offset);
	if (!rc)
		rc = load_suspect(l, map, identity);
	if (!rc && !*identity->source)
		identity->source = l->source;
	set->count += rc == 0;
	return rc;
}

static int load_aliases(struct identity_loader *l)
{
	int rc = 0;

	l->alias = yaml_get(l->yaml->root, "events");
	if (l->alias)
		rc = yaml_is(l->yaml, l->alias, YAML_MAPPING, "events", l->err);
	if (rc || !l->alias)
		return rc;
	for (const struct yaml_node *n = l->alias->first; n && !rc;
	     n = n->next) {
		rc = yaml_is(l->yaml, n, YAML_SCALAR, "an event", l->err);
		if (!rc && (!*n->text || strlen(n->text) >= ASSAY_NAME))
			rc = fail(l, n, "an event's name has 1 to 63 bytes");
	}
	return rc;
}

static int load_identities(struct identity_loader *l)
{
	const struct yaml_node *all;
	int rc = yaml_need(&all, l->yaml, l->yaml->root, "identities",
			   YAML_SEQUENCE, l->err);

	if (!rc && (!all->count ||
		    all->count + l->owned->set.count > IDENTITIES))
		rc = yaml_error_key(l->yaml, all, l->err,
				    "a CPU has 1 to %d identities", IDENTITIES);
	for (const struct yaml_node *n = rc ? NULL : all->first; n && !rc;
	     n = n->next)
		rc = load_identity(l, n);
	return rc;
}

static int load_head(struct identity_loader *l)
{
	const struct yaml_node *root = l->yaml->root;
	const char *text;
	const struct yaml_member members[] = {
		YAML_SCHEMA("assay-identities/1"), YAML_WORD("name", &l->file),
		YAML_WORD("title", &text), YAML_WORD("source", &l->source),
		YAML_TEXT("note", &text), YAML_OTHER("cpus"),
		YAML_OTHER("events"), YAML_OTHER("slack"), YAML_OTHER("offset"),
		YAML_OTHER("identities"), { .key = NULL },
	};
	int rc = yaml_members(l->yaml, root, members, "an identity file",
			      l->err);

	if (!rc)
		rc = load_number(l, root, "slack", 1, &l->slack);
	if (!rc)
		rc = load_number(l, root, "offset", 1e9, &l->offset);
	return rc ? rc : load_aliases(l);
}

static bool fits(const char *pattern, const char *cpu,
		 const char *const *alias)
{
	bool found = !cpu || fnmatch(pattern, cpu, FNM_CASEFOLD) == 0;

	for (; alias && *alias && !found; alias++)
		found = fnmatch(pattern, *alias, FNM_CASEFOLD) == 0;
	return found;
}

/* Is the file for that CPU (NULL: any)? */
static int check_cpus(struct identity_loader *l, const char *cpu,
		      const char *const *alias, bool *out)
{
	const struct yaml_node *all;
	int rc = yaml_need(&all, l->yaml, l->yaml->root, "cpus", YAML_SEQUENCE,
			   l->err);

	*out = false;
	if (!rc && !all->count)
		rc = fail(l, all, "'cpus' must name the CPUs that this is "
				  "for");
	for (const struct yaml_node *n = rc ? NULL : all->first; n && !rc;
	     n = n->next) {
		rc = yaml_is(l->yaml, n, YAML_SCALAR, "a CPU", l->err);
		if (!rc)
			*out |= fits(n->text, cpu, alias);
	}
	return rc;
}

/* Adds the file's identities if the file fits the CPU. Owns the yaml. */
static int add(struct owned *o, struct yaml *yaml, const char *cpu,
	       const char *const *alias, struct assay_error *err)
{
	struct identity_loader l = { .owned = o, .yaml = yaml, .err = err };
	bool wanted = false;
	int rc;

	if (o->files == FILES) {
		yaml_free(yaml);
		return error_set(err, -ASSAY_ERANGE,
				 "more than %d identity files", FILES);
	}
	o->yaml[o->files++] = yaml;
	rc = load_head(&l);
	if (!rc)
		rc = check_cpus(&l, cpu, alias, &wanted);
	return rc || !wanted ? rc : load_identities(&l);
}

static struct owned *new_set(void)
{
	struct pool *pool = pool_new();
	struct owned *o = pool ? pool_get(pool, sizeof(*o)) : NULL;

	if (!o) {
		pool_free(pool);
		return NULL;
	}
	o->pool = pool;
	o->identity = pool_array(pool, IDENTITIES, sizeof(*o->identity));
	o->event = pool_array(pool, EVENTS, sizeof(*o->event));
	o->set.identity = o->identity;
	o->set.event = o->event;
	o->set.owned = o;
	if (o->identity && o->event)
		return o;
	pool_free(pool);
	return NULL;
}

void identities_free(struct identities *set)
{
	struct owned *o = set ? set->owned : NULL;

	if (!o)
		return;
	for (unsigned i = 0; i < o->files; i++)
		yaml_free(o->yaml[i]);
	pool_free(o->pool);
}

int identities_parse(struct identities **out, const char *file,
		     const char *text, size_t bytes, struct assay_error *err)
{
	struct owned *o = new_set();
	struct yaml *yaml;
	int rc = o ? yaml_parse(&yaml, file, text, bytes, err)
		   : error_memory(err);

	if (!rc)
		rc = add(o, yaml, NULL, NULL, err);
	if (rc)
		identities_free(o ? &o->set : NULL);
	else
		*out = &o->set;
	return rc;
}

int identities_load(struct identities **out, const char *cpu,
		    const char *const *alias, const char *data_dir,
		    struct assay_error *err)
{
	struct owned *o = new_set();
	const char **all = NULL;
	int rc = o ? data_file_names(&all, "identities", data_dir, err)
		   : error_memory(err);

	for (size_t i = 0; rc == 0 && all[i]; i++) {
		struct yaml *yaml;

		rc = yaml_open(&yaml, "identities", all[i], data_dir, err);
		if (!rc)
			rc = add(o, yaml, cpu, alias, err);
	}
	free(all);
	if (rc)
		identities_free(o ? &o->set : NULL);
	else
		*out = &o->set;
	return rc;
}
