/* SPDX-License-Identifier: MIT */
/* assay_cpu_new(): CPU files from event tables. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpufile/draft.h"
#include "cpufile/match.h"
#include "run/handle.h"

/* What the file is made of. */
struct making {
	struct assay *assay;
	struct assay_cpu_new *asked;
	struct event_tables *tables;
	struct cpu_match match;
	struct listed listed;
	struct sibling sibling;
	char name[ASSAY_NAME], title[2 * ASSAY_NAME];
};

/* A name of the tables as the name of a CPU file: "ADL", the P core: adl-p. */
static void name_new(struct making *m)
{
	const struct assay_cpu_new *asked = m->asked;

	if (asked->name)
		text_copy(m->name, sizeof(m->name), asked->name);
	else
		snprintf(m->name, sizeof(m->name), "%s%s%s", asked->cpu,
			 asked->core ? "-" : "",
			 asked->core ? asked->core : "");
	for (char *c = m->name; *c; c++)
		*c = isalnum((unsigned char)*c) || *c == '.' ?
		     (char)tolower((unsigned char)*c) : '-';
	snprintf(m->title, sizeof(m->title), "%s%s%s%s", asked->cpu,
		 asked->core ? ", the " : "", asked->core ? asked->core : "",
		 asked->core ? " core" : "");
}

static int need_tables(struct making *m, struct assay_error *err)
{
	int rc = tables_at_hand(&m->tables, m->assay->tables, err);

	if (!rc && !m->tables)
		rc = error_set(err, -ASSAY_EINVAL, "which event tables? "
			       "--event-tables DIR names a checkout of "
			       "intel/perfmon, Linux or ARM-software/data");
	return rc;
}

static int read_tables(struct making *m, struct assay_error *err)
{
	const char *const names[] = { m->asked->cpu, NULL };
	struct table_cpu cpu = { names, NULL };
	int rc = need_tables(m, err);

	if (rc)
		return rc;
	if (match_of_pattern(&m->match, match_pattern(m->tables, &cpu)))
		cpu.match = &m->match;
	else
		m->match.vendor = "";
	return listed_read(&m->listed, m->tables, &cpu, m->asked->core, err);
}

/* The text must load: a mistake is ours. */
static int write_text(struct making *m, char **text, struct assay_error *err)
{
	struct draft draft = {
		.name = m->name, .title = m->title, .match = &m->match,
		.listed = &m->listed, .sibling = &m->sibling,
		.all = m->asked->all,
	};
	size_t bytes;
	FILE *out = open_memstream(text, &bytes);
	struct cpu *cpu = NULL;
	int rc;

	if (!out)
		return error_memory(err);
	draft_write(out, &draft);
	if (fclose(out))
		return error_memory(err);
	m->asked->events = draft.events;
	m->asked->known = draft.known;
	rc = cpu_parse(&cpu, "the new file", *text, bytes, err);
	cpu_free(cpu);
	return rc;
}

int assay_cpu_new(struct assay *assay, struct assay_cpu_new *asked, char **text,
		  struct assay_error *err)
{
	struct making m = { .assay = assay, .asked = asked };
	int rc = read_tables(&m, err);

	if (rc)
		return rc;
	name_new(&m);
	rc = sibling_find(&m.sibling, &m.listed, &m.match, asked->like,
			  m.tables, assay->data_dir, err);
	if (!rc)
		rc = write_text(&m, text, err);
	text_copy(asked->sibling, sizeof(asked->sibling),
		  m.sibling.cpu ? m.sibling.cpu->name : "");
	sibling_free(&m.sibling);
	listed_free(&m.listed);
	return rc;
}
