/* SPDX-License-Identifier: MIT */
/* Tracepoints, SYSTEM:NAME; tracefs has their numbers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "events/resolvers.h"

static const char *const folders[] = {
	"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events",
};

static bool is_word(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!islower((unsigned char)text[i]) &&
		    !isdigit((unsigned char)text[i]) && text[i] != '_' &&
		    !isupper((unsigned char)text[i]) && text[i] != '-')
			return false;
	return length > 0;
}

static int stop(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return 1;
}

/* The first tracefs that can be read, or NULL. */
static const char *tracefs(const char *sysroot)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (sysfile_visit(sysroot, folders[i], stop, NULL) == 1)
			return folders[i];
	return NULL;
}

/* A tracepoint of a machine whose tracefs cannot be read. */
static int unreadable(struct encoding *out, const char *system)
{
	/* Without tracefs no name can be checked: only the names of common
	 * systems are taken for tracepoints. */
	static const char *const common[] = {
		"sched", "syscalls", "raw_syscalls", "irq", "kmem", "block",
		"ext4", "net", "signal", "timer", "power", "exceptions",
		"writeback", "workqueue", "migrate", "compaction", "task",
		"tlb", "vmscan", "filemap", "huge_memory", "kvm", "msr",
		"irq_vectors", "page_pool", "mm", "cgroup", NULL
	};

	for (int i = 0; common[i]; i++)
		if (!strcmp(common[i], system)) {
			snprintf(out->absent, sizeof(out->absent),
				 "tracefs is not readable; as root: mount -t "
				 "tracefs tracefs /sys/kernel/tracing");
			return FOUND;
		}
	return NOT_MINE;
}

int tracepoint_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err)
{
	const char *colon = strchr(name, ':'), *folder;
	char text[32], system[ASSAY_NAME];

	(void)err;
	if (!colon || !is_word(name, (size_t)(colon - name)) ||
	    !is_word(colon + 1, strlen(colon + 1)))
		return NOT_MINE;
	text_copy(system, sizeof(system), name);
	system[colon - name] = '\0';
	out->family = ENCODING_TRACEPOINT;
	folder = tracefs(target->sysroot);
	if (!folder)
		return unreadable(out, system);
	if (sysfile_text(text, sizeof(text), target->sysroot, "%s/%s/%s/id",
			folder, system, colon + 1) <= 0)
		return NOT_MINE;
	out->config = strtoull(text, NULL, 10);
	snprintf(out->code, sizeof(out->code), "tracepoint:%llu",
		 (unsigned long long)out->config);
	if (out->scope == ENCODING_USER)
		snprintf(out->absent, sizeof(out->absent), "tracepoints are "
			 "in the kernel: with :u nothing would be counted");
	return FOUND;
}

/* The arguments of tracepoint_names. */
struct listing {
	const char *sysroot, *folder, *system;
	event_name_fn *fn;
	void *ctx;
};

static int list_event(void *ctx, const char *name)
{
	const struct listing *l = ctx;
	char full[512];

	if (!strcmp(name, "enable") || !strcmp(name, "filter"))
		return 0;
	snprintf(full, sizeof(full), "%s:%s", l->system, name);
	return l->fn(l->ctx, &(struct event_name){ full, "tracepoint", "", "",
						   NULL });
}

static int list_system(void *ctx, const char *system)
{
	struct listing *l = ctx;
	char folder[512];
	int rc;

	/* The kernel counts no entry of ftrace's own system. */
	if (!strcmp(system, "ftrace"))
		return 0;
	snprintf(folder, sizeof(folder), "%s/%s", l->folder, system);
	l->system = system;
	rc = sysfile_visit(l->sysroot, folder, list_event, l);
	return rc < 0 ? 0 : rc;	/* a file, not a folder */
}

int tracepoint_names(const struct events_target *target, event_name_fn *fn,
		     void *ctx)
{
	struct listing listing = {
		.sysroot = target->sysroot,
		.folder = tracefs(target->sysroot), .fn = fn, .ctx = ctx,
	};
	int rc;

	if (!listing.folder)
		return 0;
	rc = sysfile_visit(target->sysroot, listing.folder, list_system,
			   &listing);
	return rc < 0 ? 0 : rc;
}
