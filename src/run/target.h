/* SPDX-License-Identifier: MIT */
/*
 * The target of a run, named by --on ("sim:cortex-a72"): a provider with its
 * configuration, the ISA, the caches (geometry), and the vocabulary of event
 * names.
 */
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
	struct cpu *cpu;	/* sim: the model; replay: the file of the
				 * core that was counted; or NULL. Owned */
	char model_of[ASSAY_NAME];	/* sim:host: the CPU file that the
					 * model is based on; else "" */
	const struct assay *assay;	/* perf: for loading .host */
	struct cpu *host;	/* perf: the file of this CPU, loaded when an
				 * event name first needs it; owned, or NULL */
	bool host_loaded;	/* .host was looked for */
	struct cpu_match match;	/* perf: this CPU's registers */
	struct geometry geometry;	/* of .cpu, with the page map; else of
					 * this machine */
	bool has_geometry;
	char page_map[ASSAY_NAME];	/* as in records; "" if not sim */
	char prefetchers[128];	/* sim: "prefetchers=on"; "": as in the CPU
				 * file */
	struct store saved;	/* replay: the records */
	struct store frames;	/* sim: the records of "recorded:FILE", which
				 * own the frames of the page map */
	struct events_target events;
	struct fault_set faults;	/* sim: planted faults */
	struct provider_config config;
};

/*
 * on: "perf", "pmuv3", "time", "null", "replay:FILE", or
 * "sim:CPU[,page-map=MAP]
 * [,fast-forward=off][,prefetchers=on|off|NAME+NAME...][,fault=FAULT]...".
 * page_map (or NULL) and no_fast_forward override what `on` says. Returns 0 or
 * an error, -ASSAY_EUNAVAIL if the provider cannot work here. *out points into
 * itself: it must not be moved. Free it with target_fini().
 */
int target_init(struct target *out, const struct assay *assay, const char *on,
		const char *page_map, bool no_fast_forward,
		struct assay_error *err);
void target_fini(struct target *target);

/* The vocabulary becomes this machine's events and those of its CPU file. */
void target_use_host(struct target *target, const struct assay *assay);

/* Prefetchers and faults as set: "prefetchers=off,fault=dead:X"; or "". */
void target_options_text(char *out, size_t room, const struct target *target);

/*
 * Sets a page map by one of page_map_names, with ":SEED" behind a random one.
 * "recorded:FILE" is not among them: its frames need a target as owner.
 */
int page_map_set(struct geometry *g, const char *text, struct assay_error *err);
void page_map_text(char *out, size_t room, const struct page_map *map);

/* Stands in the settings of a bare-metal record that the software PMU counted,
 * fed by the plugin. */
#define BARE_MODEL "watched-by=plugin"

/* All providers, NULL-terminated. */
extern const struct provider *const provider_table[];

#endif
