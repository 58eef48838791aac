/* SPDX-License-Identifier: MIT */
/* A provider specification ("sim:cortex-a72") made ready for runs. */
#ifndef RUN_TARGET_H
#define RUN_TARGET_H

#include "run/handle.h"
#include "counters/fault.h"
#include "counters/provider.h"
#include "cpus/cpu.h"
#include "events/events.h"
#include "store/store.h"

struct target {
	const struct provider *provider;
	enum isa isa;			/* of the code that runs or is traced */
	struct cpu *cpu;		/* sim; else NULL */
	char model_of[ASSAY_NAME];	/* sim:host: the CPU file that it was made
				 * from; else "" */
	const struct assay *assay;	/* perf: for looking up the host */
	struct cpu *host;		/* perf: the file for this CPU, once a
					 * name asked for it; or NULL */
	bool looked;
	struct geometry geometry;	/* sim: with the page map; else host */
	bool has_geometry;
	char page_map[ASSAY_NAME];	/* as recorded; "" if not sim */
	char prefetchers[128];	/* sim: "prefetchers=on"; "": as in the CPU
				 * file */
	struct store saved;		/* replay */
	struct store placed;		/* sim: where the page map's frames
					 * come from */
	struct events_target events;
	struct fault_set faults;	/* sim */
	struct provider_config config;
};

/*
 * on: "perf", "sim:CPU[,page-map=MAP][,fast-forward=off]
 * [,prefetchers=on|off|NAME+NAME...][,fault=FAULT]...", "replay:FILE" or
 * "null". page_map
 * (NULL: what `on` or the CPU file says) and fast_forward
 * override. Fails with -ASSAY_EUNAVAIL and the reason if the provider cannot
 * work here. The target must not be moved after init.
 */
int target_init(struct target *out, const struct assay *assay, const char *on,
		const char *page_map, bool no_fast_forward,
		struct assay_error *err);
void target_fini(struct target *target);

/* Events of this machine, by the names of its CPU file too. */
void target_use_host(struct target *target, const struct assay *assay);

/* What else was set: "prefetchers=off,fault=dead:X"; "" if nothing was. */
void target_options_text(char *out, size_t room, const struct target *target);

/*
 * One of page_map_names, with ":SEED" behind a random one. ("recorded:FILE"
 * needs a target: its frames are owned by that.)
 */
int page_map_set(struct geometry *g, const char *text, struct assay_error *err);
void page_map_text(char *out, size_t room, const struct page_map *map);

/* Among the settings of records that the software PMU made of bare metal. */
#define BARE_MODEL "watched-by=plugin"

/* All providers, NULL-terminated. */
extern const struct provider *const provider_table[];

#endif
