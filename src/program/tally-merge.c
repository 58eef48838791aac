/* SPDX-License-Identifier: MIT */
/*
 * See tally-merge.h. Another process may write a tally while this file reads
 * it: a plugin makes tally->changes odd while it writes (a sequence lock). The
 * tallies are hostile input: indices and texts are checked by tally_check(),
 * and those that may have grown since then again here.
 */
#include "program/tally-merge.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "sim/sim.h"

/* Makes room for one more element; false: no memory. */
static bool grow(void *array, size_t *room, size_t used, size_t bytes)
{
	const size_t wanted = *room ? 2 * *room : 64;

	if (used < *room)
		return true;
	if (!array_resize(array, wanted, bytes))
		return false;
	*room = wanted;
	return true;
}

int merged_tally_init(struct merged_tally *out, struct assay_error *err)
{
	*out = (struct merged_tally){ .buckets = 1 << 10 };
	out->sum.tally = calloc(1, sizeof(struct tally));
	out->bucket = calloc(out->buckets, sizeof(*out->bucket));
	return out->sum.tally && out->bucket ? 0 : error_memory(err);
}

void merged_tally_fini(struct merged_tally *merged)
{
	free(merged->sum.tally);
	free(merged->sum.object);
	free(merged->sum.site);
	free(merged->sum.text);
	free(merged->sum.region);
	free(merged->sum.why);
	free(merged->sum.datum);
	free(merged->program);
	free(merged->bucket);
	*merged = (struct merged_tally){ .programs = 0 };
}

/* ---- sites -------------------------------------------------------------- */

static size_t hash(const struct merged_tally *m, uint64_t pc, uint32_t object)
{
	return (size_t)((pc + object * UINT64_C(0x632be59bd9b4e019)) *
			UINT64_C(0x9e3779b97f4a7c15) >> 20) & (m->buckets - 1);
}

/* Enters a site into the hash table. */
static void index_site(struct merged_tally *m, uint32_t index)
{
	const struct tally_site *s = &m->sum.site[index];
	size_t at = hash(m, s->pc, s->object);

	while (m->bucket[at])
		at = (at + 1) & (m->buckets - 1);
	m->bucket[at] = index + 1;
}

static bool ensure_buckets(struct merged_tally *m)
{
	const struct tally *t = m->sum.tally;
	uint32_t *more;

	if (2 * (size_t)t->sites < m->buckets)
		return true;
	more = calloc(2 * m->buckets, sizeof(*more));
	if (!more)
		return false;
	free(m->bucket);
	m->bucket = more;
	m->buckets *= 2;
	for (uint32_t i = 0; i < t->sites; i++)
		index_site(m, i);
	return true;
}

/* The site of the sum at this address; a new one if there is none. NULL: no
 * memory. */
static struct tally_site *site_of(struct merged_tally *m, uint64_t pc,
				  uint32_t object)
{
	struct tally *t = m->sum.tally;
	struct tally_site *s;

	if (!ensure_buckets(m))
		return NULL;
	for (size_t at = hash(m, pc, object); m->bucket[at];
	     at = (at + 1) & (m->buckets - 1)) {
		s = &m->sum.site[m->bucket[at] - 1];
		if (s->pc == pc && s->object == object)
			return s;
	}
	if (t->sites == UINT32_MAX ||
	    !grow(&m->sum.site, &m->site_room, t->sites, sizeof(*s)))
		return NULL;
	s = &m->sum.site[t->sites];
	*s = (struct tally_site){ .pc = pc, .object = object };
	index_site(m, t->sites++);
	return s;
}

static bool add_text(struct merged_tally *m, const char *text, uint32_t *at)
{
	struct tally *t = m->sum.tally;
	const size_t bytes = strlen(text) + 1;

	while (t->text + bytes > m->text_room)
		if (!grow(&m->sum.text, &m->text_room, m->text_room, 1))
			return false;
	memcpy(m->sum.text + t->text, text, bytes);
	*at = t->text;
	t->text += (uint32_t)bytes;
	return true;
}

/* The object of the sum for the same file, or a new one: its index + 1. 0: no
 * memory. */
