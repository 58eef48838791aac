/* SPDX-License-Identifier: MIT */
/*
 * `assay explain PMU/.../` for the PMU of a core: fields with values, an
 * event's name, or both; as in perf, a term replaces the field of the name.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "events/explain/explain.h"
#include "events/table.h"

/* perf's terms that change nothing of what is counted. */
static bool changes_nothing(const char *term)
{
	static const char *const terms[] = {
		"name", "period", "freq", "branch_type", "time", "call-graph",
		"stack-size", "max-stack", "nr", "inherit", "no-inherit",
		"overwrite", "no-overwrite", "percore", "aux-output",
		"aux-sample-size", "metric-id", NULL
	};

	for (int i = 0; terms[i]; i++)
		if (!strcmp(terms[i], term))
			return true;
	return false;
}

static bool is_config1(const char *term)
{
	return !strcmp(term, "config1") || !strcmp(term, "offcore_rsp") ||
	       !strcmp(term, "ldlat") || !strcmp(term, "frontend");
}

static void replace(uint64_t *word, unsigned low, unsigned high, uint64_t value)
{
	const uint64_t mask = (UINT64_MAX >> (63 - (high - low))) << low;

	*word = (*word & ~mask) | value << low;
}

static int too_large(const struct subject *s, const char *key, uint64_t value,
		     unsigned bits, struct assay_error *err)
{
	return error_set(err, -ASSAY_EINVAL, "%s=0x%llx is too large: on "
			 "%.60s the field has %u bits", key,
			 (unsigned long long)value, explain_cpu_name(s), bits);
}

/* The fields of two places, of `bits` bits in all, 8 in the first. */
static int set_split(struct subject *s, const char *key, unsigned low,
		     unsigned high, unsigned bits, uint64_t value,
		     struct assay_error *err)
{
	if (value >> bits)
		return too_large(s, key, value, bits, err);
	replace(&s->config, low, low + 7, value & 0xff);
	if (bits > 8)
		replace(&s->config, high, high + bits - 9, value >> 8);
	return 1;
}

/* Sets one field of the config: 1; 0 if there is no such field, or an error. */
static int set_field(struct subject *s, const char *key, uint64_t value,
		     struct assay_error *err)
{
	size_t fields;
	const struct code_field *f = code_fields(s->layout, &fields);

	if (!strcmp(key, "config") || is_config1(key)) {
		*(is_config1(key) ? &s->config1 : &s->config) = value;
		return 1;
	}
	if (!strcmp(key, "event") && s->layout == CODE_AMD)
		return set_split(s, key, 0, 32, 12, value, err);
	if (!strcmp(key, "umask") && s->layout == CODE_INTEL)
		return set_split(s, key, 8, 40,
				 explain_narrow_umask(s) ? 8 : 16, value, err);
	for (size_t i = 0; i < fields; i++) {
		const unsigned bits = f[i].high - f[i].low + 1u;

		if (strcmp(f[i].name, key) || !strcmp(key, "reserved"))
			continue;
		if (value >> bits)
			return too_large(s, key, value, bits, err);
		replace(&s->config, f[i].low, f[i].high, value);
		return 1;
	}
	return 0;
}

static int bad_term(const char *term, struct assay_error *err)
{
	return error_set(err, -ASSAY_EINVAL, "the term '%.60s' is none that "
			 "fits: write PMU/event=0x42,umask=0x1e/", term);
}

/* The event whose fields the other terms replace. */
static int set_event(struct subject *s, const char *name,
		     struct assay_error *err)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_event *e = cpu ? cpu_event_find(cpu, name) : NULL;
	struct table_event event;
	int rc = FOUND;

	if (e) {
		s->config = e->code;
		return 0;
	}
	rc = table_find(&event, s->target, s->layout, name, 0, err);
	if (rc < 0)
		return rc;
	if (rc == NOT_MINE || !event.coded)
		return bad_term(name, err);
	s->config = event.config;
	s->config1 = event.config1;
	return 0;
}

static int set_term(struct subject *s, char *term, struct assay_error *err)
{
	char *value = strchr(term, '='), *end = NULL;
	uint64_t number = 1;
	int rc;

	if (value)
		*value++ = '\0';
	if (changes_nothing(term))
		return 0;
	if (value) {
		errno = 0;
		number = strtoull(value, &end, 0);
		if (!isdigit((unsigned char)*value) || *end || errno)
			return bad_term(value, err);
	}
	rc = set_field(s, term, number, err);
	if (rc)
		return rc < 0 ? rc : 0;
	return value ? bad_term(term, err) : set_event(s, term, err);
}

int explain_terms(struct subject *s, struct assay_error *err)
{
	char text[ASSAY_NAME], *term, *rest;
	const char *slash = strchr(s->name, '/');
	int rc = 0;

	text_copy(text, sizeof(text), slash + 1);
	text[strlen(text) - 1] = '\0';
	for (term = strtok_r(text, ",", &rest); term && !rc;
	     term = strtok_r(NULL, ",", &rest))
		rc = set_term(s, term, err);
	return rc;
}
