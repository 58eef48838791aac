/* SPDX-License-Identifier: MIT */
/* The sections prefetchers, predictor, page-map and cycles; see cpu-read.h. */
#include "cpus/cpu-read.h"

#include <string.h>

#include "base/text.h"
#include "cpus/signals.h"

static const char *const predictors[] = { "none", "bimodal", "tage" };
static const char *const trainers[] = { "", "l1d", "l2" };

/* ---- prefetchers -------------------------------------------------------- */

struct prefetch_text {
	int kind, trains_on, fills;
	bool on, page_bounded, upward_only;
	uint64_t window, degree, distance, percent, longest_stride;
};

static const struct field prefetch_fields[] = {
	WORD_ROW("kind", prefetch_text, kind, true, prefetch_names),
	BOOL_ROW("on", prefetch_text, on, true),
	WORD_ROW("trains-on", prefetch_text, trains_on, true, trainers),
	WORD_ROW("fills", prefetch_text, fills, true, trainers),
	BOOL_ROW("page-bounded", prefetch_text, page_bounded, false),
	COUNT_ROW("window", prefetch_text, window, false, 1, 4096),
	COUNT_ROW("degree", prefetch_text, degree, false, 1, 32),
	COUNT_ROW("distance", prefetch_text, distance, false, 0, 256),
	COUNT_ROW("percent", prefetch_text, percent, false, 1, 100),
	BOOL_ROW("upward-only", prefetch_text, upward_only, false),
	COUNT_ROW("longest-stride", prefetch_text, longest_stride, false, 64,
		  1 << 20),
	{ .key = NULL }
};

/* Refuses keys that a prefetcher of this kind does not have. */
static int check_kind(const struct scope *s, const struct prefetch_text *p)
{
	const bool pair = p->kind == PREFETCH_ADJACENT_PAIR;
	const bool table = p->kind == PREFETCH_STREAM ||
			   p->kind == PREFETCH_IP_STRIDE;

	if (p->upward_only && !pair)
		return scope_refuse(s, "upward-only",
				    "'upward-only' is of adjacent-pair");
	if (p->longest_stride && p->kind != PREFETCH_IP_STRIDE)
		return scope_refuse(s, "longest-stride",
				    "'longest-stride' is of ip-stride");
	if (p->window > 1 && !table)
		return scope_refuse(s, "window",
				    "'window' is of stream and ip-stride");
	if (pair && (p->degree > 1 || p->distance != 1))
		return scope_refuse(s, p->degree > 1 ? "degree" : "distance",
				    "adjacent-pair asks for the other line, no "
				    "more and no further");
	return 0;
}

static int read_prefetcher(const struct scope *parent, const char *name,
			   bool l2, struct prefetch_geometry *out)
{
	struct prefetch_text p = { .window = 1, .degree = 1, .distance = 1 };
	struct scope s;
	int error = scope_open(&s, parent, name, prefetch_fields, NULL);

	if (!error)
		error = scope_read(&s, prefetch_fields, &p);
	if (!error)
		error = check_kind(&s, &p);
	if (error)
		return error;
	if (strlen(name) >= sizeof(out->name))
		return fact_error_key(&s, s.map, "a prefetcher's name is of "
				      "%zu characters at most",
				      sizeof(out->name) - 1);
	if (p.fills < p.trains_on)
		return scope_refuse(&s, "fills", "what trains on l2 does not "
				    "fill l1d");
	if (p.fills > 1 && !l2)
		return scope_refuse(&s, "fills", "there is no 'l2'");
	*out = (struct prefetch_geometry){
		.kind = (enum prefetch_kind)p.kind,
		.on = p.on,
		.trains_on = (uint8_t)p.trains_on,
		.fills = (uint8_t)p.fills,
		.page_bounded = p.page_bounded,
		.window = (uint32_t)p.window,
		.degree = (uint32_t)p.degree,
		.distance = (uint32_t)p.distance,
		.percent = (uint32_t)p.percent,
		.upward_only = p.upward_only,
		.longest_stride = (uint32_t)p.longest_stride,
	};
	text_copy(out->name, sizeof(out->name), name);
	return 0;
}

