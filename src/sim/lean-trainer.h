/* SPDX-License-Identifier: MIT */
/*
 * What prefetchers know of a level's list while it goes by, a lone stream
 * prefetcher's window in fields of their own: a part of lean-train.h.
 */
#ifndef SIM_LEAN_TRAINER_H
#define SIM_LEAN_TRAINER_H

#include "sim/prefetch.h"

/*
 * The prefetchers while a list goes by. What one entry makes them ask for waits
 * for the end of its step: requests, or a lone stream prefetcher's next ones,
 * which are in no list then.
 */
struct trainer {
	struct sim *sim;
	struct prefetcher *stream;	/* the lone one, or NULL */
	uint64_t line, step;	/* its newest line; 0: it wants nothing */
	uint64_t page;		/* bits of lines that may not change */
	uint64_t message;	/* message_core */
	uint64_t *ring;		/* its fields, at hand */
	uint16_t *stamp, trained, mask;
	uint32_t window, degree, distance;
};

LEAN_INLINE struct trainer trainer_of(struct sim *sim)
{
	struct prefetcher *p = sim->prefetchers->lone_stream;
	struct trainer w = { .sim = sim, .stream = p };

	if (!p)
		return w;
	w.line = p->line[(p->trained - 1) & p->mask];
	w.page = p->g.page_bounded ?
		 ~UINT64_C(0) << (PAGE_BITS - sim->line_shift) : 0;
	w.message = sim->message_core;
	w.ring = p->line;
	w.stamp = p->stamp;
	w.trained = p->trained;
	w.mask = p->mask;
	w.window = p->window;
	w.degree = p->degree;
	w.distance = p->distance;
	return w;
}

LEAN_INLINE void trainer_end(struct trainer *w)
{
	if (!w->stream)
		return;
	w->sim->message_core = w->message;
	w->stream->trained = w->trained;
	prefetchers_ask(w->sim, w->stream, w->line, w->step);
}

/* May the ring have one of the line's neighbours? */
LEAN_INLINE bool neighboured(const struct trainer *w, uint64_t line)
{
	const uint16_t age = w->trained - w->stamp[line % BUCKETS];

	return age <= w->window;
}

/* As stream_add. */
LEAN_INLINE void add_line(struct trainer *w, uint64_t line)
{
	w->ring[w->trained & w->mask] = line;
	w->stamp[(line - 1) % BUCKETS] = w->trained;
	w->stamp[(line + 1) % BUCKETS] = w->trained++;
}

/* 8 lines in a row. */
LEAN_INLINE void add_8_lines(struct trainer *w, uint64_t line)
{
	const uint64_t bucket = line % BUCKETS;
	const uint32_t at = w->trained & w->mask;
	uint64_t *ring = w->ring + at;
	uint16_t *stamp = w->stamp + bucket;

	if (at + 7 > w->mask || !bucket || bucket + 8 >= BUCKETS) {
		for (int i = 0; i < 8; i++)
			add_line(w, line + (uint64_t)i);
		return;
	}
	for (int i = 0; i < 8; i++)
		ring[i] = line + (uint64_t)i;
	for (int i = 0; i < 8; i++)
		stamp[i - 1] = (uint16_t)(w->trained + i);
	stamp[7] = (uint16_t)(w->trained + 6);
	stamp[8] = (uint16_t)(w->trained + 7);
	w->trained = (uint16_t)(w->trained + 8);
}

/* As prefetchers_train and stream_step. */
LEAN_INLINE void train_stream(struct trainer *w, uint32_t key)
{
	const uint64_t line = key >> 3;

	if (w->sim->watched)
		w->message = words_hash(w->message, line << 2 | 2);
	else
		w->message = 1;
	if (line == w->line + 1) {
		w->step = 1;
	} else if (neighboured(w, line)) {
		w->stream->trained = w->trained;
		w->step = stream_direction(w->stream, line);
	}
	w->line = line;
	add_line(w, line);
}

/* Are the next 8 entries loads of the lines after the newest one? */
LEAN_INLINE bool goes_on(const struct trainer *w, const uint32_t *in)
{
	const uint32_t key = (uint32_t)(w->line + 1) << 3;
	uint32_t differ = 0;

	for (uint32_t i = 0; i < 8; i++)
		differ |= in[i] ^ (key + 8 * i);
	return !differ;
}

#endif
