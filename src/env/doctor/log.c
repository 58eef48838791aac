/* SPDX-License-Identifier: MIT */
/* What the kernel itself has found out, if its log may be read. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "env/doctor/doctor.h"
#include "env/doctor/kernel-log.h"

static void say_seen(struct doctor *d, const struct log_seen *seen)
{
	const struct log_kind *k = seen->kind;
	char times[48] = "";

	if (seen->times > 1)
		snprintf(times, sizeof(times), " (%u such lines)",
			 seen->times);
	doctor_say(d, k->what, k->state, k->effect, k->cure, "%s%s",
		   seen->text, times);
}

void doctor_log(struct doctor *d)
{
	struct log_seen seen[LOG_KINDS];
	const int n = kernel_log_read(seen, d->probe.sysroot);

	for (int i = 0; i < n; i++)
		say_seen(d, &seen[i]);
	if (n == 0)
		doctor_say(d, "kernel log", "ok", "", "",
			   "no complaint about counters, clocks, heat or "
			   "hardware");
	else if (n < 0 && n != -ENOENT)
		doctor_say(d, "kernel log", "info", "what the kernel found "
			   "out by itself is not known",
			   "as root: sysctl kernel.dmesg_restrict=0",
			   "/dev/kmsg: %s", strerror(-n));
}
