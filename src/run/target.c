/* SPDX-License-Identifier: MIT */
/* Parses the text of --on, and makes its provider ready. */
#include "run/target.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "run/host.h"
#include "base/text.h"
#include "env/env.h"
#include "run/import.h"

const struct provider *const provider_table[] = {
	&perf_provider, &sim_provider, &replay_provider, &pmuv3_provider,
	&time_provider, &null_provider, NULL
};

static int unknown_map(const char *text, struct assay_error *err)
{
	return error_set(err, -ASSAY_EINVAL, "page map '%.60s' is none of "
			 "identity, random[:SEED], recorded:FILE, or, of pages "
			 "of one size, identity-SIZE, random-SIZE[:SEED]: 4k, "
			 "16k, 64k, 2m, 32m, 512m, 1g", text);
}

int page_map_set(struct geometry *g, const char *text, struct assay_error *err)
{
	const char *colon = strchr(text, ':');
	size_t word = colon ? (size_t)(colon - text) : strlen(text);
	struct page_map map;
	int i = 0;

	while (i < PAGE_MAP_NAMES &&
	       (strlen(page_map_names[i]) != word ||
		strncasecmp(page_map_names[i], text, word) != 0))
		i++;
	if (i == PAGE_MAP_NAMES)
		return unknown_map(text, err);
	map = geometry_page_map(g, i);
	map.seed = 1;
	if (colon && (map.kind == PAGE_MAP_IDENTITY ||
		      text_count(&map.seed, colon + 1, NULL) < 0))
		return unknown_map(text, err);
	if (!page_of_isa(map.size, g->isa))
		return error_set(err, -ASSAY_EINVAL, "page map '%.60s': %s, an "
				 "%s CPU, has pages of 4k, 2m and 1g", text,
				 g->name, isa_names[g->isa]);
	geometry_place(g, &map);
	return 0;
}

void page_map_text(char *out, size_t room, const struct page_map *map)
{
	const int name = page_map_name(map);

	if (map->kind == PAGE_MAP_RANDOM)
		snprintf(out, room, "%s:%llu", page_map_names[name],
			 (unsigned long long)map->seed);
	else
		snprintf(out, room, "%s", name < 0 ? "recorded" :
						     page_map_names[name]);
}

/* Sets the page map to the frames of the first record in the file that has
 * frames. */
static int recorded_map(struct target *t, const struct assay *assay,
			const char *file, struct assay_error *err)
{
	int rc;

	store_fini(&t->frames);
	rc = store_read(&t->frames, file, assay->data_dir, err);
	for (size_t i = 0; rc == 0 && i < t->frames.records; i++) {
		const struct assay_record *r = t->frames.record[i];

		if (!r->frames)
			continue;
		geometry_place(&t->geometry, &(struct page_map){
			.kind = PAGE_MAP_RECORDED, .frame = r->frame,
			.frames = r->frames });
		return 0;
	}
	if (rc == 0)
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' has no record "
			       "that knows its physical frames (a native run "
			       "as root writes them)", file);
	return rc;
}

static int set_page_map(struct target *t, const struct assay *assay,
			const char *text, struct assay_error *err)
{
	static const char recorded[] = "recorded:";
	const size_t prefix = sizeof(recorded) - 1;

	if (strncmp(text, recorded, prefix) == 0)
		return recorded_map(t, assay, text + prefix, err);
	return page_map_set(&t->geometry, text, err);
}

static const struct provider *find_provider(const char *name, size_t length)
{
	for (int i = 0; provider_table[i]; i++)
		if (strlen(provider_table[i]->name) == length &&
		    strncmp(provider_table[i]->name, name, length) == 0)
			return provider_table[i];
	return NULL;
}

static int unknown_provider(const char *on, struct assay_error *err)
{
	const char *names[8];
	char word[32];
	int n = 0;

	for (; provider_table[n]; n++)
		names[n] = provider_table[n]->name;
	names[n] = NULL;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(on, ":"), on);
	return error_unknown(err, "provider", word, names, "known: perf, "
			     "sim:CPU, replay:FILE, pmuv3, time, null");
}