static uint32_t object_of(struct merged_tally *m,
			  const struct tally_object *from, const char *path)
{
	struct tally *t = m->sum.tally;
	struct tally_object *o;

	for (uint32_t i = 0; i < t->objects; i++)
		if (tally_same_file(&m->sum.object[i], from) &&
		    strcmp(tally_path(&m->sum, i), path) == 0)
			return i + 1;
	if (!grow(&m->sum.object, &m->object_room, t->objects, sizeof(*o)))
		return 0;
	o = &m->sum.object[t->objects];
	*o = (struct tally_object){ .to = UINT64_MAX, .device = from->device,
				    .inode = from->inode,
				    .changed_ns = from->changed_ns };
	return add_text(m, path, &o->path) ? ++t->objects : 0;
}

static bool empty(const struct tally_site *site)
{
	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (site->count[i])
			return false;
	return true;
}

/* The offset of a site in its object's file; the address if the object is no
 * file. */
static uint64_t offset_of(const struct tally_map *map,
			 const struct tally_site *site)
{
	const struct tally_object *o = &map->object[site->object - 1];

	return map->text[o->path] == '/' ? site->pc - o->from + o->offset
					 : site->pc;
}

/* The strides are those of the one with more of them. */
static void add_pattern(struct tally_pattern *to,
			const struct tally_pattern *from)
{
	to->lines += from->lines;
	to->lines_lost += from->lines_lost;
	if (from->strides <= to->strides)
		return;
	to->strides = from->strides;
	memcpy(to->stride, from->stride, sizeof(to->stride));
}

void tally_why_add(struct tally_why *to, const struct tally_why *from)
{
	for (int i = 0; i < TALLY_PARTS; i++) {
		struct tally_why_part *p = &to->part[i];
		const struct tally_why_part *f = &from->part[i];

		p->misses += f->misses;
		p->first += f->first;
		p->full += f->full;
		p->covered += f->covered;
		p->prefetched += f->prefetched;
		p->unused += f->unused;
	}
	to->brought += from->brought;
	to->used += from->used;
	if (from->runs > to->runs) {
		to->runs = from->runs;
		to->run_sets = from->run_sets;
	}
	for (int i = 0; i < TALLY_PATTERNS; i++)
		add_pattern(&to->pattern[i], &from->pattern[i]);
}

/* The reasons of a site of the sum: found, or made. false: no memory. */
static bool add_why(struct merged_tally *m, struct tally_site *to,
		    const struct tally_why *from)
{
	struct tally *t = m->sum.tally;

	if (!to->why) {
		if (!grow(&m->sum.why, &m->why_room, t->whys + 1,
			  sizeof(*from)))
			return false;
		to->why = ++t->whys;
		m->sum.why[to->why] = (struct tally_why){ .runs = 0 };
	}
	tally_why_add(&m->sum.why[to->why], from);
	return true;
}

static bool add_site(struct merged_tally *m, const struct tally_map *from,
		     const struct tally_site *site, const uint32_t *object)
{
	const uint64_t pc = site->object ? offset_of(from, site) : site->pc;
	struct tally_site *to;

	to = site_of(m, pc, site->object ? object[site->object - 1] : 0);
	for (int i = 0; to && i < TALLY_COLUMNS; i++)
		to->count[i] += site->count[i];
	if (to && site->why && site->why < TALLY_WHYS)
		return add_why(m, to, &from->why[site->why]);
	return to;
}

/* Is the name, of a program that may still run, inside of the text? */
static bool is_named(const struct tally_map *map, const struct tally_datum *d)
{
	return d->kind != TALLY_DATA_variable ||
	       (d->name < TALLY_TEXT &&
		memchr(map->text + d->name, '\0', TALLY_TEXT - d->name));
}

/* Equal ones are added up when they have names. object: of the sum. */
static bool add_datum(struct merged_tally *m, const struct tally_map *from,
		      struct tally_datum datum, const uint32_t *object,
		      uint32_t objects)
{
	struct tally *t = m->sum.tally;
	const struct tally_object *o;
	struct tally_datum *to;

	if (datum.object > objects || datum.kind >= TALLY_DATA_KINDS ||
	    !is_named(from, &datum))
		return true;
	if (!grow(&m->sum.datum, &m->datum_room, t->data, sizeof(*to)))
		return false;
	if (datum.object) {
		o = &from->object[datum.object - 1];
		if (from->text[o->path] == '/')
			datum.pc += o->offset - o->from;
		datum.object = object[datum.object - 1];
	}
	to = &m->sum.datum[t->data++];
	*to = datum;
	return datum.kind != TALLY_DATA_variable ||
	       add_text(m, from->text + datum.name, &to->name);
}

