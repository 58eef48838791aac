/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A block of the program is left in the middle only where an access faults.
 * QEMU learns of it by a signal; so do we, first. If QEMU's handler comes
 * back, it has made the access possible, and nothing was left.
 */
#define _GNU_SOURCE	/* REG_ERR */
#include <signal.h>
#include <ucontext.h>

#include "plugin/callbacks/fault.h"
#include "plugin/callbacks/guest.h"
#include "plugin/capture/raw.h"

enum { SIGNALS_OF_FAULTS = 2, IS_WRITE = 2 };

static const int signals[SIGNALS_OF_FAULTS] = { SIGSEGV, SIGBUS };
static struct sigaction before[SIGNALS_OF_FAULTS];

/* Whose code it was; NULL: that of none that runs such blocks. */
static struct lane *lane_at(const ucontext_t *user)
{
	const uint64_t *state = (void *)user->uc_mcontext.gregs[REG_RBP];

	for (unsigned i = 0; i < LANES; i++)
		if (session.lane[i] && session.lane[i]->ahead.state == state)
			return session.lane[i];
	return NULL;
}

static struct fault fault_of(const siginfo_t *info, const ucontext_t *user)
{
	return (struct fault){
		.address = guest_address(info->si_addr),
		.nowhere = info->si_code == SI_KERNEL,
		.store = user->uc_mcontext.gregs[REG_ERR] & IS_WRITE
	};
}

static void call_before(int signal, siginfo_t *info, void *context)
{
	before[signal == signals[1]].sa_sigaction(signal, info, context);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	struct lane *lane = lane_at(context);
	const struct fault fault = fault_of(info, context);

	if (!lane || info->si_code <= 0) {
		call_before(signal, info, context);
		return;
	}
	raw_fault(lane, &fault);
	call_before(signal, info, context);
	raw_unfault(lane);
}

void fault_watch(void)
{
	struct sigaction ours;

	for (int i = 0; i < SIGNALS_OF_FAULTS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		ours = before[i];
		ours.sa_sigaction = on_fault;
		sigaction(signals[i], &ours, NULL);
	}
}
