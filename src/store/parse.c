/* SPDX-License-Identifier: MIT */
/*
 * Reading one line of JSON into a record. The input is hostile: every type,
 * sign, length and sum is checked.
 *
 * 1. Unknown members are ignored; an unknown schema number is refused.
 * 2. Memory is allocated only after the line has shown that it holds as many
 *    counts as it claims.
 * 3. A count's numbers agree with its state: a scaled count ran for some time,
 *    any other count ran all the time.
 *
 * Functions return 0 or an error as those of node.h do.
 */
#include "store/record-line.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/record.h"
#include "base/text.h"

const char schema_no_reason[] = "no reason given";

struct reader {
	struct assay_record *record;
	const char *reason[SCHEMA_REASONS];
	unsigned reasons;
};

static int no_memory(const struct line *line)
{
	return error_set(line->err, -ASSAY_ENOMEM,
			 "no memory for a record of '%.200s'", line->file);
}

/* A reason; equal reasons share a copy that the record owns. */
static int reason(struct reader *r, const struct node *n, const char **out)
{
	const char *s = json_string_value(n->json);

	if (!s)
		return node_wrong(n, "a string that says why");
	if (!*s)
		return node_error(n, "what is absent needs a reason");
	if (strlen(s) >= SCHEMA_REASON_BYTES)
		return node_error(n, "a reason is longer than %u bytes",
				  SCHEMA_REASON_BYTES - 1);
	for (unsigned i = 0; i < r->reasons; i++)
		if (strcmp(r->reason[i], s) == 0) {
			*out = r->reason[i];
			return 0;
		}
	if (r->reasons == SCHEMA_REASONS)
		return node_error(n, "more than %u different reasons",
				  SCHEMA_REASONS);
	*out = record_own_string(r->record, s);
	if (!*out)
		return no_memory(n->line);
	r->reason[r->reasons++] = *out;
	return 0;
}

/* The optional text members of an object. */
struct text_row {
	const char *key;
	char *out;
	size_t room;
};

static int texts(const struct node *of, const struct text_row *row, size_t n)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		rc = node_text(of, row[i].key, row[i].out, row[i].room);
	return rc;
}

static int machine(struct reader *r, const struct node *root)
{
	struct assay_machine *m = &r->record->machine;
	const struct text_row rows[] = {
		{ "host", m->host, sizeof(m->host) },
		{ "cpu", m->cpu, sizeof(m->cpu) },
		{ "isa", m->isa, sizeof(m->isa) },
		{ "kernel", m->kernel, sizeof(m->kernel) },
		{ "hypervisor", m->hypervisor, sizeof(m->hypervisor) },
		{ "microcode", m->microcode, sizeof(m->microcode) },
	};
	const struct node n = node_member(root, "machine");
	int rc = n.json ? node_object(&n) : 0;

	return rc || !n.json ? rc :
	       texts(&n, rows, sizeof(rows) / sizeof(*rows));
}

static int place(struct reader *r, const struct node *root)
{
	struct assay_place *p = &r->record->place;
	const struct text_row rows[] = {
		{ "node", p->node, sizeof(p->node) },
		{ "job", p->job, sizeof(p->job) },
	};
	uint64_t rank = UINT64_MAX;
	int rc = texts(root, rows, 2);

	if (!rc)
		rc = node_unsigned_member(root, "rank", INT_MAX, &rank);
	if (rank <= INT_MAX)
		p->rank = (int)rank;
	return rc;
}

static int pinned(const struct node *of, int *out)
{
	const struct node n = node_member(of, "cpu");
	int64_t cpu = -1;
	int rc = n.json ? node_integer(&n, &cpu) : 0;

	if (rc < 0)
		return rc;
	if (cpu < -1 || cpu > INT_MAX)
		return node_error(&n, "'cpu' is neither a CPU's number nor -1");
	*out = (int)cpu;
	return 0;
}

static int settings(struct reader *r, const struct node *root)
{
	struct assay_settings *s = &r->record->settings;
	const struct text_row rows[] = {
		{ "page_map", s->page_map, sizeof(s->page_map) },
		{ "pages", s->pages, sizeof(s->pages) },
		{ "options", s->options, sizeof(s->options) },
	};
	const struct node n = node_member(root, "settings");
	uint64_t warmup = 0;
	int rc = n.json ? node_object(&n) : 0;

	if (rc || !n.json)
		return rc;
	rc = pinned(&n, &s->cpu);
	if (!rc)
		rc = node_unsigned_member(&n, "warmup", UINT_MAX, &warmup);
	s->warmup = (unsigned)warmup;
	return rc ? rc : texts(&n, rows, sizeof(rows) / sizeof(*rows));
}

