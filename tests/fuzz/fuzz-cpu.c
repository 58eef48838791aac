/* SPDX-License-Identifier: MIT */
/*
 * A CPU file of any bytes is refused with a place, or is a CPU whose geometry
 * is in bounds and whose events all count signals or say why not.
 */
#include "fuzz.h"

#include "cpus/cpu.h"
#include "sim/sim.h"
#include "cpus/signals.h"

static struct assay_value one(const void *ctx, int name)
{
	(void)ctx;
	need(name >= 0 && name < CPU_SIGNALS);
	return (struct assay_value){ .number = 1 };
}

static void check_event(const struct cpu *cpu, const struct cpu_event *e)
{
	struct assay_value v;

	need(*e->name && e->confidence && *e->source && e->meaning);
	need(cpu_event_find(cpu, e->name) != NULL);
	if (!e->present) {
		need(*e->absent != '\0');
		return;
	}
	v = expr_value(&e->counts, one, NULL);
	need(v.why ? *v.why : __builtin_isfinite(v.number));
}

static void check_cache(const struct cache_geometry *c)
{
	if (!c->present)
		return;
	need(c->sets && c->ways && c->slices && c->line_bytes);
	need(!(c->line_bytes & (c->line_bytes - 1)));
	need(cache_bytes(c) <= UINT64_C(4) << 30);
	need(c->policy < REPLACEMENTS && c->inclusion < INCLUSIONS);
}

static void check_tlb(const struct tlb_geometry *t)
{
	need(!t->present || (t->ways && t->entries % t->ways == 0));
}

static void check_geometry(const struct geometry *g)
{
	check_cache(&g->l1d);
	check_cache(&g->l1i);
	check_cache(&g->l2);
	check_cache(&g->l3);
	check_tlb(&g->dtlb);
	check_tlb(&g->itlb);
	check_tlb(&g->l2tlb);
	need(g->l1d.present && (!g->l3.present || g->l2.present));
	need(g->prefetchers <= GEOMETRY_PREFETCHERS);
	need(memchr(g->name, '\0', sizeof(g->name)) != NULL);
}

static int look(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	for (size_t i = 0; i < row->fields; i++)
		need(row->field[i].kind == ASSAY_FIELD_COUNT ||
		     row->field[i].text);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct cpu *cpu = NULL;
	struct assay_error err = { 0 };
	const char *why = NULL;
	int rc = cpu_parse(&cpu, "f", (const char *)data, bytes, &err);

	need(rc <= 0);
	if (rc < 0) {
		need(!cpu && err.code == rc && *err.text);
		need(rc != -ASSAY_EPARSE || !strncmp(err.text, "f:", 2));
		return 0;
	}
	check_geometry(&cpu->geometry);
	need(sim_bytes(&cpu->geometry, &why) && !why);	/* it can be simulated */
	for (size_t i = 0; i < cpu->events; i++)
		check_event(cpu, &cpu->event[i]);
	need(cpu_describe(cpu, NULL, look, NULL) == 0);
	cpu_free(cpu);
	return 0;
}