static bool add_sites(struct merged_tally *m, const struct tally_map *from)
{
	const uint32_t objects = from->tally->objects;
	const uint32_t sites = from->tally->sites < TALLY_SITES ?
			       from->tally->sites : TALLY_SITES;
	uint32_t *object = calloc(objects + 1, sizeof(*object));
	bool ok = object;

	for (uint32_t i = 0; ok && i < objects; i++) {
		object[i] = object_of(m, &from->object[i], tally_path(from, i));
		ok = object[i];
	}
	/* a program that still runs may have added objects since they were
	 * read above */
	for (uint32_t i = 0; ok && i < sites; i++)
		if ((!empty(&from->site[i]) || from->site[i].why) &&
		    from->site[i].object <= objects)
			ok = add_site(m, from, &from->site[i], object);
	for (uint32_t i = 0; ok && i < from->tally->data &&
			     i < TALLY_DATA_PIECES; i++)
		ok = add_datum(m, from, from->datum[i], object, objects);
	free(object);
	return ok;
}

/* ---- regions ------------------------------------------------------------ */

/* The region of the sum that has this name; or a new one. NULL: no memory. */
static struct tally_region *region_of(struct merged_tally *m, const char *name,
				      size_t each)
{
	struct tally *t = m->sum.tally;
	struct tally_region *r;

	for (uint32_t i = 0; i < t->regions; i++)
		if (strcmp(m->sum.region[i * each].name, name) == 0)
			return &m->sum.region[i * each];
	if (!array_resize(&m->sum.region, (t->regions + 1) * each, sizeof(*r)))
		return NULL;
	r = &m->sum.region[t->regions++ * each];
	memset(r, 0, each * sizeof(*r));
	text_copy(r->name, sizeof(r->name), name);
	return r;
}

static bool add_regions(struct merged_tally *m, const struct tally_map *from)
{
	const size_t each = 1 + from->tally->draws;
	const uint32_t n = from->tally->regions < TALLY_REGION_NAMES ?
			   from->tally->regions : TALLY_REGION_NAMES;

	for (uint32_t i = 0; i < n && (i + 1) * each <= TALLY_REGIONS; i++) {
		const struct tally_region *r = &from->region[i * each];
		struct tally_region *to = memchr(r->name, '\0',
						 sizeof(r->name)) ?
					  region_of(m, r->name, each) : NULL;

		if (!to)
			return false;
		to->entered += r->entered;
		to->left += r->left;
		to->unpaired += r->unpaired;
		for (size_t d = 0; d < each; d++)
			for (int s = 0; s < TALLY_SIGNALS; s++)
				to[d].signal[s] += r[d].signal[s];
	}
	return true;
}

/* ---- sums --------------------------------------------------------------- */

void merged_tally_count(const struct tally *t, uint64_t count[TALLY_COLUMNS])
{
	const uint64_t *s = t->signal;
	const bool plain = t->mode == TALLY_COUNT;

	memset(count, 0, TALLY_COLUMNS * sizeof(*count));
	count[TALLY_instructions] = plain ? t->instructions :
					    s[SIGNAL_instructions];
	count[TALLY_loads] = plain ? t->loads : s[SIGNAL_loads];
	count[TALLY_stores] = plain ? t->stores : s[SIGNAL_stores];
	count[TALLY_l1d_misses] = s[SIGNAL_l1d_load_miss] +
				  s[SIGNAL_l1d_store_miss];
	count[TALLY_l1i_misses] = s[SIGNAL_l1i_miss];
	count[TALLY_l2_misses] = s[SIGNAL_l2_load_miss] +
				 s[SIGNAL_l2_store_miss] +
				 s[SIGNAL_l2_walk_miss] +
				 s[SIGNAL_l2_fetch_miss] +
				 s[SIGNAL_l2_prefetch_miss];
	count[TALLY_l3_misses] = s[SIGNAL_l3_load_miss] +
				 s[SIGNAL_l3_store_miss] +
				 s[SIGNAL_l3_walk_miss] +
				 s[SIGNAL_l3_fetch_miss] +
				 s[SIGNAL_l3_prefetch_miss];
	count[TALLY_dtlb_misses] = s[SIGNAL_dtlb_load_miss] +
				   s[SIGNAL_dtlb_store_miss];
	count[TALLY_mispredicts] = s[SIGNAL_mispredicts];
}

