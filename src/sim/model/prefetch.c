/* SPDX-License-Identifier: MIT */
/*
 * Hardware prefetchers. Each is trained by one level: by its misses, and by
 * the first use of a line that was prefetched into it. L1D's see virtual line
 * numbers, L2's physical ones. Requests go out when the access that caused
 * them is done, and train nobody.
 *
 *   next line	lines distance .. distance + degree - 1 ahead (distance >= 1)
 *   adjacent	the other line of an aligned pair
 *   stream	the last `window` training lines; one whose neighbour is among
 *		them asks for lines distance ahead, in that direction
 *   IP stride	`window` instructions with their last line and stride in
 *		lines; asks once a stride was seen three times in a row
 *
 * One that is not bounded by pages may cross into the next virtual page; if it
 * belongs to L1D, it then brings the page into the data TLB.
 */
#include "sim/engine/engine.h"
#include "sim/model/prefetch.h"

#define MOST_WINDOW 4096
#define MOST_DEGREE 32
#define MOST_DISTANCE 4096
#define SURE 2

static const char *refusal(const struct geometry *g,
			   const struct prefetch_geometry *p)
{
	const bool table = p->kind == PREFETCH_STREAM ||
			   p->kind == PREFETCH_IP_STRIDE;

	if ((unsigned)p->kind >= PREFETCH_KINDS)
		return "a prefetcher's kind is unknown";
	if (p->trains_on < 1 || p->trains_on > 2 || p->fills < p->trains_on ||
	    p->fills > 2)
		return "a prefetcher trains on or fills a level that is not 1 or 2, or one above";
	if (!g->l2.present && (p->trains_on == 2 || p->fills == 2))
		return "a prefetcher of L2 needs an L2";
	if (table && (!p->window || p->window > MOST_WINDOW))
		return "a prefetcher's window is not 1 to 4096 entries";
	if (p->degree > MOST_DEGREE || p->distance > MOST_DISTANCE)
		return "a prefetcher's degree is above 32 or its distance above 4096 lines";
	return p->percent > 100 ? "a prefetcher's percentage is above 100" :
				  NULL;
}

const char *prefetchers_refusal(const struct geometry *g)
{
	const char *why = NULL;

	if (g->prefetchers > GEOMETRY_PREFETCHERS)
		return "there are more than 8 prefetchers";
	for (uint32_t i = 0; i < g->prefetchers && !why; i++)
		why = refusal(g, &g->prefetcher[i]);
	return why;
}

bool prefetchers_train_on(const struct geometry *g, unsigned level)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on && g->prefetcher[i].trains_on == level)
			return true;
	return false;
}

bool prefetchers_cross_pages(const struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on && g->prefetcher[i].trains_on == 1 &&
		    !g->prefetcher[i].page_bounded)
			return g->dtlb.present;
	return false;
}

/* A power of two, at least the window. */
static uint32_t ring_size(uint32_t window)
{
	uint32_t size = 1;

	while (size < window)
		size *= 2;
	return size;
}

static void build_one(struct prefetcher *p, const struct prefetch_geometry *g,
		      struct carve *c)
{
	struct prefetcher built = {
		.g = *g, .window = g->window,
		.degree = g->degree ? g->degree : 1,
		.distance = g->distance ? g->distance : 1,
	};

	if (g->kind == PREFETCH_STREAM) {
		built.mask = (uint16_t)(ring_size(g->window) - 1);
		built.line = carve_take(c, ((size_t)built.mask + 1) * 8);
		built.stamp = carve_take(c, BUCKETS * sizeof(*built.stamp));
	}
	if (g->kind == PREFETCH_IP_STRIDE)
		built.stride = carve_take(c, g->window *
					     sizeof(*built.stride));
	if (p)
		*p = built;
}