/* The member `key`, a number from 0 on; if missing, *out stays. */
static int number(const struct node *of, const char *key, double *out)
{
	const struct node n = node_member(of, key);

	if (!n.json)
		return 0;
	if (!json_is_number(n.json) || json_number_value(n.json) < 0)
		return node_wrong(&n, "a number that is not negative");
	*out = json_number_value(n.json);
	return 0;
}

static int noise_part(const struct node *of, const char *name,
		      struct assay_noise_part *out)
{
	const struct node n = node_member(of, name);
	int rc = n.json ? node_object(&n) : 0;

	*out = (struct assay_noise_part){ -1, 0 };
	if (!rc && n.json)
		rc = number(&n, "share", &out->share);
	return rc || !n.json ? rc : number(&n, "limit", &out->limit);
}

/* The member `noise`; if missing, *out stays. */
static int noise(struct assay_noise *out, const struct node *root)
{
	const struct node n = node_member(root, "noise");
	int rc = n.json ? node_object(&n) : 0;

	if (rc || !n.json)
		return rc;
	for (int k = 0; !rc && k < ASSAY_NOISE_KINDS; k++)
		rc = noise_part(&n, assay_noise_name((enum assay_noise_kind)k),
				&out->part[k]);
	if (!rc)
		rc = node_unsigned_member(&n, "preempted", UINT64_MAX,
					  &out->preempted);
	if (!rc)
		rc = node_unsigned_member(&n, "moved", UINT64_MAX, &out->moved);
	if (!rc)
		rc = node_unsigned_member(&n, "repeated", UINT64_MAX,
					  &out->repeated);
	out->disturbed = json_is_true(node_member(&n, "disturbed").json);
	out->seen = true;
	return rc;
}

static int count_state(struct reader *r, const struct node *n,
		       struct assay_count *out)
{
	const struct node absent = node_member(n, "absent");
	const struct node state = node_member(n, "state");
	const char *word = json_string_value(state.json);

	out->state = absent.json ? ASSAY_COUNT_ABSENT : ASSAY_COUNT_PRESENT;
	out->why = NULL;
	if (absent.json && state.json)
		return node_error(&state, "what is absent has no state");
	if (absent.json)
		return reason(r, &absent, &out->why);
	if (!state.json)
		return 0;
	if (!word)
		return node_wrong(&state, "a string");
	if (strcmp(word, "scaled") == 0)
		out->state = ASSAY_COUNT_SCALED;
	else if (strcmp(word, "present") != 0)
		return node_error(&state, "'%.40s' is no state: present, "
				  "scaled", word);
	return 0;
}

/* Rule 3. */
static int count_agrees(const struct node *n, const struct assay_count *c)
{
	if (c->running > c->enabled)
		return node_error(n, "'running' is larger than 'enabled'");
	if (c->state == ASSAY_COUNT_PRESENT && c->running < c->enabled)
		return node_error(n, "this ran only a part of the time, so "
				  "its state must be 'scaled'");
	if (c->state != ASSAY_COUNT_SCALED)
		return 0;
	if (!c->running)
		return node_error(n, "a scaled count must have run, but "
				  "'running' is 0");
	if ((long double)c->value * c->enabled / c->running >= 0x1p63L)
		return node_error(n, "this count, scaled, is beyond 2^63");
	return 0;
}

/* The standard error: 0 if missing, -1 (not known) if null. */
static int error_member(const struct node *n, double *out)
{
	const bool unknown = json_is_null(node_member(n, "error").json);

	*out = unknown ? -1 : 0;
	return unknown ? 0 : number(n, "error", out);
}

static int count(struct reader *r, const struct node *n,
		 struct assay_count *out)
{
	const struct node value = node_member(n, "value");
	int rc = node_object(n);

	if (!rc)
		rc = count_state(r, n, out);
	if (!rc && (value.json || out->state != ASSAY_COUNT_ABSENT))
		rc = node_unsigned(&value, &out->value);
	if (!rc)
		rc = node_unsigned_member(n, "enabled", UINT64_MAX,
				       &out->enabled);
	if (!rc)
		rc = node_unsigned_member(n, "running", UINT64_MAX,
				       &out->running);
	if (!rc)
		rc = error_member(n, &out->error);
	return rc ? rc : count_agrees(n, out);
}

