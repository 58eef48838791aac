/* SPDX-License-Identifier: MIT */
/*
 * libpfm4's tables as entries of event tables: each event and each of its unit
 * masks, with the code that the library itself makes of the name.
 */
#include <stdio.h>
#include <string.h>

#include "events/events.h"
#include "events/vendor.h"

/* A library newer than its header has PMUs beyond PFM_PMU_MAX. */
enum { PMUS = 1024 };

/* One table on its way to the caller. */
struct listing {
	entry_fn *fn;
	void *ctx;
	const pfm_pmu_info_t *pmu;
};

/* What libpfm4 sets for counting: user, kernel, interrupt and enable bits. */
#define X86_CONTROL UINT64_C(0x530000)

static uint64_t bits(uint64_t code, unsigned low, unsigned count)
{
	return code >> low & ((UINT64_C(1) << count) - 1);
}

static void set_x86(struct event_code *c, uint64_t code)
{
	c->given = CODE_SELECT | CODE_UMASK | CODE_CMASK | CODE_INV |
		   CODE_EDGE | CODE_ANY | CODE_CONFIG;
	c->selects = c->umasks = 1;
	c->select[0] = bits(code, 0, 8) | bits(code, 32, 4) << 8;
	c->umask[0] = bits(code, 8, 8);
	c->edge = bits(code, 18, 1);
	c->any = bits(code, 21, 1);
	c->inv = bits(code, 23, 1);
	c->cmask = (unsigned)bits(code, 24, 8);
	c->config = code & ~X86_CONTROL;
}

/* The registers of other units have layouts of their own. */
static void set_code(struct event_code *c, const struct listing *l,
		     const uint64_t *codes, int count)
{
	const bool core = l->pmu->type == PFM_PMU_TYPE_CORE;

	c->unit = core ? "" : l->pmu->name;
	if (core && vendor_layout(l->pmu->name) == CODE_PMUV3) {
		c->given = CODE_SELECT;
		c->selects = 1;
		c->select[0] = bits(codes[0], 0, 16);
	} else if (core) {
		set_x86(c, codes[0]);
		c->msr_value = count > 1 ? codes[1] : 0;
		c->given |= count > 1 ? CODE_MSR : 0;
	} else {
		c->given = CODE_CONFIG;
		c->config = codes[0];
	}
}

/* Has the unit mask, an alias, the code of the unit mask that it names? */
static const char *alias_fault(const pfm_event_info_t *event,
			       const pfm_event_attr_info_t *umask)
{
	for (int a = 0; umask && umask->equiv && a < event->nattrs; a++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(event->idx, a, PFM_OS_NONE,
					    &attr) == PFM_SUCCESS &&
		    attr.type == PFM_ATTR_UMASK &&
		    !strcmp(attr.name, umask->equiv) &&
		    attr.code != umask->code)
			return "the table has another code for the unit mask "
			       "that the alias names";
	}
	return "";
}

/* Where unit masks stand in groups, libpfm4 adds the default of each group that
 * a name leaves out: the code is not the unit mask's alone. */
static bool adds_default(const pfm_event_info_t *event,
			 const pfm_event_attr_info_t *umask, uint64_t code)
{
	return umask && bits(code, 8, 8) & ~umask->code &
			~bits(event->code, 8, 8);
}

static int emit(const struct listing *l, const pfm_event_info_t *event,
		const pfm_event_attr_info_t *umask)
{
	struct entry e = entry_empty();
	uint64_t codes[8] = { 0 };
	pfm_pmu_encode_arg_t arg = { .codes = codes, .count = 8,
				     .size = sizeof(arg) };
	char full[ENTRY_NAME];

	snprintf(full, sizeof(full), "%s::%s%s%s", l->pmu->name, event->name,
		 umask ? ":" : "", umask ? umask->name : "");
	if (pfm_get_os_event_encoding(full, PFM_PLM3 | PFM_PLM0, PFM_OS_NONE,
				      &arg) != PFM_SUCCESS)
		return 0;
	e.source = ENTRY_LIBPFM4;
	e.file = "libpfm4";
	e.table = l->pmu->name;
	e.name = full + strlen(l->pmu->name) + 2;
	if (umask ? umask->equiv : event->equiv)
		e.alias = umask ? umask->equiv : event->equiv;
	if (umask && umask->desc)
		e.text = umask->desc;
	else if (event->desc)
		e.text = event->desc;
	e.why = alias_fault(event, umask);
	e.group = event->desc ? event->desc : "";
	set_code(&e.code, l, codes, arg.count);
	if (e.code.given & CODE_CONFIG && adds_default(event, umask, codes[0]))
		e.code.options = "with another group's default";
	return l->fn(l->ctx, &e);
}

/* An event without its unit mask is an entry if libpfm4 takes the name. */
static int emit_event(const struct listing *l, int idx)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	int rc;

	if (pfm_get_event_info(idx, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return 0;
	rc = emit(l, &event, NULL);
	for (int a = 0; a < event.nattrs && !rc; a++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(idx, a, PFM_OS_NONE, &attr) ==
		    PFM_SUCCESS && attr.type == PFM_ATTR_UMASK)
			rc = emit(l, &event, &attr);
	}
	return rc;
}

static bool wanted(const pfm_pmu_info_t *pmu, const struct table_cpu *cpu,
		   const char *known)
{
	return pmu->name && pmu->nevents > 0 &&
	       (!cpu || table_named_known(pmu->name, cpu, known));
}

bool events_libpfm4_has(const struct table_cpu *cpu)
{
	const char *known = table_known_names(cpu);
	pfm_pmu_info_t pmu;

	if (!vendor_ready())
		return false;
	for (int p = 0; p < PMUS; p++)
		if (vendor_pmu(&pmu, p) && wanted(&pmu, cpu, known))
			return true;
	return false;
}

int events_libpfm4(const struct table_cpu *cpu, entry_fn *fn, void *ctx)
{
	const char *known = cpu ? table_known_names(cpu) : NULL;
	pfm_pmu_info_t pmu;
	const struct listing listing = { fn, ctx, &pmu };
	int rc = 0;

	if (!vendor_ready())
		return 0;
	for (int p = 0; p < PMUS && !rc; p++) {
		if (!vendor_pmu(&pmu, p) || !wanted(&pmu, cpu, known))
			continue;
		for (int idx = pmu.first_event; idx != -1 && !rc;
		     idx = pfm_get_event_next(idx))
			rc = emit_event(&listing, idx);
	}
	return rc;
}