/* Those that train on a level, after `count` others; the new count. */
static uint32_t build_level(struct prefetchers *p, const struct geometry *g,
			    unsigned level, uint32_t count, struct carve *c)
{
	for (uint32_t i = 0; i < g->prefetchers; i++) {
		const struct prefetch_geometry *one = &g->prefetcher[i];

		if (!one->on || one->trains_on != level)
			continue;
		build_one(p ? &p->one[count] : NULL, one, c);
		count++;
	}
	return count;
}

/* What those that train on a level ask for at once, at most. */
static uint32_t most_of_level(const struct geometry *g, unsigned level)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < g->prefetchers; i++) {
		const struct prefetch_geometry *one = &g->prefetcher[i];

		if (one->on && one->trains_on == level)
			most += one->degree ? one->degree : 1;
	}
	return most;
}

/*
 * A step trains each level once at most. While its requests are issued, those
 * of L1D may walk, and each descriptor that is read train L2 once; walks train
 * L1D never, and prefetches nobody.
 */
static uint32_t most_requests(const struct geometry *g)
{
	const uint32_t near = most_of_level(g, 1), far = most_of_level(g, 2);
	const uint32_t reads = prefetchers_cross_pages(g) ?
			       g->walker.levels : 0;

	return near + far + near * reads * far;
}

struct prefetchers *prefetchers_build(const struct geometry *g,
				      struct carve *c)
{
	const uint32_t room = most_requests(g);
	struct prefetchers *p = carve_take(c, sizeof(*p) + room *
					      sizeof(p->request[0]));
	const uint32_t of_l1d = build_level(p, g, 1, 0, c);
	const uint32_t count = build_level(p, g, 2, of_l1d, c);

	if (p) {
		p->of_l1d = of_l1d;
		p->count = count;
		p->room = room;
		p->lone_stream = count == of_l1d + 1 &&
				 p->one[of_l1d].g.kind == PREFETCH_STREAM &&
				 !p->one[of_l1d].g.percent ?
				 &p->one[of_l1d] : NULL;
	}
	return p;
}

/* A line number that is none, nor next to one. */
#define NO_LINE (UINT64_C(1) << 63)

/* As if as many lines as there is room for had come that are none. */
static void reset_stream(struct prefetcher *p)
{
	for (uint32_t i = 0; i <= p->mask; i++)
		p->line[i] = NO_LINE;
	words_fill((uint32_t *)p->stamp, 0, BUCKETS / 2);
	p->trained = MOST_WINDOW + 1;
	stream_add(p, NO_LINE);
}

static void reset_strides(struct prefetcher *p)
{
	for (uint32_t i = 0; i < p->window; i++) {
		p->stride[i] = (struct stride){ .line = NO_LINE };
		WORDS_OWN_LOOP();
	}
}

void prefetchers_reset(struct prefetchers *p)
{
	for (uint32_t i = 0; i < p->count; i++) {
		struct prefetcher *one = &p->one[i];

		if (one->line)
			reset_stream(one);
		if (one->stride)
			reset_strides(one);
	}
}

/* The line that came `age` ago. */
static uint64_t line_before(const struct prefetcher *p, uint32_t age)
{
	return p->line[(p->trained - age) & p->mask];
}

/* The window from its oldest line on, so that equal ones hash alike. */
static uint64_t hash_one(const struct prefetcher *p, uint64_t hash)
{
	for (uint32_t age = p->line ? p->window : 0; age; age--)
		hash = words_hash(hash, line_before(p, age));
	for (uint32_t i = 0; p->stride && i < p->window; i++) {
		const struct stride *e = &p->stride[i];

		hash = words_hash(hash, (uint64_t)e->pc << 32 | e->sure);
		hash = words_hash(hash, e->line);
		hash = words_hash(hash, e->stride);
	}
	return hash;
}

uint64_t prefetchers_hash(const struct prefetchers *p)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < p->count; i++)
		hash = hash_one(&p->one[i], hash);
	return hash;
}

