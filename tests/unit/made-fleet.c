/* SPDX-License-Identifier: MIT */
/* Each value is drawn by a hash of seed, node, size and event. */
#include "made-fleet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/record.h"

/* splitmix64 */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static double uniform(uint64_t x)
{
	return ((double)(mix(x) >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

static double normal(uint64_t x)
{
	return sqrt(-2 * log(uniform(2 * x))) *
	       cos(6.283185307179586 * uniform(2 * x + 1));
}

bool made_is_slow(const struct made *m, unsigned node)
{
	return m->one_of && node % m->one_of == m->one_of / 2;
}

void made_name(char out[16], unsigned node)
{
	snprintf(out, 16, "n%05u", node);
}

static bool is_slow_here(const struct made *m, unsigned node, unsigned size)
{
	const unsigned first = (unsigned)(mix(m->seed ^ node) % m->sizes);

	if (!made_is_slow(m, node))
		return false;
	for (unsigned i = 0; i < m->slow_sizes; i++)
		if (size == (m->scattered ?
			     (first + i * (m->sizes / 3)) % m->sizes :
			     first % (m->sizes - m->slow_sizes + 1) + i))
			return true;
	return false;
}

static void set_shape(struct assay_shape *s, unsigned size)
{
	strcpy(s->kernel, "chase");
	s->options = 2;
	s->option[0] = (struct assay_shape_value){
		.name = "elements", .kind = ASSAY_OPTION_COUNT,
		.value = (int64_t)exp2(5 + size / 4.0),
	};
	s->option[1] = (struct assay_shape_value){
		.name = "order", .kind = ASSAY_OPTION_CHOICE, .value = 2,
		.word = "shuffled",
	};
}

struct assay_record *made_record(const struct made *m, unsigned node,
				 unsigned size)
{
	struct assay_record *r = record_new(m->events, 1);

	if (!r)
		return NULL;
	strcpy(r->provider, "time");
	strcpy(r->machine.cpu, "a made-up CPU");
	strcpy(r->machine.isa, "x86-64");
	strcpy(r->machine.microcode, made_is_slow(m, node) ? "0x461" : "0x590");
	made_name(r->place.node, node);
	strcpy(r->place.job, "1");
	r->place.rank = (int)node;
	set_shape(&r->shape, size);
	for (unsigned e = 0; e < m->events; e++) {
		const uint64_t at = ((m->seed * 65537 + node) * 1009 + size) *
				    67 + e;
		const double off = (is_slow_here(m, node, size) ? m->slow : 0)
				   + m->noise * normal(at);

		snprintf(r->event[e].name, ASSAY_NAME, "event.%u", e);
		r->counts[e] = (struct assay_count){
			.value = (uint64_t)(1e6 * (1 + size * size / 60.0) *
					    (1 + off)),
			.enabled = 1, .running = 1,
			.state = ASSAY_COUNT_PRESENT,
		};
	}
	r->ns[0] = 1000;
	return r;
}
