/* SPDX-License-Identifier: MIT */
/* assay_fleet_certificates(): how many hosts say what of an event. */
#define _GNU_SOURCE	/* qsort_r */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/class.h"
#include "assay/fleet.h"
#include "base/array.h"
#include "base/row.h"
#include "base/text.h"
#include "fleet/names.h"
#include "verify/certificate.h"

/* What one host says of one event. Numbers of texts, but for the class. */
struct said {
	uint32_t provider, cpu, microcode, hypervisor, event, host;
	uint32_t created;
	enum assay_class class_;
};

struct table {
	struct names text;
	struct said *said;
	size_t saids, room;
	assay_row_fn *fn;
	void *ctx;
	size_t *contradictions;
	int rc;
};

static uint32_t text(struct table *t, const char *word)
{
	const int n = names_add(&t->text, word);

	if (n < 0)
		t->rc = n;
	return n < 0 ? 0 : (uint32_t)n;
}

static void add(struct table *t, const struct said *said)
{
	const size_t more = t->room ? 2 * t->room : 256;

	if (t->saids == t->room && !t->rc) {
		if (array_resize(&t->said, more, sizeof(*t->said)))
			t->room = more;
		else
			t->rc = -ASSAY_ENOMEM;
	}
	if (!t->rc)
		t->said[t->saids++] = *said;
}

static int add_file(struct table *t, const char *path, struct assay_error *err)
{
	struct certificate c;
	const struct certificate_machine *m = &c.machine;
	int rc = certificate_read(&c, path, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < c.events && !t->rc; i++)
		add(t, &(struct said){
			text(t, m->provider), text(t, m->cpu),
			text(t, m->microcode), text(t, m->hypervisor),
			text(t, c.event[i].event),
			text(t, *m->node ? m->node : path),
			text(t, c.created), c.event[i].class_,
		});
	certificate_fini(&c);
	return t->rc ? error_memory(err) : 0;
}

/* Each certificate of the folder; other files there are passed over. */
static int add_folder(struct table *t, const struct assay *assay,
		      struct assay_error *err)
{
	char folder[2048], path[4096];
	struct dirent *entry;
	int rc = certificate_folder(folder, sizeof(folder), assay, err);
	DIR *dir = rc ? NULL : opendir(folder);

	if (rc)
		return rc;
	if (!dir)
		return error_read(err, folder);
	while (!rc && (entry = readdir(dir)) != NULL) {
		const size_t n = strlen(entry->d_name);

		if (n < 6 || strcmp(entry->d_name + n - 5, ".json"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		rc = add_file(t, path, err);
	}
	closedir(dir);
	return rc;
}

/* ---- the order: one machine, one event, one host ------------------------- */

static int compare_texts(const struct table *t, const uint32_t *x,
			 const uint32_t *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return strcmp(t->text.name[x[i]], t->text.name[y[i]]);
	return 0;
}

static int same_event(const struct table *t, const struct said *x,
		      const struct said *y)
{
	const uint32_t a[] = { x->cpu, x->microcode, x->hypervisor,
			       x->provider, x->event };
	const uint32_t b[] = { y->cpu, y->microcode, y->hypervisor,
			       y->provider, y->event };

	return compare_texts(t, a, b, 5);
}

/* Of one host the newest verdict is first. */
static int by_host(const void *a, const void *b, void *ctx)
{
	const struct said *x = a, *y = b;
	const uint32_t p[] = { x->host, y->created };
	const uint32_t q[] = { y->host, x->created };
	const int c = same_event(ctx, x, y);

	return c ? c : compare_texts(ctx, p, q, 2);
}

static int by_class(const void *a, const void *b, void *ctx)
{
	const struct said *x = a, *y = b;
	const int c = same_event(ctx, x, y);

	return c ? c : (int)x->class_ - (int)y->class_;
}

/* Only the newest verdict of each host stays. */
static void drop_old(struct table *t)
{
	size_t kept = 0;

	qsort_r(t->said, t->saids, sizeof(*t->said), by_host, t);
	for (size_t i = 0; i < t->saids; i++)
		if (!kept || t->said[kept - 1].host != t->said[i].host ||
		    same_event(t, &t->said[kept - 1], &t->said[i]))
			t->said[kept++] = t->said[i];
	t->saids = kept;
}

/* ---- rows ---------------------------------------------------------------- */

/* Does one host say that a number may be quoted, and another one not? */
static bool contradicts(const struct said *said, size_t n)
{
	bool right = false, wrong = false;

	for (size_t i = 0; i < n; i++) {
		right |= assay_class_trust(said[i].class_) == 1;
		wrong |= assay_class_trust(said[i].class_) == 0;
	}
	return right && wrong;
}

static void put(struct table *t, const struct said *s, size_t hosts, size_t of,
		bool contradiction)
{
	char **const text = t->text.name;
	const struct assay_field field[] = {
		field_text("event", text[s->event]),
		field_text("verdict", assay_class_name(s->class_)),
		field_count("hosts", hosts), field_count("of", of),
		field_text("contradiction", contradiction ? "yes" : "no"),
		field_text("cpu", text[s->cpu]),
		field_text("microcode", text[s->microcode]),
		field_text("hypervisor", text[s->hypervisor]),
		field_text("provider", text[s->provider]),
	};

	if (!t->rc)
		t->rc = ROW_EMIT(t->fn, t->ctx, "certified", field);
}

/* All that is said of one event on one kind of machine. */
static void put_event(struct table *t, const struct said *said, size_t n)
{
	const bool contradiction = contradicts(said, n);

	*t->contradictions += contradiction;
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && said[end].class_ == said[i].class_;)
			end++;
		put(t, &said[i], end - i, n, contradiction);
	}
}

static void put_all(struct table *t)
{
	drop_old(t);
	qsort_r(t->said, t->saids, sizeof(*t->said), by_class, t);
	for (size_t i = 0, end; i < t->saids && !t->rc; i = end) {
		end = i;
		while (end < t->saids && !same_event(t, &t->said[i],
						     &t->said[end]))
			end++;
		put_event(t, &t->said[i], end - i);
	}
}

int assay_fleet_certificates(struct assay *assay, const char *const *path,
			     size_t paths, assay_row_fn *fn, void *ctx,
			     size_t *contradictions, struct assay_error *err)
{
	struct table t = {
		.fn = fn, .ctx = ctx, .contradictions = contradictions,
	};
	int rc = paths ? 0 : add_folder(&t, assay, err);

	*contradictions = 0;
	for (size_t i = 0; i < paths && !rc; i++)
		rc = add_file(&t, path[i], err);
	if (!rc && t.saids) {
		put_all(&t);
		rc = t.rc;
	}
	free(t.said);
	names_fini(&t.text);
	return rc;
}