/* Does a prefetcher go after strides as long as this one, in lines? */
static bool follows(const struct sim *s, const struct prefetcher *p,
		    uint64_t stride)
{
	const uint64_t lines = stride >> 63 ? 0 - stride : stride;

	return !p->g.longest_stride ||
	       lines <= p->g.longest_stride >> s->line_shift;
}

static void train_stride(struct sim *s, struct prefetcher *p, uint64_t line,
			 uint32_t pc)
{
	struct stride *e = &p->stride[(pc >> 2) % p->window];
	const uint64_t stride = line - e->line;

	if (e->pc != pc) {
		*e = (struct stride){ .pc = pc, .line = line };
		return;
	}
	if (!stride)
		return;
	if (stride == e->stride)
		e->sure += e->sure < SURE;
	else
		e->sure = 0;
	e->stride = stride;
	e->line = line;
	if (e->sure == SURE && follows(s, p, stride))
		prefetchers_ask(s, p, line, stride);
}

uint64_t stream_search(const struct prefetcher *p, uint64_t line)
{
	uint64_t step = 0;

	for (uint32_t age = 1; age <= p->window; age++) {
		if (line_before(p, age) == line - 1)
			return 1;
		if (line_before(p, age) == line + 1)
			step = UINT64_MAX;
	}
	return step;
}

/* Is the line not among the percentage that may trigger it? */
static __attribute__((noinline)) bool spared(const struct prefetcher *p,
					     uint64_t line)
{
	return words_mix(line >> 1) % 100 >= p->g.percent;
}

static void train_other(struct sim *s, struct prefetcher *p, uint64_t line,
			uint32_t pc)
{
	switch (p->g.kind) {
	case PREFETCH_NEXT_LINE:
		prefetchers_ask(s, p, line, 1);
		break;
	case PREFETCH_ADJACENT_PAIR:
		if (!(p->g.upward_only && line & 1))
			prefetchers_request(s, p, line, line ^ 1);
		break;
	case PREFETCH_IP_STRIDE:
		train_stride(s, p, line, pc);
		break;
	default:
		break;
	}
}

void prefetchers_train(struct sim *s, unsigned level, uint64_t line,
		       uint32_t pc)
{
	struct prefetchers *all = s->prefetchers;
	struct prefetcher *p = all->one + (level == 2 ? all->of_l1d : 0);
	const struct prefetcher *end = all->one + (level == 2 ? all->count :
							all->of_l1d);

	s->message_core = s->watched ?
		words_hash(s->message_core, line << 2 | level) : 1;
	if (level == 1 && s->watched)
		s->message_core = words_hash(s->message_core, pc);
	for (; p < end; p++) {
		if (p->g.percent && spared(p, line))
			continue;
		if (p->g.kind == PREFETCH_STREAM)
			prefetchers_ask(s, p, line, stream_step(p, line));
		else
			train_other(s, p, line, pc);
	}
}

static void issue(struct sim *s, const struct request *r)
{
	const unsigned shift = PAGE_BITS - s->line_shift;
	const struct prefetch_geometry *g = &r->by->g;
	const struct page_slot *slot;
	uint64_t line = r->line;

	if (g->trains_on == 1) {
		if (line >= UINT64_C(1) << (ACCESS_OPERAND_BITS -
					    s->line_shift))
			return;
		if (line >> shift != r->from >> shift && s->has_dtlb) {
			slot = pages_slot(&s->pages, line >> shift);
			s->engine->translate(s, slot->virt);
		}
		slot = pages_slot(&s->pages, line >> shift);
		line = (uint64_t)slot->frame << shift |
		       (line & ((1u << shift) - 1));
	}
	if (line < LEVEL_EMPTY >> 3)
		s->engine->prefetch(s, (uint32_t)line << 3, g->trains_on,
				    g->fills);
}

void prefetchers_issue(struct sim *s)
{
	struct prefetchers *p = s->prefetchers;

	for (uint32_t i = 0; i < s->requests; i++) {
		const struct request r = p->request[i];

		issue(s, &r);
	}
	s->requests = 0;
}