static int term(const struct node *n, struct assay_event_term *out)
{
	const struct node value = node_member(n, "value");
	int rc = node_object(n);

	if (!rc)
		rc = node_name(n, "name", out->name, sizeof(out->name));
	if (!rc && !json_is_number(value.json))
		rc = node_wrong(&value, "a number");
	if (!rc)
		out->value = json_number_value(value.json);
	return rc;
}

static int terms(const struct node *n, struct assay_record_event *out)
{
	const struct node list = node_member(n, "terms");
	int rc = list.json ? node_array(&list, ASSAY_EVENT_TERMS) : 0;
	size_t count = rc || !list.json ? 0 : json_array_size(list.json);

	for (size_t i = 0; !rc && i < count; i++) {
		const struct node one = node_element(&list, i);

		rc = term(&one, &out->term[i]);
	}
	out->terms = (unsigned)count;
	return rc;
}

static int event(struct reader *r, const struct node *n, unsigned index)
{
	struct assay_record_event e = { 0 };
	const struct node name = node_member(n, "name");
	const struct node counts = node_member(n, "counts");
	int rc = node_name(n, "name", e.name, sizeof(e.name));

	if (!rc && assay_record_find(r->record, e.name) >= 0)
		rc = node_error(&name, "event '%s' is given twice", e.name);
	if (!rc)
		rc = node_text(n, "code", e.code, sizeof(e.code));
	if (!rc)
		rc = node_text(n, "why", e.why, sizeof(e.why));
	if (!rc)
		rc = terms(n, &e);
	r->record->event[index] = e;
	for (size_t k = 0; !rc && k < r->record->repeats; k++) {
		const struct node c = node_element(&counts, k);

		rc = count(r, &c, &r->record->counts[k * r->record->events +
						     index]);
	}
	return rc;
}

static int events(struct reader *r, const struct node *root)
{
	const struct node list = node_member(root, "events");
	const struct node ns = node_member(root, "ns");
	int rc = 0;

	for (unsigned i = 0; !rc && i < r->record->events; i++) {
		const struct node n = node_element(&list, i);

		rc = event(r, &n, i);
	}
	for (size_t k = 0; !rc && k < r->record->repeats; k++) {
		const struct node n = node_element(&ns, k);

		rc = node_unsigned(&n, &r->record->ns[k]);
	}
	return rc;
}

static int truth_value(struct reader *r, const struct node *n,
		       struct assay_value *out)
{
	const struct node estimate = node_member(n, "estimate");
	const struct node absent = node_member(n, "absent");
	const struct node value = node_member(n, "value");
	const struct node *number = estimate.json ? &estimate :
				    value.json ? &value : n;

	if (absent.json)
		return reason(r, &absent, &out->why);
	if (!json_is_number(number->json))
		return node_wrong(number,
				  "a number or {\"absent\": reason}");
	*out = (struct assay_value){
		.number = json_number_value(number->json),
		.estimate = estimate.json != NULL,
	};
	return error_member(n, &out->error);
}

static int truth(struct reader *r, const struct node *root)
{
	struct assay_quantities *q = &r->record->truth;
	const struct node n = node_member(root, "truth");
	const struct node absent = node_member(&n, "absent");
	const char *why = record_not_known;
	int rc = n.json ? node_object(&n) : 0;

	if (!rc && absent.json)
		rc = reason(r, &absent, &why);
	quantities_absent(q, why);
	for (int i = 0; !rc && i < ASSAY_QUANTITIES; i++) {
		const struct node v = node_member(&n, assay_quantity_name(i));

		if (v.json)
			rc = truth_value(r, &v, &q->of[i]);
	}
	return rc;
}

static int frames(struct reader *r, const struct node *root)
{
	const struct node n = node_member(root, "frames");
	int rc = n.json ? node_array(&n, RECORD_FRAMES) : 0;
	size_t count = rc || !n.json ? 0 : json_array_size(n.json);
	uint64_t *frame = calloc(count ? count : 1, sizeof(*frame));

	if (!frame)
		return no_memory(root->line);
	for (size_t i = 0; !rc && i < count; i++) {
		const struct node one = node_element(&n, i);

		rc = node_unsigned(&one, &frame[i]);
	}
	if (!rc && count && record_set_frames(r->record, frame, count))
		rc = no_memory(root->line);
	free(frame);
	return rc;
}

