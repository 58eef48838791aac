/* SPDX-License-Identifier: MIT */
/* CPUs as rows for people and programs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "cpus/cpu.h"
#include "cpus/source.h"

enum { LIST_ROOM = 512 };

static struct assay_field absent_field(const char *name, const char *why)
{
	return (struct assay_field){ .name = name, .kind = ASSAY_FIELD_ABSENT,
				     .text = why };
}

static struct assay_field cache_field(const char *name,
				      const struct cache_geometry *c)
{
	if (!c->present)
		return absent_field(name, "this CPU has none");
	return (struct assay_field){ .name = name, .kind = ASSAY_FIELD_COUNT,
				     .count = cache_bytes(c), .unit = "bytes",
				     .flags = ASSAY_FIELD_BYTES };
}

/* "a b c" */
static void join(char *out, size_t room, const char *const *words)
{
	size_t used = 0;

	out[0] = '\0';
	for (; *words && used < room; words++)
		used += (size_t)snprintf(out + used, room - used, "%s%s",
					 used ? " " : "", *words);
}

#define FIELDS(array) (array), sizeof(array) / sizeof((array)[0])

static int list_cpu(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	const struct geometry *g = &cpu->geometry;
	char aliases[LIST_ROOM];
	const struct assay_field field[] = {
		field_text("name", cpu->name),
		field_text("title", cpu->title),
		field_text("isa", isa_names[g->isa]),
		cache_field("l1d", &g->l1d),
		cache_field("l2", &g->l2),
		cache_field("l3", &g->l3),
		field_count("counters", cpu->counters),
		field_count("events", cpu->events),
		field_text("aliases", aliases),
		field_detail("file", cpu->file),
	};

	join(aliases, sizeof(aliases), cpu->alias);
	return row_emit(fn, ctx, "cpu", FIELDS(field));
}

int cpu_list(const char *data_dir, assay_row_fn *fn, void *ctx,
	     struct assay_error *err)
{
	const char **names;
	struct cpu *cpu;
	int error = source_names(&names, "cpus", data_dir, err);

	if (error)
		return error;
	for (size_t i = 0; names[i] && !error; i++) {
		error = cpu_load(&cpu, names[i], data_dir, err);
		if (error)
			break;
		error = list_cpu(cpu, fn, ctx);
		cpu_free(cpu);
	}
	free(names);
	return error;
}

static int fact_row(const struct cpu_fact *f, assay_row_fn *fn, void *ctx)
{
	const char confidence[2] = { f->confidence };
	const struct assay_field field[] = {
		field_text("fact", f->path),
		field_text("value", f->value),
		field_text("confidence", confidence),
		field_text("source", f->source),
		field_text("remark", f->note),
	};

	return row_emit(fn, ctx, "fact", FIELDS(field));
}

static int event_row(const struct cpu_event *e, assay_row_fn *fn, void *ctx)
{
	const char confidence[2] = { e->confidence };
	char code[24], aliases[LIST_ROOM];
	const struct assay_field field[] = {
		field_text("event", e->name),
		field_text("code", code),
		e->present ? field_text("counts", e->counts_text)
			   : absent_field("counts", e->absent),
		field_text("meaning", e->meaning),
		field_text("confidence", confidence),
		field_text("source", e->source),
		field_detail("aliases", aliases),
		field_detail("implemented", e->implemented ? "yes" : "no"),
	};

	snprintf(code, sizeof(code), "0x%02" PRIx64, e->code);
	join(aliases, sizeof(aliases), e->alias);
	return row_emit(fn, ctx, "event", FIELDS(field));
}

static int pair_row(const char *type, const char *name, const char *value,
		    assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text(type, name),
		field_text("text", value),
	};

	return row_emit(fn, ctx, type, FIELDS(field));
}

/* "ID: text" as a row of both. */
static int erratum_row(const char *text, assay_row_fn *fn, void *ctx)
{
	const char *colon = strstr(text, ": ");
	char id[64];

	snprintf(id, sizeof(id), "%.*s", colon ? (int)(colon - text) : 0, text);
	return pair_row("erratum", id, colon ? colon + 2 : text, fn, ctx);
}

int cpu_describe(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	int stop = 0;

	for (size_t i = 0; i < cpu->facts && !stop; i++)
		stop = fact_row(&cpu->fact[i], fn, ctx);
	for (size_t i = 0; i < cpu->events && !stop; i++)
		stop = event_row(&cpu->event[i], fn, ctx);
	for (const char *const *e = cpu->erratum; *e && !stop; e++)
		stop = erratum_row(*e, fn, ctx);
	for (size_t i = 0; i < cpu->cites && !stop; i++)
		stop = pair_row("source", cpu->cited[i].key,
				cpu->cited[i].text, fn, ctx);
	return stop;
}
