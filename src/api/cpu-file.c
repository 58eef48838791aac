/* SPDX-License-Identifier: MIT */
/* assay_cpu_new(), assay_cpu_check(): CPU files made, and checked. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpufile/architecture.h"
#include "cpufile/check.h"
#include "cpufile/draft.h"
#include "cpufile/match.h"
#include "env/env.h"
#include "run/host.h"

/* What the file is made of. */
struct making {
	struct assay *assay;
	struct assay_cpu_new *asked;
	struct event_tables *tables;
	struct cpu_match match;
	struct geometry geometry;	/* of this machine, if asked for */
	struct listed listed;
	struct sibling sibling;
	bool borrowed;			/* .match.models are the sibling's */
	char name[ASSAY_NAME], title[2 * ASSAY_NAME];
};

/* One '-' for each run of other characters than letters, digits and '.'. */
static void fold_name(char *name)
{
	char *out = name;

	for (const char *c = name; *c; c++)
		if (isalnum((unsigned char)*c) || *c == '.')
			*out++ = (char)tolower((unsigned char)*c);
		else if (out > name && out[-1] != '-')
			*out++ = '-';
	*out = '\0';
}

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
	fold_name(m->name);
	snprintf(m->title, sizeof(m->title), "%s%s%s%s", asked->cpu,
		 asked->core ? ", the " : "", asked->core ? asked->core : "",
		 asked->core ? " core" : "");
}

static int need_tables(struct making *m, struct assay_error *err)
{
	int rc = tables_at_hand(&m->tables, m->assay->tables, err);

	if (!rc && !m->tables && m->asked->cpu)
		rc = error_set(err, -ASSAY_EINVAL, "which event tables? "
			       "--event-tables DIR names a checkout of "
			       "intel/perfmon, Linux or ARM-software/data");
	return rc;
}

static int read_tables(struct making *m, struct assay_error *err)
{
	const char *const names[] = { m->asked->cpu, NULL };
	struct table_cpu cpu = { names, NULL };

	int rc;

	if (match_find(&m->match, m->tables, &cpu))
		cpu.match = &m->match;
	if (cpu.match && match_is_32_bit(&m->match))
		return error_set(err, -ASSAY_ENOENT, "'%.60s' is a 32-bit CPU; "
				 "CPU files are of aarch64 and x86-64",
				 m->asked->cpu);
	rc = listed_read(&m->listed, m->tables, &cpu, m->asked->core, err);
	if (!rc && !cpu.match)
		rc = error_set(err, -ASSAY_ENOENT, "the table %.60s is for no "
			       "CPU: no part number is known for it",
			       m->listed.table);
	return rc;
}

static void name_match(struct making *m)
{
	struct cpu *cpu = host_cpu(m->assay);

	text_copy(m->asked->matches, sizeof(m->asked->matches),
		  cpu ? cpu->name : "");
	cpu_free(cpu);
}

/* Without a table of the machine's CPU, the events of its architecture. */
static int read_machine(struct making *m, struct assay_error *err)
{
	const char *const names[] = { "host", NULL };
	const struct table_cpu cpu = { names, &m->match };
	int rc = -ASSAY_ENOENT;

	if (!host_match(&m->match, m->assay))
		return error_set(err, -ASSAY_ENOENT, "this machine does not "
				 "say which CPU it has");
	env_geometry(&m->geometry, m->assay->sysroot, err);
	if (!m->geometry.l1d.present)
		return error_set(err, -ASSAY_ENOENT, "this machine does not "
				 "report its caches");
	name_match(m);
	m->asked->cpu = m->assay->machine.cpu;
	if (m->tables)
		rc = listed_read(&m->listed, m->tables, &cpu, m->asked->core,
				 err);
	return rc == -ASSAY_ENOENT ? architecture_list(&m->listed, &m->match,
							err) : rc;
}

/* Registers that the table cannot name are those of the CPU's own file. */
static int find_sibling(struct making *m, struct assay_error *err)
{
	struct assay_cpu_new *asked = m->asked;
	const char *const names[] = { asked->cpu, NULL };
	const struct table_cpu cpu = { names, &m->match };
	const struct nearest_to to = { &m->listed, &cpu, asked->core,
				       m->tables, m->assay->data_dir };
	const char *name = asked->like ? asked->like :
			   *asked->matches ? asked->matches : NULL;
	const struct nearest *found = &m->sibling.nearest;
	int rc;

	name_new(m);
	rc = sibling_find(&m->sibling, &to, name, err);
	if (rc)
		return rc;
	text_copy(asked->next, sizeof(asked->next), found->name[1]);
	if (found->itself)
		text_copy(asked->matches, sizeof(asked->matches),
			  found->name[0]);
	if (found->itself && *m->match.vendor && !m->match.models) {
		memcpy(m->match.model, found->match.model,
		       sizeof(m->match.model));
		m->match.models = found->match.models;
		m->borrowed = true;
	}
	return 0;
}