/* "KEY=on" or "KEY=off"; false: neither. */
static bool read_switch(const char *text, const char *key, bool *on)
{
	const size_t length = strlen(key);

	if (strncmp(text, key, length) != 0)
		return false;
	*on = strcmp(text + length, "=on") == 0;
	return *on || strcmp(text + length, "=off") == 0;
}

static int switch_one(struct target *t, const char *name,
		      struct assay_error *err)
{
	for (uint32_t i = 0; i < t->geometry.prefetchers; i++) {
		struct prefetch_geometry *p = &t->geometry.prefetcher[i];

		if (strcmp(p->name, name) == 0) {
			p->on = true;
			return 0;
		}
	}
	error_set(err, -ASSAY_ENOENT, "sim: %s has no prefetcher '%.40s'",
		  t->cpu->name, name);
	error_add(err, "try: assay list cpus %s", t->cpu->name);
	return -ASSAY_ENOENT;
}

/* "on", "off": all prefetchers of the model; or those named, joined by "+". */
static int switch_prefetchers(struct target *t, const char *which,
			      struct assay_error *err)
{
	const bool on = strcmp(which, "on") == 0;
	char text[sizeof(t->prefetchers)], *next = text, *name;
	int rc = 0;

	for (uint32_t i = 0; i < t->geometry.prefetchers; i++)
		t->geometry.prefetcher[i].on = on;
	snprintf(t->prefetchers, sizeof(t->prefetchers), "prefetchers=%s",
		 which);
	if (on || strcmp(which, "off") == 0)
		return 0;
	text_copy(text, sizeof(text), which);
	while (rc == 0 && (name = strsep(&next, "+")))
		rc = switch_one(t, name, err);
	return rc;
}

static const struct cpu_event *fault_event(const struct cpu *cpu,
					   const char *name,
					   struct assay_error *err)
{
	const struct cpu_event *event = cpu_event_find(cpu, name);
	const char *near = NULL;
	unsigned best = 1 + (unsigned)strlen(name) / 3;

	if (event && event->present)
		return event;
	error_set(err, -ASSAY_ENOENT, "fault: %s has no event '%.60s'%s",
		  cpu->name, name, event ? " that the model counts" : "");
	for (size_t i = 0; !event && i < cpu->events; i++) {
		if (text_distance(name, cpu->event[i].name) >= best)
			continue;
		near = cpu->event[i].name;
		best = text_distance(name, near);
	}
	if (near)
		error_add(err, "did you mean '%s'?", near);
	return NULL;
}

static int add_fault(struct target *t, const char *text,
		     struct assay_error *err)
{
	const struct cpu_event *event, *other;
	struct fault f;
	int rc = fault_parse(&f, text, err);

	if (rc == 0 && t->faults.faults == FAULT_SET)
		rc = error_set(err, -ASSAY_EINVAL, "more than %d faults",
			       FAULT_SET);
	if (rc < 0)
		return rc;
	if (f.event[0]) {
		event = fault_event(t->cpu, f.event, err);
		other = f.other[0] ? fault_event(t->cpu, f.other, err) : event;
		if (!event || !other)
			return -ASSAY_ENOENT;
		f.code = event->code;
		f.other_code = other->code;
		f.counts = &event->counts;
		f.other_counts = &other->counts;
	} else {
		f.code = UINT64_MAX;
	}
	t->faults.fault[t->faults.faults++] = f;
	t->config.faults = &t->faults;
	return 0;
}

void target_options_text(char *out, size_t room, const struct target *target)
{
	char one[256];

	text_copy(out, room, target->prefetchers);
	for (unsigned i = 0; i < target->faults.faults; i++) {
		fault_text(one, sizeof(one), &target->faults.fault[i]);
		text_add(out, room, ",", "fault=%s", one);
	}
}

