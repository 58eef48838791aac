/* SPDX-License-Identifier: MIT */
/* Writing certificates, and the hashes in them. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/types.h>

#include <jansson.h>
#include <sha2.h>

#include "base/text.h"
#include "store/certificate.h"

/* Texts come from files: what is no UTF-8 is left out. */
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
	int rc = root ? json_dumpf(root, out, JSON_INDENT(1) |
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
	if (SHA256File(path, out))
		return 0;
	return error_read(err, path);
}