static int read_prefetchers(const struct scope *top, struct geometry *g)
{
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "prefetchers", NULL, &present);

	if (error || !present)
		return error;
	for (const struct yaml_node *n = s.map->first; n && !error;
	     n = n->next) {
		if (!strcmp(n->key, "from"))
			continue;
		if (g->prefetchers == GEOMETRY_PREFETCHERS)
			return fact_error_key(&s, n, "more than %d prefetchers",
					      GEOMETRY_PREFETCHERS);
		if (!strcmp(n->key, "on") || !strcmp(n->key, "off"))
			return fact_error_key(&s, n, "no prefetcher can be "
					      "called '%s': that stands for "
					      "all of them", n->key);
		error = fact_name(s.reader, n, n->key);
		if (!error)
			error = read_prefetcher(&s, n->key, g->l2.present,
					&g->prefetcher[g->prefetchers++]);
	}
	return error;
}

/* ---- predictor, page map ------------------------------------------------ */

struct predictor_text {
	int kind;
	uint64_t entries, history, returns, walks, loads;
};

static const struct field predictor_fields[] = {
	WORD_ROW("kind", predictor_text, kind, true, predictors),
	COUNT_ROW("entries", predictor_text, entries, false, 1, 1 << 20),
	COUNT_ROW("history", predictor_text, history, false, 4, 256),
	COUNT_ROW("return-stack", predictor_text, returns, false, 0, 256),
	COUNT_ROW("wrong-path-walks", predictor_text, walks, false, 0, 64),
	COUNT_ROW("wrong-path-loads", predictor_text, loads, false, 0, 1024),
	{ .key = NULL }
};

static int read_predictor(const struct scope *top, struct geometry *g)
{
	struct predictor_text p = { 0 };
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "predictor", predictor_fields,
			       &present);

	if (!error && present)
		error = scope_read(&s, predictor_fields, &p);
	if (error || !present)
		return error;
	if (p.kind == PREDICT_NONE &&
	    (p.entries || p.history || p.returns || p.walks || p.loads))
		return scope_refuse(&s, "kind", "a predictor of kind none has "
				    "nothing else");
	if (p.history && p.kind != PREDICT_TAGE)
		return scope_refuse(&s, "history", "'history' is of tage");
	if (p.entries & (p.entries - 1))
		return scope_refuse(&s, "entries", "'entries' must be a power "
				    "of two");
	g->predictor = (struct predictor_geometry){
		.kind = (enum predictor_kind)p.kind,
		.entries = p.entries ? (uint32_t)p.entries : 4096,
		.history = p.history ? (uint32_t)p.history : 64,
		.return_stack = (uint32_t)p.returns,
		.wrong_path_walks = (uint32_t)p.walks,
		.wrong_path_loads = (uint32_t)p.loads,
	};
	return 0;
}

#define NO_SEED UINT64_MAX

struct page_text {
	int kind;
	uint64_t seed;
};

static const struct field page_fields[] = {
	WORD_ROW("kind", page_text, kind, true, page_map_names),
	COUNT_ROW("seed", page_text, seed, false, 0, UINT32_MAX),
	{ .key = NULL }
};

static int read_page_map(const struct scope *top, struct geometry *g)
{
	struct page_text p = { .seed = NO_SEED };
	struct page_map map;
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "page-map", page_fields, &present);

	if (!error && present)
		error = scope_read(&s, page_fields, &p);
	if (error || !present)
		return error;
	map = geometry_page_map(g, p.kind);
	if (map.kind == PAGE_MAP_IDENTITY && p.seed != NO_SEED)
		return scope_refuse(&s, "seed", "'seed' is of random maps");
	if (!page_of_isa(map.size, g->isa))
		return scope_refuse(&s, "kind", "there are no pages of that "
				    "size on x86-64");
	map.seed = p.seed == NO_SEED ? 1 : p.seed;
	g->page_map = map;
	return 0;
}

