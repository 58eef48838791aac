/* SPDX-License-Identifier: MIT */
/* ^C: the first one lets what is at work end in order, the second one kills. */
#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>

/* A signal handler has nothing else to write to. */
static volatile sig_atomic_t seen;

static void on_signal(int number)
{
	(void)number;
	seen = 1;
}

/* Who runs us in the background, or by nohup, wants us to go on. */
static void unless_ignored(int number, const struct sigaction *action)
{
	struct sigaction old;

	sigaction(number, action, &old);
	if (old.sa_handler == SIG_IGN)
		sigaction(number, &old, NULL);
}

static void catch(int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	action.sa_flags = flags | SA_RESETHAND;
	unless_ignored(SIGINT, &action);
	unless_ignored(SIGTERM, &action);
}

void interrupt_catch(void)
{
	catch(SA_RESTART);
}

void interrupt_catch_waiting(void)
{
	catch(0);
}

bool interrupt_seen(void)
{
	return seen;
}