/* One "key=value" after the CPU's name. */
static int sim_setting(struct target *t, const struct assay *assay,
		       const char *text, struct assay_error *err)
{
	static const char map[] = "page-map=", fault[] = "fault=";
	static const char prefetchers[] = "prefetchers=";
	bool on;

	if (strncmp(text, map, sizeof(map) - 1) == 0)
		return set_page_map(t, assay, text + sizeof(map) - 1, err);
	if (strncmp(text, fault, sizeof(fault) - 1) == 0)
		return add_fault(t, text + sizeof(fault) - 1, err);
	if (read_switch(text, "fast-forward", &on)) {
		t->config.no_fast_forward = !on;
		return 0;
	}
	if (strncmp(text, prefetchers, sizeof(prefetchers) - 1) == 0)
		return switch_prefetchers(t, text + sizeof(prefetchers) - 1,
					  err);
	return error_set(err, -ASSAY_EINVAL, "sim: '%.60s' is none of "
			 "page-map=MAP, fast-forward=on|off, "
			 "prefetchers=on|off|NAME+NAME..., fault=FAULT", text);
}

static int init_sim(struct target *t, const struct assay *assay,
		    const char *spec, struct assay_error *err)
{
	char text[512], *next, *word;
	int rc;

	if (strlen(spec) >= sizeof(text))
		return error_set(err, -ASSAY_EINVAL, "sim: name too long");
	text_copy(text, sizeof(text), spec);
	next = text;
	word = strsep(&next, ",");
	if (!*word)
		return error_set(err, -ASSAY_EINVAL,
				 "sim: name a CPU, as in sim:cortex-a72 "
				 "(assay list cpus)");
	rc = strcmp(word, "host") ?
	     cpu_load_sold(&t->cpu, word, assay->data_dir, err) :
	     host_model(&t->cpu, t->model_of, sizeof(t->model_of), assay, err);
	if (rc < 0)
		return rc;
	t->geometry = t->cpu->geometry;
	while (rc == 0 && (word = strsep(&next, ",")))
		rc = sim_setting(t, assay, word, err);
	t->has_geometry = true;
	t->isa = t->geometry.isa;
	t->config.geometry = &t->geometry;
	t->events = (struct events_target){
		.target = EVENTS_SIM, .cpu = t->cpu, .geometry = &t->geometry,
		.sysroot = assay->sysroot, .data_dir = assay->data_dir };
	return rc;
}

static enum isa find_isa(const char *name)
{
	return text_equal(name, isa_names[ISA_AARCH64]) ? ISA_AARCH64 :
							  ISA_X86_64;
}

/* A UART log can be replayed only if no line of it is lost. */
static int check_log(const struct imported *in, const char *file,
		     struct assay_error *err)
{
	char name[400];

	if (strcmp(in->format, "uart") ||
	    (!in->log.damaged && in->log.ended &&
	     in->log.promised == in->store.records))
		return 0;
	error_set(err, -ASSAY_EINVAL, "'%.200s' is an incomplete UART log",
		  file);
	text_shell(name, sizeof(name), file);
	if (*name)
		error_add(err, "try: assay import %s -o records.jsonl", name);
	return -ASSAY_EINVAL;
}

static int read_saved(struct target *t, const struct assay *assay,
		      const char *file, struct assay_error *err)
{
	const struct import_source source = { .path = file,
					      .data_dir = assay->data_dir };
	struct imported in;
	int rc = import_read(&in, &source, err);

	if (rc < 0)
		return rc;
	t->saved = in.store;
	return check_log(&in, file, err);
}

/*
 * Caches for predictions: those of the CPU file of the core that was counted.
 * Bare-metal code runs without paging, on hardware and on the software PMU, so
 * the page map is the identity; under an operating system it is random.
 */
static void saved_geometry(struct target *t, const struct assay *assay)
{
	const struct assay_record *first = t->saved.record[0];
	bool perf = strcmp(first->provider, perf_provider.name) == 0;

	if ((!perf && strcmp(first->provider, pmuv3_provider.name) != 0 &&
	     strstr(first->settings.options, BARE_MODEL) == NULL) ||
	    cpu_load(&t->cpu, first->machine.cpu, assay->data_dir, NULL) < 0)
		return;
	t->geometry = t->cpu->geometry;
	geometry_place(&t->geometry, &(struct page_map){
		.kind = perf ? PAGE_MAP_RANDOM : PAGE_MAP_IDENTITY,
		.size = t->geometry.page, .seed = 1 });
	t->has_geometry = true;
}

