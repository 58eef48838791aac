/* SPDX-License-Identifier: MIT */
/* Reading certificates. */
#include "store/certificate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/node.h"

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
	json_error_t e;
	int rc;

	root.json = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &e);
	if (!root.json)
		return error_at(err, name, NULL, e.line > 0 ? e.line : 1,
				e.column > 0 ? e.column : 1, "%s", e.text);
	rc = read_all(&root, &made);
	json_decref(root.json);
	if (rc < 0)
		certificate_fini(&made);
	else
		*out = made;
	return rc;
}

/* All of a stream, ended by a NUL; NULL: errno says why. */
static char *slurp(FILE *in, size_t *bytes)
{
	char *text = malloc(FILE_BYTES + 2);

	if (!text)
		return NULL;
	*bytes = fread(text, 1, FILE_BYTES + 1, in);
	if (ferror(in) || *bytes > FILE_BYTES) {
		errno = ferror(in) ? EIO : EFBIG;
		free(text);
		return NULL;
	}
	text[*bytes] = '\0';
	return text;
}

int certificate_read(struct certificate *out, const char *path,
		     struct assay_error *err)
{
	FILE *in = fopen(path, "r");
	size_t bytes = 0;
	char *text = in ? slurp(in, &bytes) : NULL;
	int rc;

	if (!text)
		rc = error_read(err, path);
	else
		rc = certificate_parse(out, path, text, bytes, err);
	free(text);
	if (in)
		fclose(in);
	return rc;
}

void certificate_fini(struct certificate *certificate)
{
	free(certificate->event);
	free(certificate->file);
	*certificate = (struct certificate){ .events = 0 };
}
