/* SPDX-License-Identifier: MIT */
/*
 * A program for x86-64 that signals reach in a short block of code, after a
 * long one that ends with a return.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

enum { ALARMS = 100 };

static volatile int alarms;

static void count(int number)
{
	(void)number;
	alarms++;
}

/* Stores once. */
__attribute__((noinline)) static void await_alarm(int before)
{
	__asm__ volatile("call 1f\n"
			 "jmp 2f\n"
			 "1: .fill 100, 1, 0x90\n"
			 "ret\n"
			 "2: cmp %1, %0\n"
			 "je 2b\n"
			 :: "m"(alarms), "r"(before) : "cc", "memory");
}

int main(void)
{
	const struct timeval often = { 0, 1000 };
	const struct itimerval timer = { often, often };

	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &timer, NULL);
	for (int i = 0; i < ALARMS; i++)
		await_alarm(i);
	return 0;
}