/* ---- cycles ------------------------------------------------------------- */

#define CYCLES(key, member) REAL_ROW(key, cycle_model, member, 1000000)

/* The constants, in core cycles but for ghz. */
static const struct field cycle_fields[] = {
	CYCLES("per-instruction", per_instruction),
	CYCLES("l1-hit", l1_hit),
	CYCLES("l2-hit", l2_hit),
	CYCLES("l3-hit", l3_hit),
	CYCLES("dram-extra", dram_extra),
	CYCLES("dtlb-miss", dtlb_miss),
	CYCLES("page-walk", page_walk),
	CYCLES("mispredict", mispredict),
	CYCLES("restart", restart),
	CYCLES("ghz", ghz),
	{ .key = NULL }
};

static int read_cycles(const struct scope *top, struct geometry *g)
{
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "cycles", cycle_fields, &present);

	if (!error && present)
		error = scope_read(&s, cycle_fields, &g->cycles);
	if (!error && present && yaml_get(s.map, "ghz") && g->cycles.ghz <= 0)
		error = scope_refuse(&s, "ghz", "'ghz' must be more than 0");
	return error;
}

int models_read(const struct scope *top, struct geometry *g)
{
	int error = read_prefetchers(top, g);

	if (!error)
		error = read_predictor(top, g);
	if (!error)
		error = read_page_map(top, g);
	return error ? error : read_cycles(top, g);
}

/* Appends a node to the expression and returns its index. */
static int node(struct expr *e, enum expr_op op, int left, int right)
{
	e->node[e->nodes] = (struct expr_node){ .op = (unsigned char)op,
						.left = left, .right = right,
						.name = -1 };
	return e->nodes++;
}

/* Adds constant * (signal a + signal b) to the sum; b < 0: signal a alone. */
static void add_term(struct expr *e, double constant, int a, int b)
{
	int number, sum;

	if (constant == 0)
		return;
	sum = node(e, EXPR_NAME, -1, -1);
	e->node[sum].name = a;
	if (b >= 0) {
		const int other = node(e, EXPR_NAME, -1, -1);

		e->node[other].name = b;
		sum = node(e, EXPR_ADD, sum, other);
	}
	number = node(e, EXPR_NUMBER, -1, -1);
	e->node[number].number = constant;
	sum = node(e, EXPR_MUL, number, sum);
	e->root = e->root < 0 ? sum : node(e, EXPR_ADD, e->root, sum);
}

void models_cycles(struct expr *out, const struct geometry *g)
{
	const struct cycle_model *c = &g->cycles;
	const double last = g->l3.present ? c->l3_hit :
			    g->l2.present ? c->l2_hit : c->l1_hit;

	*out = (struct expr){ .root = -1 };
	add_term(out, c->per_instruction, CPU_SIGNAL_instructions, -1);
	add_term(out, c->l1_hit, CPU_SIGNAL_served_l1, -1);
	add_term(out, c->l2_hit, CPU_SIGNAL_served_l2, -1);
	add_term(out, c->l3_hit, CPU_SIGNAL_served_l3, -1);
	add_term(out, last + c->dram_extra, CPU_SIGNAL_served_dram, -1);
	add_term(out, c->dtlb_miss, CPU_SIGNAL_dtlb_load_miss,
		 CPU_SIGNAL_dtlb_store_miss);
	add_term(out, c->page_walk, CPU_SIGNAL_walks_load,
		 CPU_SIGNAL_walks_store);
	add_term(out, c->mispredict, CPU_SIGNAL_mispredicts, -1);
	add_term(out, c->restart, CPU_SIGNAL_passes, -1);
}
