/* SPDX-License-Identifier: MIT */
/*
 * What a body does to memory and to the program counter, written once: with a
 * port the access is also put into the trace, with a NULL constant it is the
 * bare access and nothing of the port remains.
 */
#ifndef KERNELS_ACCESS_H
#define KERNELS_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/access.h"

#define KERNELS_INLINE static inline __attribute__((always_inline))

/* The address as the trace shows it. */
KERNELS_INLINE uint64_t access_address(const struct access_trace *port,
				       const void *p)
{
	return port->base + ((uintptr_t)p - port->host);
}

KERNELS_INLINE uint64_t access_load(struct access_trace *port, unsigned site,
				    const uint64_t *p)
{
	if (port)
		access_put(port, access_pack(ACCESS_LOAD, 3, site,
					     access_address(port, p)));
	return *(const volatile uint64_t *)p;
}

/* An access whose value the body does not need. */
KERNELS_INLINE void access_note(struct access_trace *port,
				enum access_kind kind, unsigned log2_bytes,
				unsigned site, const void *p)
{
	if (port)
		access_put(port, access_pack(kind, log2_bytes, site,
					     access_address(port, p)));
}

/* The same branch, `times` times in one direction; 0 times is no record. */
KERNELS_INLINE void access_branch(struct access_trace *port, unsigned site,
				  bool taken, uint64_t times)
{
	if (port && times)
		access_put(port, access_pack(ACCESS_BRANCH,
					     taken ? ACCESS_TAKEN : 0, site,
					     times));
}

/* The branch that closes a loop of `times` rounds: all taken but the last. */
KERNELS_INLINE void access_branch_run(struct access_trace *port, unsigned site,
				      uint64_t times)
{
	access_branch(port, site, true, times - 1);
	access_branch(port, site, false, 1);
}

KERNELS_INLINE void access_retire(struct access_trace *port,
				  uint64_t instructions)
{
	if (port && instructions)
		access_put(port, access_pack(ACCESS_RETIRE, 0, 0,
					     instructions));
}

/*
 * A loop of passes that one branch closes. All passes but the last are the
 * same records, and the sink may take some of them over; the last one ends
 * with a branch that is not taken.
 */
KERNELS_INLINE void access_passes(struct access_trace *port, uint64_t passes,
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

/* The return of the function that was counted, and all else it did once. */
KERNELS_INLINE void access_end(struct access_trace *port, unsigned site,
			       uint64_t instructions)
{
	access_branch(port, site, true, 1);
	access_retire(port, instructions);
	access_flush(port);
}

#endif
