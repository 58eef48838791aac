/* SPDX-License-Identifier: MIT */
/* Entries kept in memory, with keys sorted for the search; see kept.h. */
#include "tables/events/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cpus/pool.h"

struct key {
	uint64_t hash;
	size_t entry;		/* its index */
};

struct kept_entries {
	struct pool *pool;	/* of the texts */
	struct entry *entry;
	size_t entries;
	struct key *key;	/* sorted if .sorted */
	size_t keys;
	bool sorted;
};

struct kept_entries *kept_new(void)
{
	struct kept_entries *kept = calloc(1, sizeof(*kept));

	if (kept && !(kept->pool = pool_new())) {
		free(kept);
		return NULL;
	}
	return kept;
}

void kept_free(struct kept_entries *kept)
{
	if (!kept)
		return;
	free(kept->entry);
	free(kept->key);
	pool_free(kept->pool);
	free(kept);
}

/* ---- keys -------------------------------------------------------------- */

/* FNV-1a of the name in normal form. */
static uint64_t name_hash(const char *name, const char *unit)
{
	char normal[ENTRY_NAME];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	entry_normal_name(normal, name, unit);
	for (const char *p = normal; *p; p++)
		hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	return hash;
}

/* Every layout of codes has the select's low byte in the config's low byte. */
static uint64_t code_hash(uint64_t code)
{
	return code & 0xff;
}

static bool add_key(struct kept_entries *kept, uint64_t hash)
{
	const size_t entry = kept->entries - 1;

	/* Two spellings of one entry often are one key. */
	for (size_t i = kept->keys; i-- > 0 && kept->key[i].entry == entry;)
		if (kept->key[i].hash == hash)
			return true;
	if (!array_more(&kept->key, kept->keys, sizeof(*kept->key)))
		return false;
	kept->key[kept->keys++] = (struct key){ hash, entry };
	return true;
}

static int by_hash(const void *pa, const void *pb)
{
	const struct key *a = pa, *b = pb;

	return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1) :
	       (a->entry > b->entry) - (a->entry < b->entry);
}

/* ---- keeping ----------------------------------------------------------- */

/* The texts of an entry, some of which come many times in turn. */
static const char **text_of(struct entry *e, size_t i)
{
	const char **const texts[] = {
		&e->file, &e->table, &e->group, &e->why, &e->code.unit,
		&e->code.counters, &e->name, &e->alias, &e->text, &e->formula,
		&e->operands, &e->constants, &e->code.options,
	};

	return i < sizeof(texts) / sizeof(texts[0]) ? texts[i] : NULL;
}

static bool keep_texts(struct kept_entries *kept, struct entry *e)
{
	struct entry *last = kept->entries ? e - 1 : NULL;
	const char **text;

	for (size_t i = 0; (text = text_of(e, i)); i++) {
		const char *before = last ? *text_of(last, i) : "";

		*text = !strcmp(*text, before) ? before :
			pool_text(kept->pool, *text, strlen(*text));
		if (!*text)
			return false;
	}
	return true;
}

int kept_add(void *ctx, const struct entry *entry)
{
	struct kept_entries *kept = ctx;
	struct entry *e;

	if (!array_more(&kept->entry, kept->entries, sizeof(*e)))
		return -ASSAY_ENOMEM;
	e = &kept->entry[kept->entries];
	*e = *entry;
	if (!keep_texts(kept, e))
		return -ASSAY_ENOMEM;
	kept->entries++;
	kept->sorted = false;
	return add_key(kept, name_hash(e->name, "")) &&
	       add_key(kept, name_hash(e->name, e->code.unit)) &&
	       (!*e->alias || add_key(kept, name_hash(e->alias, ""))) &&
	       add_key(kept, code_hash(e->code.given & CODE_CONFIG ?
				       e->code.config : e->code.select[0])) ?
	       0 : -ASSAY_ENOMEM;
}

/* ---- the search -------------------------------------------------------- */

static int each_of(struct kept_entries *kept, uint64_t hash, entry_fn *fn,
		   void *ctx)
{
	size_t low = 0, high = kept->keys;
	int rc = 0;

	if (!kept->sorted && kept->keys)
		qsort(kept->key, kept->keys, sizeof(*kept->key), by_hash);
	kept->sorted = true;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (kept->key[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	for (; !rc && low < kept->keys && kept->key[low].hash == hash; low++)
		rc = fn(ctx, &kept->entry[kept->key[low].entry]);
	return rc;
}

int kept_each(struct kept_entries *kept, const struct kept_query *query,
	      entry_fn *fn, void *ctx)
{
	int rc = 0;

	if (query->name)
		return each_of(kept, name_hash(query->name, ""), fn, ctx);
	if (query->code)
		return each_of(kept, code_hash(*query->code), fn, ctx);
	for (size_t i = 0; i < kept->entries && !rc; i++)
		rc = fn(ctx, &kept->entry[i]);
	return rc;
}
