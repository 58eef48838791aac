/* SPDX-License-Identifier: MIT */
/*
 * What prefetchers are made of, and those parts of their work that loops have
 * inlined: requests, and the stream prefetcher.
 */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "sim/state.h"

#define PREFETCH_INLINE static inline __attribute__((always_inline))

#define BUCKETS 4096

struct stride {
	uint32_t pc, sure;
	uint64_t line, stride;
};

struct prefetcher {
	struct prefetch_geometry g;
	uint32_t window, degree, distance;
	/* stream: lines ever, modulo 2^16, and where the last ones are */
	uint16_t trained, mask;
	uint64_t *line;		/* ... the n-th one at n & mask */
	/* ... `trained` before the newest neighbour of a bucket's lines */
	uint16_t *stamp;
	struct stride *stride;
};

/* Not issued yet: sim.requests of them. */
struct request {
	uint64_t line, from;
	const struct prefetcher *by;
};

struct prefetchers {
	uint32_t count;
	uint32_t of_l1d;	/* the first so many train on L1D, others on L2 */
	struct prefetcher one[GEOMETRY_PREFETCHERS];
	/* The only one that trains on L2, if it is such a one; or NULL. */
	struct prefetcher *lone_stream;
	uint32_t room;		/* never too little: most_requests() */
	struct request request[];
};

/* prefetch.c: as stream_direction, by a look at all lines. */
uint64_t stream_search(const struct prefetcher *p, uint64_t line);

PREFETCH_INLINE bool prefetch_allowed(const struct sim *s,
				      const struct prefetcher *p,
				      uint64_t from, uint64_t line)
{
	return !(p->g.page_bounded &&
		 (line ^ from) >> (PAGE_BITS - s->line_shift));
}

static inline void prefetchers_request(struct sim *s,
				       const struct prefetcher *p,
				       uint64_t from, uint64_t line)
{
	if (prefetch_allowed(s, p, from, line) &&
	    s->requests < s->prefetchers->room)
		s->prefetchers->request[s->requests++] = (struct request){
			line, from, p
		};
}

/* `degree` lines, the first `distance` steps away; no step, no lines. */
static inline void prefetchers_ask(struct sim *s, const struct prefetcher *p,
				   uint64_t line, uint64_t step)
{
	if (!step)
		return;
	for (uint32_t i = 0; i < p->degree; i++)
		prefetchers_request(s, p, line,
				    line + step * (p->distance + i));
}

PREFETCH_INLINE uint16_t *stream_bucket(const struct prefetcher *p,
					uint64_t line)
{
	return &p->stamp[line % BUCKETS];
}

/* How many lines ago the newest neighbour came, if the ring has one. */
PREFETCH_INLINE uint32_t stream_age(const struct prefetcher *p, uint64_t line)
{
	return (uint16_t)(p->trained - *stream_bucket(p, line));
}

/*
 * Which way the stream goes that a line is in, 0: it is in none. Where the ring
 * has a neighbour, its age is at most the window; so may others be, as stamps
 * wrap.
 */
PREFETCH_INLINE uint64_t stream_direction(const struct prefetcher *p,
					  uint64_t line)
{
	const uint32_t age = stream_age(p, line);
	const uint32_t at = *stream_bucket(p, line) & p->mask;

	if (!age || age > p->window)
		return 0;
	if (p->line[at] == line - 1)
		return 1;
	/* line - 1 would be a neighbour of line - 2, too */
	if (p->line[at] == line + 1 && stream_age(p, line - 2) > p->window)
		return UINT64_MAX;
	return stream_search(p, line);
}

/* The line is the newest now. */
PREFETCH_INLINE void stream_add(struct prefetcher *p, uint64_t line)
{
	p->line[p->trained & p->mask] = line;
	*stream_bucket(p, line - 1) = p->trained;
	*stream_bucket(p, line + 1) = p->trained++;
}

/* One more training line; which way its stream goes. */
PREFETCH_INLINE uint64_t stream_step(struct prefetcher *p, uint64_t line)
{
	const uint64_t step = stream_direction(p, line);

	stream_add(p, line);
	return step;
}

#endif