static void add_signals(struct tally *to, const struct tally *from)
{
	for (int i = 0; i < TALLY_SIGNALS; i++)
		to->signal[i] += from->signal[i];
	for (uint32_t d = 0; d < TALLY_DRAWS; d++)
		for (int i = 0; i < TALLY_SIGNALS; i++)
			to->draw[d][i] += from->draw[d][i];
	for (int i = 0; i < TALLY_UNSEENS; i++)
		to->unseen[i] += from->unseen[i];
	to->loads += from->loads;
	to->stores += from->stores;
	to->instructions += from->instructions;
	to->settled += from->settled;
	to->lost_sites += from->lost_sites;
	to->allocators += from->allocators;
	to->threads += from->threads;
	to->lost_threads += from->lost_threads;
	to->children += from->children;
	to->lost_regions += from->lost_regions;
	to->lost_marks += from->lost_marks;
	to->entered += from->entered;
}

/* The same function of the same file is one, in whatever process. false: no
 * memory. */
static bool find_meaning(struct merged_tally *m, struct tally_meaning *meaning,
			 const char *path)
{
	struct tally *to = m->sum.tally;

	for (uint32_t i = 0; i < to->meanings && i < TALLY_MEANINGS; i++)
		if (strcmp(to->meaning[i].name, meaning->name) == 0 &&
		    strcmp(m->sum.text + to->meaning[i].path, path) == 0)
			return true;
	if (to->meanings++ >= TALLY_MEANINGS)
		return true;
	to->meaning[to->meanings - 1] = *meaning;
	return add_text(m, path, &to->meaning[to->meanings - 1].path);
}

static bool add_meanings(struct merged_tally *m, const struct tally_map *from)
{
	struct tally *to = m->sum.tally;
	const uint32_t n = from->tally->meanings;

	for (uint32_t i = 0; i < n && i < TALLY_MEANINGS; i++) {
		struct tally_meaning meaning = from->tally->meaning[i];

		if (!memchr(meaning.name, '\0', sizeof(meaning.name)) ||
		    meaning.path >= TALLY_TEXT ||
		    !memchr(from->text + meaning.path, '\0',
			    TALLY_TEXT - meaning.path) ||
		    !find_meaning(m, &meaning, from->text + meaning.path))
			return false;
	}
	if (n > TALLY_MEANINGS)
		to->meanings += n - TALLY_MEANINGS;
	return true;
}

/* Keeps the command line of the first program that was not simulated. */
static void keep_command(struct tally *to, const struct tally *from)
{
	if (to->started[0] || !memchr(from->started, '\0', TALLY_COMMAND))
		return;
	memcpy(to->started, from->started, TALLY_COMMAND);
	to->can_simulate = from->can_simulate;
}

static bool add_program(struct merged_tally *m, const struct tally *t,
		     enum program_end end)
{
	struct merged_program *program;

	if (!grow(&m->program, &m->program_room, m->programs, sizeof(*program)))
		return false;
	program = &m->program[m->programs++];
	*program = (struct merged_program){ .order = t->order, .pid = t->pid,
				     .took_over = t->replaced, .end = end };
	text_copy(program->name, sizeof(program->name), t->name);
	merged_tally_count(t, program->count);
	return true;
}

/* Does the process still run? One that has ended, but that its parent does not
 * wait for (Z), does not. */
static bool is_alive(uint32_t pid)
{
	char path[40], line[256] = "";
	const char *name_end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	name_end = strrchr(line, ')');
	return name_end && strlen(name_end) > 2 && name_end[2] != 'Z' &&
	       name_end[2] != 'X';
}

/* After execve in a program with threads, the new program marks the slot of the
 * old one as done. */