static int init_replay(struct target *t, const struct assay *assay,
		       const char *file, struct assay_error *err)
{
	int rc;

	if (!*file)
		return error_set(err, -ASSAY_EINVAL,
				 "replay: name a file, as in replay:run.jsonl");
	t->events.target = EVENTS_NAMES;
	rc = read_saved(t, assay, file, err);
	if (rc < 0)
		return rc;
	if (!t->saved.records)
		return error_set(err, -ASSAY_EINVAL,
				 "'%.200s' holds no records", file);
	t->isa = find_isa(t->saved.record[0]->machine.isa);
	saved_geometry(t, assay);
	return 0;
}

static void init_host(struct target *t, const struct assay *assay)
{
	t->isa = find_isa(assay->machine.isa);
	t->has_geometry = env_geometry(&t->geometry, assay->sysroot, NULL) == 0;
	t->events = (struct events_target){
		.target = EVENTS_NAMES, .sysroot = assay->sysroot,
		.data_dir = assay->data_dir };
}

static const struct cpu *find_host(void *ctx)
{
	struct target *t = ctx;

	if (!t->host_loaded)
		t->host = host_cpu(t->assay);
	t->host_loaded = true;
	return t->host;
}

void target_use_host(struct target *t, const struct assay *assay)
{
	t->assay = assay;
	t->events = (struct events_target){
		.target = EVENTS_PERF, .sysroot = assay->sysroot,
		.recorded = strcmp(assay->sysroot, "/") != 0,
		.data_dir = assay->data_dir, .tables = assay->tables,
		.layout = host_layout(assay), .find_cpu = find_host, .ctx = t };
	if (host_match(&t->match, assay))
		t->events.match = &t->match;
}

static int init_provider(struct target *t, const struct assay *assay,
			 const char *on, const char *page_map,
			 struct assay_error *err)
{
	const char *colon = strchr(on, ':');
	const char *rest = colon ? colon + 1 : "";
	int rc = 0;

	t->provider = find_provider(on, strcspn(on, ":"));
	if (!t->provider)
		return unknown_provider(on, err);
	init_host(t, assay);
	if (t->provider == &sim_provider)
		rc = init_sim(t, assay, rest, err);
	else if (t->provider == &replay_provider)
		rc = init_replay(t, assay, rest, err);
	else if (colon)
		rc = error_set(err, -ASSAY_EINVAL, "%s takes no ':%.60s'",
			       t->provider->name, rest);
	if (t->provider == &perf_provider || t->provider == &pmuv3_provider)
		target_use_host(t, assay);
	if (rc == 0 && page_map && t->provider != &sim_provider)
		rc = error_set(err, -ASSAY_EINVAL,
			       "a page map is for the software PMU (sim:CPU); "
			       "on this machine the kernel places pages");
	if (rc == 0 && page_map)
		rc = set_page_map(t, assay, page_map, err);
	return rc;
}

int target_init(struct target *out, const struct assay *assay, const char *on,
		const char *page_map, bool no_fast_forward,
		struct assay_error *err)
{
	int rc;

	*out = (struct target){ 0 };
	rc = init_provider(out, assay, on, page_map, err);
	out->config.no_fast_forward |= no_fast_forward;
	if (rc == 0 && out->cpu)
		page_map_text(out->page_map, sizeof(out->page_map),
			      &out->geometry.page_map);
	if (rc == 0 && out->provider->drive != DRIVE_NOTHING)
		rc = out->provider->probe(&out->config, err);
	if (rc < 0)
		target_fini(out);
	return rc;
}

void target_fini(struct target *target)
{
	cpu_free(target->cpu);
	cpu_free(target->host);
	store_fini(&target->saved);
	store_fini(&target->frames);
	*target = (struct target){ 0 };
}