/* The text must load: a mistake is ours. */
static int write_text(struct making *m, char **text, struct assay_error *err)
{
	struct draft draft = {
		.name = m->name, .title = m->title, .match = &m->match,
		.core = m->asked->core,
		.listed = &m->listed, .sibling = &m->sibling,
		.machine = m->geometry.l1d.present ? &m->geometry : NULL,
		.table_name = m->geometry.l1d.present ? "" : m->asked->cpu,
		.all = m->asked->all, .borrowed = m->borrowed,
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
	text_copy(m->asked->table, sizeof(m->asked->table), m->listed.table);
	m->asked->events = draft.events;
	m->asked->known = draft.known;
	text_copy(m->asked->sibling, sizeof(m->asked->sibling),
		  draft.used ? m->sibling.cpu->name : "");
	if (!draft.events)
		return error_set(err, -ASSAY_ENOENT, "the table %.60s has no "
				 "event that a CPU file can hold%s",
				 m->listed.table, draft.all ? "" :
				 " and that people quote (--all)");
	rc = cpu_parse(&cpu, "the new file", *text, bytes, err);
	cpu_free(cpu);
	return rc;
}

int assay_cpu_new(struct assay *assay, struct assay_cpu_new *asked, char **text,
		  struct assay_error *err)
{
	struct making m = { .assay = assay, .asked = asked };
	const bool here = !asked->cpu;
	char *made = NULL;
	int rc = need_tables(&m, err);

	if (!rc)
		rc = here ? read_machine(&m, err) : read_tables(&m, err);
	if (!rc)
		rc = find_sibling(&m, err);
	if (!rc)
		rc = write_text(&m, &made, err);
	if (rc)
		free(made);
	else
		*text = made;
	sibling_free(&m.sibling);
	listed_free(&m.listed);
	return rc;
}

void assay_cpu_sold(const struct assay *assay, const char *name, char *out,
		    size_t room)
{
	struct cpu *cpu = NULL;

	text_copy(out, room, "");
	if (cpu_is_file(name, assay->data_dir) ||
	    cpu_load_sold(&cpu, name, assay->data_dir, NULL))
		return;
	text_copy(out, room, cpu->product);
	cpu_free(cpu);
}

/* ---- assay_cpu_check() -------------------------------------------------- */

static int match_one(void *ctx, const struct cpu *other)
{
	struct checking *c = ctx;

	check_match(c, other);
	return c->rc;
}

static int check_tables(struct checking *c, struct assay *assay,
			struct assay_cpu_check *asked, struct assay_error *err)
{
	struct event_tables *tables;
	struct listed list;
	int rc = tables_at_hand(&tables, assay->tables, err);

	if (!rc)
		rc = listed_of(&list, tables, c->cpu, err);
	if (rc)
		return rc;
	text_copy(asked->table, sizeof(asked->table), list.table);
	if (list.events)
		check_events(c, &list);
	listed_free(&list);
	return c->rc;
}

static int check_all(struct checking *c, struct assay *assay,
		     struct assay_cpu_check *asked, struct assay_error *err)
{
	int rc;

	check_itself(c);
	rc = c->rc ? c->rc : cpu_each(assay->data_dir, match_one, c, err);
	return rc ? rc : check_tables(c, assay, asked, err);
}

int assay_cpu_check(struct assay *assay, struct assay_cpu_check *asked,
		    assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct checking c = { .asked = asked->cpu, .fn = fn, .ctx = ctx };
	struct cpu *cpu;
	int rc = cpu_load_sold(&cpu, asked->cpu, assay->data_dir, err);

	if (rc)
		return rc;
	c.cpu = cpu;
	text_copy(asked->name, sizeof(asked->name), cpu->name);
	asked->events = cpu->events;
	rc = check_all(&c, assay, asked, err);
	asked->contradictions = c.found[FINDING_CONTRADICTION];
	asked->differences = c.found[FINDING_TABLE];
	asked->missing = c.found[FINDING_MISSING];
	cpu_free(cpu);
	return rc;
}