static int event_size(const struct node *n, size_t repeats)
{
	const struct node counts = node_member(n, "counts");
	int rc = node_object(n);

	if (!rc)
		rc = node_array(&counts, SCHEMA_REPEATS);
	if (!rc && json_array_size(counts.json) != repeats)
		rc = node_error(&counts, "%zu counts, but 'ns' has %zu "
				"repetitions", json_array_size(counts.json),
				repeats);
	return rc;
}

/* Allocates the record, as rule 2 says. */
static int make(struct reader *r, const struct node *root)
{
	const struct node list = node_member(root, "events");
	const struct node ns = node_member(root, "ns");
	const size_t repeats = json_array_size(ns.json);
	int rc = node_array(&ns, SCHEMA_REPEATS);

	if (!rc)
		rc = node_array(&list, ASSAY_EVENTS);
	for (size_t i = 0; !rc && i < json_array_size(list.json); i++) {
		const struct node n = node_element(&list, i);

		rc = event_size(&n, repeats);
	}
	if (rc)
		return rc;
	r->record = record_new((unsigned)json_array_size(list.json),
			       (unsigned)repeats);
	return r->record ? 0 : no_memory(root->line);
}

static int fill(struct reader *r, const struct node *root)
{
	struct assay_record *record = r->record;
	int rc = node_name(root, "provider", record->provider,
			   sizeof(record->provider));

	if (!rc)
		rc = machine(r, root);
	if (!rc)
		rc = place(r, root);
	if (!rc)
		rc = parse_shape(&r->record->shape, root);
	if (!rc)
		rc = settings(r, root);
	if (!rc)
		rc = noise(&record->noise, root);
	if (!rc)
		rc = events(r, root);
	if (!rc)
		rc = truth(r, root);
	if (!rc)
		rc = frames(r, root);
	if (!rc)
		rc = node_unsigned_member(root, "fast_forwarded", UINT64_MAX,
				       &record->fast_forwarded);
	if (!rc)
		rc = node_unsigned_member(root, "threads_on_one_core",
					  UINT64_MAX,
					  &record->threads_on_one_core);
	record->random_replacement =
		json_is_true(node_member(root, "random_replacement").json);
	return rc;
}

static int record_of(struct reader *r, const struct node *root)
{
	const struct node type = node_member(root, "t");
	const struct node schema = node_member(root, "schema");
	int rc = node_object(root);

	if (rc)
		return rc;
	if (!json_is_string(type.json))
		return node_wrong(&type, "a string, such as \"record\"");
	if (strcmp(json_string_value(type.json), "record") != 0)
		return 0;
	if (!json_is_integer(schema.json))
		return node_wrong(&schema, "a whole number");
	if (json_integer_value(schema.json) != ASSAY_SCHEMA)
		return node_error(&schema, "schema %lld is not known; this "
				  "program reads schema %d",
				  (long long)json_integer_value(schema.json),
				  ASSAY_SCHEMA);
	rc = make(r, root);
	return rc ? rc : fill(r, root);
}

/*
 * jansson gives the position behind an unexpected token, and quotes the token;
 * the caret belongs under the token's start.
 */
static int syntax(const struct line *line, const json_error_t *e)
{
	const char *near = strstr(e->text, " near '");
	size_t at = e->position > 0 ? (size_t)e->position : 0;
	size_t token = near ? strlen(near) - strlen(" near ''") : 0;

	if (json_error_code(e) == json_error_out_of_memory || !*e->text)
		return no_memory(line);
	if (at > line->bytes)
		at = line->bytes;
	return line_error(line, at > token ? at - token : 0, "%s", e->text);
}

int parse_line(struct assay_record **out, const struct line *line)
{
	struct reader r = { 0 };
	struct node root = { .line = line };
	json_error_t e;
	int rc;

	root.json = json_loadb(line->text, line->bytes,
			       JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
	if (!root.json && library_need(LIBRARY_JANSSON, line->err))
		return -ASSAY_EUNAVAIL;
	if (!root.json)
		return syntax(line, &e);
	rc = record_of(&r, &root);
	json_decref(root.json);
	if (rc < 0)
		record_free(r.record);
	else
		*out = r.record;
	return rc;
}
