/* SPDX-License-Identifier: MIT */
/*
 * The writing end of a trace: a traced kernel writes accesses, branches,
 * instructions and passes through its port. site: which instruction of the
 * body; its pseudo PC in the trace is 4 * site. Freestanding.
 */
#ifndef KERNELS_ACCESS_H
#define KERNELS_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/access.h"

/* The address that the trace shows for p, an address in the arena. */
static inline uint64_t access_address(const struct access_trace *port,
				      const void *p)
{
	return port->base + ((uintptr_t)p - port->host);
}

static inline void access_note(struct access_trace *port,
			       enum access_kind kind, unsigned log2_bytes,
			       unsigned site, const void *p)
{
	access_put(port, access_pack(kind, log2_bytes, site,
				     access_address(port, p)));
}

/* A load whose data the body needs: of the word at p. */
static inline uint64_t access_load(struct access_trace *port, unsigned site,
				   const uint64_t *p)
{
	access_note(port, ACCESS_LOAD, 3, site, p);
	return *p;
}

/* One branch, `times` times in one direction; no record if times is 0. */
static inline void access_branch(struct access_trace *port, unsigned site,
				 bool taken, uint64_t times)
{
	if (times)
		access_put(port, access_pack(ACCESS_BRANCH,
					     taken ? ACCESS_TAKEN : 0, site,
					     times));
}

/* The branch that closes a loop of `times` rounds: all taken but the last. */
static inline void access_branch_run(struct access_trace *port, unsigned site,
				     uint64_t times)
{
	access_branch(port, site, true, times - 1);
	access_branch(port, site, false, 1);
}

/* Instructions that were executed since the last access_retire(). */
static inline void access_retire(struct access_trace *port,
				 uint64_t instructions)
{
	if (instructions)
		access_put(port, access_pack(ACCESS_RETIRE, 0, 0,
					     instructions));
}

/*
 * A loop of passes, each of which ends with one branch and has the given
 * instructions. All passes but the last make equal records, and the sink may
 * account for some of them by itself (access_pass()); the last pass ends with a
 * branch that is not taken.
 */
static inline void access_passes(struct access_trace *port, uint64_t passes,
				 unsigned site, uint64_t instructions,
				 void (*pass)(const void *ctx,
					      struct access_trace *port),
				 const void *ctx)
{
	uint64_t done = 0;

	while (done < passes) {
		bool last = ++done == passes;

		pass(ctx, port);
		access_branch(port, site, !last, 1);
		access_retire(port, instructions);
		done += access_pass(port, last ? 0 : passes - 1 - done);
	}
}

/* The counted function's return; instructions: those executed once per run. */
static inline void access_end(struct access_trace *port, unsigned site,
			      uint64_t instructions)
{
	access_branch(port, site, true, 1);
	access_retire(port, instructions);
	access_flush(port);
}

#endif