static enum program_end end_of(const struct tally *t, const uint32_t *slot,
			       bool first)
{
	if (t->state == TALLY_COMPLETE || t->not_simulated ||
	    *slot == CHILD_SLOT_DONE)
		return t->began || first ? PROGRAM_ENDED : PROGRAM_NEVER_BEGAN;
	/* the first process has been waited for */
	if (!first && is_alive(t->pid))
		return PROGRAM_RUNS;
	return first || t->began ? PROGRAM_KILLED : PROGRAM_NEVER_BEGAN;
}

static int add(struct merged_tally *m, const struct tally_map *from,
	       const uint32_t *slot, bool first, struct assay_error *err)
{
	const struct tally *t = from->tally;
	enum program_end end = end_of(t, slot, first);
	struct tally *to = m->sum.tally;

	if (t->state == TALLY_UNTOUCHED && !t->pid)
		return 0;
	if (first)
		memcpy(to, t, offsetof(struct tally, changes));
	to->changes |= t->changes & 1;
	add_signals(to, t);
	keep_command(to, t);
	m->not_simulated[t->state == TALLY_RUNNING ? t->not_simulated : 0]++;
	m->killed += end == PROGRAM_KILLED;
	m->running += end == PROGRAM_RUNS;
	m->never_began += end == PROGRAM_NEVER_BEGAN;
	if (t->threads + t->lost_threads > 1)
		m->together += t->threads + t->lost_threads;
	to->behind += end == PROGRAM_RUNS ? 0 : t->behind;
	return add_program(m, t, end) && add_regions(m, from) &&
	       add_meanings(m, from) && (t->mode < TALLY_ATTRIBUTE || add_sites(m, from)) ?
	       0 : error_memory(err);
}

/* ---- slots -------------------------------------------------------------- */

/* Waits until the tally is not being written (changes is even), but not for a
 * process that was killed while it wrote. */
static void await_writer(const struct tally *t)
{
	for (int i = 0; i < 100000; i++) {
		if (!(__atomic_load_n(&t->changes, __ATOMIC_SEQ_CST) & 1) ||
		    (i % 100 == 99 && !is_alive(t->pid)))
			return;
		sched_yield();
	}
}

static int add_slot(struct merged_tally *m, const struct child_tally_file *file,
		    uint32_t slot, struct assay_error *err)
{
	struct tally_map map;
	int rc = child_tally_map(file, slot, &map, err);

	if (rc < 0)
		return rc;
	await_writer(map.tally);
	if (tally_check(&map, NULL) < 0)
		m->damaged++;
	else
		rc = add(m, &map, &file->tallies->slot[slot], false, err);
	tally_free(&map);
	return rc;
}

int merged_tally_collect(struct merged_tally *merged,
			 const struct child_tally_file *file,
			 struct assay_error *err)
{
	int rc = 0;

	for (uint32_t i = 1; rc == 0 && i < file->tallies->slots &&
			     i < CHILD_TALLY_SLOTS; i++) {
		if (__atomic_load_n(&file->tallies->slot[i],
				    __ATOMIC_SEQ_CST) != CHILD_SLOT_DONE)
			continue;
		rc = add_slot(merged, file, i, err);
		child_tally_release(file, i);
	}
	return rc;
}

static int by_order(const void *pa, const void *pb)
{
	const struct merged_program *a = pa, *b = pb;

	return (a->order > b->order) - (a->order < b->order);
}

int merged_tally_close(struct merged_tally *merged,
		       const struct child_tally_file *file,
		       struct assay_error *err)
{
	int rc;

	__atomic_store_n(&file->tallies->closed, 1, __ATOMIC_SEQ_CST);
	rc = tally_check(&file->first, err);
	if (rc == 0)
		rc = add(merged, &file->first, file->tallies->slot, true, err);
	for (uint32_t i = 1; rc == 0 && i < file->tallies->slots &&
			     i < CHILD_TALLY_SLOTS; i++)
		if (file->tallies->slot[i] != CHILD_SLOT_FREE)
			rc = add_slot(merged, file, i, err);
	if (merged->programs)
		qsort(merged->program, merged->programs,
		      sizeof(*merged->program), by_order);
	return rc;
}
