/* SPDX-License-Identifier: MIT */
/*
 * Vendors' event names, from libpfm4's tables.
 *
 * libpfm4 knows the tables of CPUs that are not this one only if the
 * environment says LIBPFM_ENCODE_INACTIVE before pfm_initialize. vendor_ready()
 * sets the variable for that call and removes it again, unless the user had set
 * it. The first call into this file must therefore not race with getenv in
 * another thread; pfm_initialize keeps its state for the process.
 *
 * libpfm4 calls a PMU present by CPUID alone; the provider finds out whether
 * the kernel drives the PMU.
 */
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "events/resolvers.h"
#include "events/vendor.h"

static const char inactive[] = "LIBPFM_ENCODE_INACTIVE";

bool vendor_ready(void)
{
	const bool given = getenv(inactive) != NULL;
	int rc;

	if (!given)
		setenv(inactive, "1", 0);
	rc = pfm_initialize();
	if (!given)
		unsetenv(inactive);
	return rc == PFM_SUCCESS;
}

/* The table that an event belongs to. */
static bool pmu_of(pfm_pmu_info_t *out, int event)
{
	pfm_event_info_t info = { .size = sizeof(info) };

	memset(out, 0, sizeof(*out));
	out->size = sizeof(*out);
	return pfm_get_event_info(event, PFM_OS_NONE, &info) == PFM_SUCCESS &&
	       pfm_get_pmu_info(info.pmu, out) == PFM_SUCCESS;
}

/* Only characters that libpfm4's names are made of. */
static bool is_name(const char *name)
{
	return name[0] && strspn(name, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789_.:=-") == strlen(name);
}

static void set_family(struct encoding *out, const struct perf_event_attr *a)
{
	static const enum encoding_family families[] = {
		[PERF_TYPE_HARDWARE] = ENCODING_HARDWARE,
		[PERF_TYPE_SOFTWARE] = ENCODING_SOFTWARE,
		[PERF_TYPE_TRACEPOINT] = ENCODING_TRACEPOINT,
		[PERF_TYPE_HW_CACHE] = ENCODING_CACHE,
		[PERF_TYPE_RAW] = ENCODING_RAW,
		[PERF_TYPE_BREAKPOINT] = ENCODING_BREAKPOINT,
	};

	out->family = a->type < sizeof(families) / sizeof(families[0]) ?
		      families[a->type] : ENCODING_PMU;
	out->pmu_type = a->type;
	out->config = a->config;
	out->config1 = a->config1;
	out->config2 = a->config2;
	snprintf(out->code, sizeof(out->code), "0x%llx",
		 (unsigned long long)a->config);
}

int vendor_resolve(struct encoding *out, const char *name,
		   const struct events_target *target, struct assay_error *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	pfm_pmu_info_t pmu;

	(void)err;
	if (!is_name(name) || !vendor_ready() ||
	    (target->recorded && !strstr(name, "::")) ||
	    pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT,
				      &arg) != PFM_SUCCESS ||
	    !pmu_of(&pmu, arg.idx))
		return NOT_MINE;
	set_family(out, &attr);
	if (!pmu.is_present || target->recorded)
		snprintf(out->absent, sizeof(out->absent),
			 "an event of another CPU (%s); here code %s would "
			 "count something else", pmu.desc, out->code);
	return FOUND;
}

/* The names of one table on their way to the caller. */
struct listing {
	event_name_fn *fn;
	void *ctx;
	const char *prefix;	/* "skl::" or "" */
	const char *absent;
};

static int list_name(const struct listing *l, const pfm_event_info_t *event,
		     const pfm_event_attr_info_t *umask)
{
	char name[192];

	snprintf(name, sizeof(name), "%s%s%s%s", l->prefix, event->name,
		 umask ? ":" : "", umask ? umask->name : "");
	return l->fn(l->ctx, &(struct event_name){
		name, "vendor", "", umask && umask->desc ? umask->desc :
		event->desc ? event->desc : "", l->absent });
}

static int list_event(const struct listing *l, int idx)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	int rc;

	if (pfm_get_event_info(idx, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return 0;
	rc = list_name(l, &event, NULL);
	for (int a = 0; a < event.nattrs && !rc; a++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(idx, a, PFM_OS_NONE, &attr) ==
		    PFM_SUCCESS && attr.type == PFM_ATTR_UMASK)
			rc = list_name(l, &event, &attr);
	}
	return rc;
}

static int list_table(const struct listing *l, const pfm_pmu_info_t *pmu)
{
	int rc = 0;

	for (int idx = pmu->first_event; idx != -1 && !rc;
	     idx = pfm_get_event_next(idx))
		rc = list_event(l, idx);
	return rc;
}

