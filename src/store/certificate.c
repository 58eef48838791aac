/* SPDX-License-Identifier: MIT */
/* Reading and writing certificates, and hashing record files. */
#include "store/certificate.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/loading/library.h"
#include "base/text.h"
#include "store/node.h"

/* ---- reading ------------------------------------------------------------ */

enum { FILE_BYTES = 16 << 20 };

static int read_real(const struct node *of, const char *key,
		     struct assay_value *out)
{
	const struct node n = node_member(of, key);

	*out = (struct assay_value){ .why = "not known" };
	if (!n.json || json_is_null(n.json))
		return 0;
	if (!json_is_number(n.json))
		return node_wrong(&n, "a number or null");
	*out = (struct assay_value){ .number = json_number_value(n.json) };
	return 0;
}

static int read_class(const struct node *of, enum assay_class *out)
{
	char word[40];
	int found, rc = node_name(of, "class", word, sizeof(word));

	if (rc < 0)
		return rc;
	found = assay_class_find(word);
	if (found < 0) {
		const struct node n = node_member(of, "class");

		return node_error(&n, "'%s' is no class of verdicts", word);
	}
	*out = (enum assay_class)found;
	return 0;
}

static int read_event(const struct node *of, struct certificate_event *out)
{
	uint64_t shapes = 0, good = 0;
	int rc = node_object(of);

#define TEXT(member) \
	rc = rc ? rc : node_text(of, #member, out->member, sizeof(out->member))
	if (!rc)
		rc = node_name(of, "event", out->event, sizeof(out->event));
	TEXT(code);
	if (!rc)
		rc = read_class(of, &out->class_);
	if (!rc)
		rc = read_real(of, "bias", &out->bias);
	if (!rc)
		rc = read_real(of, "spread", &out->spread);
	if (!rc)
		rc = node_unsigned_member(of, "shapes", UINT32_MAX, &shapes);
	if (!rc)
		rc = node_unsigned_member(of, "good", shapes, &good);
	TEXT(explains);
	TEXT(proof);
	TEXT(fails);
	TEXT(witnesses);
#undef TEXT
	out->shapes = (unsigned)shapes;
	out->good = (unsigned)good;
	return rc;
}

static int read_file(const struct node *of, struct certificate_file *out)
{
	uint64_t records = 0;
	int rc = node_object(of);

	if (!rc)
		rc = node_name(of, "file", out->name, sizeof(out->name));
	if (!rc)
		rc = node_name(of, "sha256", out->sha256, sizeof(out->sha256));
	if (!rc)
		rc = node_unsigned_member(of, "records", UINT32_MAX, &records);
	out->records = (unsigned)records;
	return rc;
}

static int read_machine(const struct node *root,
			struct certificate_machine *m)
{
	const struct node of = node_member(root, "machine");
	int rc = node_object(&of);

	if (!rc)
		rc = node_name(&of, "provider", m->provider,
			       sizeof(m->provider));
	if (!rc)
		rc = node_name(&of, "cpu", m->cpu, sizeof(m->cpu));
#define TEXT(member) \
	rc = rc ? rc : node_text(&of, #member, m->member, sizeof(m->member))
	TEXT(isa);
	TEXT(stepping);
	TEXT(microcode);
	TEXT(kernel);
	TEXT(hypervisor);
	TEXT(node);
	TEXT(options);
#undef TEXT
	return rc;
}

static int read_events(const struct node *root, struct certificate *out)
{
	const struct node list = node_member(root, "events");
	int rc = node_array(&list, CERTIFICATE_EVENTS);

	if (rc < 0)
		return rc;
	out->events = json_array_size(list.json);
	out->event = calloc(out->events + 1, sizeof(*out->event));
	if (!out->event)
		return error_set(root->line->err, -ASSAY_ENOMEM,
				 "no memory for a certificate");
	for (size_t i = 0; i < out->events && rc == 0; i++) {
		const struct node n = node_element(&list, i);

		rc = read_event(&n, &out->event[i]);
	}
	return rc;
}

static int read_files(const struct node *root, struct certificate *out)
{
	const struct node list = node_member(root, "records");
	int rc = list.json ? node_array(&list, CERTIFICATE_FILES) : 0;

	if (rc < 0 || !list.json)
		return rc;
	out->files = json_array_size(list.json);
	out->file = calloc(out->files + 1, sizeof(*out->file));
	if (!out->file)
		return error_set(root->line->err, -ASSAY_ENOMEM,
				 "no memory for a certificate");
	for (size_t i = 0; i < out->files && rc == 0; i++) {
		const struct node n = node_element(&list, i);

		rc = read_file(&n, &out->file[i]);
	}
	return rc;
}

static int read_all(const struct node *root, struct certificate *out)
{
	const struct node schema = node_member(root, "schema");
	int rc = node_object(root);

	if (rc < 0)
		return rc;
	if (!json_is_string(schema.json))
		return node_wrong(&schema, "\"" CERTIFICATE_SCHEMA "\"");
	out->old = strcmp(json_string_value(schema.json), CERTIFICATE_OLD) == 0;
	if (!out->old && strcmp(json_string_value(schema.json),
				CERTIFICATE_SCHEMA) != 0)
		return node_error(&schema, "this program reads "
				  CERTIFICATE_SCHEMA " and " CERTIFICATE_OLD);
	rc = node_name(root, "created", out->created, sizeof(out->created));
	if (!rc)
		rc = node_text(root, "assay", out->version,
			       sizeof(out->version));
	if (!rc)
		rc = read_machine(root, &out->machine);
	if (!rc)
		rc = read_files(root, out);
	return rc ? rc : read_events(root, out);
}

int certificate_parse(struct certificate *out, const char *name,
		      const char *text, size_t bytes, struct assay_error *err)
{
	const struct line line = { name, 1, text, bytes, err };
	struct certificate made = { .events = 0 };
	struct node root = { .line = &line };
	int rc = node_text_value(&root.json, &line);

	if (rc == 0)
		rc = read_all(&root, &made);
	json_decref(root.json);
	if (rc < 0)
		certificate_fini(&made);
	else
		*out = made;
	return rc;
}

int certificate_read(struct certificate *out, const char *path,
		     struct assay_error *err)
{
	size_t bytes;
	char *text;
	int rc = text_load(&text, &bytes, path, FILE_BYTES, err);

	if (rc == 0) {
		rc = certificate_parse(out, path, text, bytes, err);
		free(text);
	}
	return rc;
}

void certificate_fini(struct certificate *certificate)
{
	free(certificate->event);
	free(certificate->file);
	*certificate = (struct certificate){ .events = 0 };
}

/* ---- writing ------------------------------------------------------------ */

/* A text that is no UTF-8, as a file may have it, becomes "?". */
static json_t *text_json(const char *text)
{
	json_t *made = json_string(text);

	return made ? made : json_string("?");
}

static void put(json_t *object, const char *key, const char *text)
{
	if (*text)
		json_object_set_new(object, key, text_json(text));
}

static void put_value(json_t *object, const char *key, struct assay_value v)
{
	json_object_set_new(object, key, v.why || !isfinite(v.number) ?
			    json_null() : json_real(v.number));
}

static json_t *machine_json(const struct certificate_machine *m)
{
	json_t *made = json_object();

	put(made, "provider", m->provider);
	put(made, "cpu", m->cpu);
	put(made, "isa", m->isa);
	put(made, "stepping", m->stepping);
	put(made, "microcode", m->microcode);
	put(made, "kernel", m->kernel);
	put(made, "hypervisor", m->hypervisor);
	put(made, "node", m->node);
	put(made, "options", m->options);
	return made;
}

static json_t *event_json(const struct certificate_event *e)
{
	json_t *made = json_object();

	put(made, "event", e->event);
	put(made, "code", e->code);
	put(made, "class", assay_class_name(e->class_));
	put_value(made, "bias", e->bias);
	put_value(made, "spread", e->spread);
	json_object_set_new(made, "shapes", json_integer(e->shapes));
	json_object_set_new(made, "good", json_integer(e->good));
	put(made, "explains", e->explains);
	put(made, "proof", e->proof);
	put(made, "fails", e->fails);
	put(made, "witnesses", e->witnesses);
	return made;
}

static json_t *file_json(const struct certificate_file *f)
{
	json_t *made = json_object();

	put(made, "file", f->name);
	put(made, "sha256", f->sha256);
	json_object_set_new(made, "records", json_integer(f->records));
	return made;
}

static json_t *certificate_json(const struct certificate *c)
{
	json_t *root = json_object(), *files = json_array();
	json_t *events = json_array();

	put(root, "schema", CERTIFICATE_SCHEMA);
	put(root, "created", c->created);
	put(root, "assay", c->version);
	json_object_set_new(root, "machine", machine_json(&c->machine));
	for (size_t i = 0; i < c->files; i++)
		json_array_append_new(files, file_json(&c->file[i]));
	for (size_t i = 0; i < c->events; i++)
		json_array_append_new(events, event_json(&c->event[i]));
	json_object_set_new(root, "records", files);
	json_object_set_new(root, "events", events);
	return root;
}

int certificate_write(FILE *out, const struct certificate *certificate,
		      struct assay_error *err)
{
	json_t *root = certificate_json(certificate);
	int rc = root ? 0 : library_need(LIBRARY_JANSSON, err);

	if (rc)
		return rc;
	rc = root ? json_dumpf(root, out, JSON_INDENT(1) |
			       JSON_REAL_PRECISION(12)) : -1;
	json_decref(root);
	if (rc < 0 || putc('\n', out) == EOF || fflush(out) != 0)
		return error_set(err, -ASSAY_EIO,
				 "cannot write the certificate: %s",
				 strerror(errno));
	return 0;
}

int certificate_hash(char out[65], const char *path, struct assay_error *err)
{
	const int rc = library_need(LIBRARY_MD, err);

	if (rc || SHA256File(path, out))
		return rc;
	return error_read(err, path);
}
