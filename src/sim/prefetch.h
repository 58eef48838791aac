/* SPDX-License-Identifier: MIT */
/*
 * What prefetchers are made of, and those parts of their work that loops have
 * inlined: requests, and the stream prefetcher.
 */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "sim/state.h"

#define PREFETCH_INLINE static inline __attribute__((always_inline))

#define REQUESTS 1024
#define BUCKETS 4096

struct stride {
	uint32_t pc, sure;
	uint64_t line, stride;
};

struct prefetcher {
	struct prefetch_geometry g;
	uint32_t window, degree, distance, next;
	uint64_t *line;		/* stream: a ring */
	uint16_t *stamp;	/* ... `trained` before a bucket's newest line */
	uint16_t trained;	/* ... lines ever, modulo 2^16 */
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
	struct request request[REQUESTS];
};

/* prefetch.c: is the line in the ring? */
bool stream_search(const struct prefetcher *p, uint64_t line);

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
	if (prefetch_allowed(s, p, from, line) && s->requests < REQUESTS)
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

/*
 * A line of the ring has a stamp of its bucket that is at most the window ago;
 * so may have others, as stamps wrap.
 */
PREFETCH_INLINE bool stream_has(const struct prefetcher *p, uint64_t line)
{
	const uint32_t age = (uint16_t)(p->trained - *stream_bucket(p, line));
	const uint32_t at = p->next + (p->next < age ? p->window : 0) - age;

	return age && age <= p->window &&
	       (p->line[at] == line || stream_search(p, line));
}

/* Which way the stream goes that a line is in, 0: it is in none. */
PREFETCH_INLINE uint64_t stream_direction(const struct prefetcher *p,
					  uint64_t line)
{
	return stream_has(p, line - 1) ? 1 :
	       stream_has(p, line + 1) ? UINT64_MAX : 0;
}

/* One more training line; which way its stream goes. */
PREFETCH_INLINE uint64_t stream_step(struct prefetcher *p, uint64_t line)
{
	const uint64_t step = stream_direction(p, line);

	p->line[p->next] = line;
	*stream_bucket(p, line) = p->trained++;
	p->next = p->next + 1 == p->window ? 0 : p->next + 1;
	return step;
}

#endif
