/* SPDX-License-Identifier: MIT */
/* The same name or number on other CPUs. */
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "events/explain.h"

struct walk {
	const struct subject *subject;
	bool named;	/* some file knows the name */
};

static int emit(const struct subject *s, const char *cpu, const char *same,
		const struct assay_field *event, uint64_t code,
		const struct assay_field *counts)
{
	char text[24] = "";
	const struct assay_field field[] = {
		field_text("cpu", cpu), field_text("same", same), *event,
		field_text("code", text), *counts,
	};

	snprintf(text, sizeof(text), "r%llx", (unsigned long long)code);
	return row_emit(s->fn, s->ctx, "elsewhere", field, 5);
}

static int tell(const struct subject *s, const struct cpu *cpu,
		const char *same, const struct cpu_event *e)
{
	const struct assay_field event = field_text("event", e->name);
	struct assay_field counts = field_text("counts", *e->meaning ?
					       e->meaning : e->name);

	if (!e->implemented)
		counts = (struct assay_field){ .name = "counts",
					       .kind = ASSAY_FIELD_ABSENT,
					       .text = e->absent };
	return emit(s, cpu->name, same, &event, e->code, &counts);
}

static bool same_isa(const struct subject *s, const struct cpu *cpu)
{
	return (s->layout == CODE_PMUV3) ==
	       (cpu->geometry.isa == ISA_AARCH64);
}

static int one_cpu(void *ctx, const struct cpu *cpu)
{
	struct walk *w = ctx;
	const struct subject *s = w->subject;
	const struct cpu_event *named = NULL, *coded = NULL;
	int rc = 0;

	if (*s->event)
		named = cpu_event_find(cpu, s->event);
	w->named |= named != NULL;
	if (s->target->cpu && !strcmp(s->target->cpu->name, cpu->name))
		return 0;
	if (s->coded && same_isa(s, cpu))
		coded = cpu_event_coded(cpu, explain_base(s->layout,
							  s->config));
	if (named)
		rc = tell(s, cpu, named == coded ? "name and code" : "name",
			  named);
	if (coded && coded != named && !rc)
		rc = tell(s, cpu, "code", coded);
	return rc;
}

static int one_table(void *ctx, const struct vendor_event *v)
{
	const struct subject *s = ctx;
	const struct assay_field event = field_text("event", v->name);
	const struct assay_field counts = field_text("counts", v->meaning);

	return emit(s, v->cpu, "name", &event, v->config, &counts);
}

int explain_elsewhere(const struct subject *s, struct assay_error *err)
{
	struct walk walk = { s, false };
	int rc = 0;

	if (s->coded || !strcmp(s->kind, "an event of other CPUs"))
		rc = cpu_each(s->target->data_dir, one_cpu, &walk, err);
	if (!rc && !s->coded && !walk.named && *s->event)
		rc = vendor_find(s->event, one_table, (void *)s);
	return rc;
}