bool vendor_pmu(pfm_pmu_info_t *out, int pmu)
{
	memset(out, 0, sizeof(*out));
	out->size = sizeof(*out);
	return pfm_get_pmu_info((pfm_pmu_t)pmu, out) == PFM_SUCCESS;
}

int vendor_names(const struct events_target *target, event_name_fn *fn,
		 void *ctx)
{
	const struct listing listing = {
		fn, ctx, "", pmu_core(target->sysroot) ? NULL :
		pmu_core_absent
	};
	pfm_pmu_info_t pmu;
	int rc = 0;

	if (target->recorded || !vendor_ready())
		return 0;
	for (int p = 0; p < PFM_PMU_MAX && !rc; p++)
		if (vendor_pmu(&pmu, p) && pmu.is_present &&
		    pmu.type == PFM_PMU_TYPE_CORE)
			rc = list_table(&listing, &pmu);
	return rc;
}

void events_tables(char *out, size_t room, bool recorded)
{
	pfm_pmu_info_t pmu;

	*out = '\0';
	if (recorded || !vendor_ready())
		return;
	for (int p = 0; p < PFM_PMU_MAX; p++)
		if (vendor_pmu(&pmu, p) && pmu.is_present &&
		    pmu.type == PFM_PMU_TYPE_CORE &&
		    strcmp(pmu.name, "ix86arch"))
			text_add(out, room, ", ", "%s (%d events)", pmu.name,
				 pmu.nevents);
}

int vendor_table_names(const char *name, event_name_fn *fn, void *ctx)
{
	const char *end = strstr(name, "::");
	struct listing listing = { fn, ctx, NULL, NULL };
	pfm_pmu_info_t pmu;
	char prefix[80];

	if (!end || !vendor_ready())
		return 0;
	for (int p = 0; p < PFM_PMU_MAX; p++) {
		if (!vendor_pmu(&pmu, p) || !pmu.name ||
		    strlen(pmu.name) != (size_t)(end - name) ||
		    strncmp(pmu.name, name, (size_t)(end - name)))
			continue;
		snprintf(prefix, sizeof(prefix), "%s::", pmu.name);
		listing.prefix = prefix;
		return list_table(&listing, &pmu);
	}
	return 0;
}

/* ---- all tables -------------------------------------------------------- */

enum code_layout vendor_layout(const char *table)
{
	if (!strncmp(table, "amd64", 5))
		return CODE_AMD;
	return strncmp(table, "arm", 3) ? CODE_INTEL : CODE_PMUV3;
}

/* The text of the unit mask that the full name ends with; else the event's. */
static const char *meaning_of(int idx, const char *full)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	const char *colon = strrchr(full, ':'), *text;
	size_t length;

	if (pfm_get_event_info(idx, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return "";
	text = event.desc ? event.desc : "";
	length = colon ? strcspn(colon + 1, "=") : 0;
	for (int a = 0; a < event.nattrs && length; a++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(idx, a, PFM_OS_NONE, &attr) ==
		    PFM_SUCCESS && attr.type == PFM_ATTR_UMASK && attr.desc &&
		    strlen(attr.name) == length &&
		    !strncasecmp(attr.name, colon + 1, length))
			return attr.desc;
	}
	return text;
}

/* The event of one table; full: "table::NAME". */
static int find_in(const char *full, vendor_event_fn *fn, void *ctx)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	struct vendor_event out = { .name = "" };
	pfm_pmu_info_t pmu;

	if (pfm_get_os_event_encoding(full, PFM_PLM3, PFM_OS_PERF_EVENT,
				      &arg) != PFM_SUCCESS ||
	    !pmu_of(&pmu, arg.idx) || pmu.type != PFM_PMU_TYPE_CORE)
		return 0;
	text_copy(out.name, sizeof(out.name), full);
	out.cpu = pmu.desc ? pmu.desc : pmu.name;
	out.meaning = meaning_of(arg.idx, full);
	out.config = attr.config;
	out.layout = vendor_layout(pmu.name);
	return fn(ctx, &out);
}

int vendor_find(const char *name, vendor_event_fn *fn, void *ctx)
{
	char full[192];
	pfm_pmu_info_t pmu;
	int rc = 0;

	if (!is_name(name) || strlen(name) >= ASSAY_NAME || !vendor_ready())
		return 0;
	if (strstr(name, "::"))
		return find_in(name, fn, ctx);
	for (int p = 0; p < PFM_PMU_MAX && !rc; p++) {
		if (!vendor_pmu(&pmu, p) || pmu.type != PFM_PMU_TYPE_CORE ||
		    !pmu.name || pmu.nevents <= 0)
			continue;
		snprintf(full, sizeof(full), "%.100s::%s", pmu.name, name);
		rc = find_in(full, fn, ctx);
	}
	return rc;
}
