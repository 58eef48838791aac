/* SPDX-License-Identifier: MIT */
/*
 * Events of PMUs that the kernel describes in /sys/bus/event_source/devices:
 * `type` is the PMU's number, `format` has the bits that a term fills, `events`
 * the terms that a name stands for. Also rNNN, a code of the core PMU.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "events/resolvers.h"

#define TERMS_ROOM 256
#define TYPE_RAW 4

static const char devices[] = "/sys/bus/event_source/devices";

const char pmu_core_absent[] =
	"no hardware counters here: see 'assay doctor'";

struct pmu {
	const char *sysroot;
	char name[ASSAY_NAME];
	uint32_t type;
};

static bool has_file(const char *sysroot, const char *pmu, const char *file)
{
	char text[16];

	return sysfile_text(text, sizeof(text), sysroot, "%s/%s/%s", devices,
			   pmu, file) >= 0;
}

static bool read_type(uint32_t *out, const char *sysroot, const char *pmu)
{
	char text[32], *end;
	unsigned long value;

	if (sysfile_text(text, sizeof(text), sysroot, "%s/%s/type", devices,
			pmu) <= 0)
		return false;
	value = strtoul(text, &end, 10);
	if (*end || value > UINT32_MAX)
		return false;
	*out = (uint32_t)value;
	return true;
}

static int is_core(void *ctx, const char *name)
{
	const char *sysroot = ctx;
	uint32_t type;

	return (read_type(&type, sysroot, name) && type == TYPE_RAW) ||
	       has_file(sysroot, name, "cpus");
}

bool pmu_core(const char *sysroot)
{
	return sysfile_visit(sysroot, devices, is_core, (void *)sysroot) != 0;
}

bool pmu_bind(struct encoding *out, const char *sysroot, const char *pmu)
{
	if (!read_type(&out->pmu_type, sysroot, pmu))
		return false;
	out->family = ENCODING_PMU;
	return true;
}

bool pmu_kinds(const char *sysroot)
{
	uint32_t type;

	for (int i = 0; i < CPU_CORES; i++)
		if (read_type(&type, sysroot, cpu_core_pmus[i]))
			return true;
	return false;
}

bool pmu_has_event(const char *sysroot, const char *pmu, const char *name)
{
	char file[ASSAY_NAME + 8];

	snprintf(file, sizeof(file), "events/%s", name);
	return !strchr(name, '/') && *name != '.' &&
	       has_file(sysroot, pmu, file);
}

/* Puts the value into the bits "0-7,32-35", lowest bits first; false if the
 * value has more bits. */
static bool scatter(uint64_t *word, const char *bits, uint64_t value)
{
	unsigned low, high;
	int used;

	while (*bits) {
		if (sscanf(bits, "%u-%u%n", &low, &high, &used) < 2) {
			if (sscanf(bits, "%u%n", &low, &used) < 1)
				return false;
			high = low;
		}
		if (high > 63 || low > high)
			return false;
		for (unsigned b = low; b <= high; b++, value >>= 1) {
			*word &= ~(UINT64_C(1) << b);
			*word |= (value & 1) << b;
		}
		bits += used;
		bits += *bits == ',';
	}
	return value == 0;
}

static uint64_t *word_of(struct encoding *out, const char *name, size_t length)
{
	if (length == 6 && !strncmp(name, "config", 6))
		return &out->config;
	if (length == 7 && !strncmp(name, "config1", 7))
		return &out->config1;
	if (length == 7 && !strncmp(name, "config2", 7))
		return &out->config2;
	return NULL;
}

static int set_field(struct encoding *out, const struct pmu *pmu,
		     const char *key, uint64_t value, struct assay_error *err)
{
	uint64_t *word = word_of(out, key, strlen(key));
	char format[128], *colon;

	if (word) {
		*word = value;
		return 0;
	}
	if (strchr(key, '/') ||
	    sysfile_text(format, sizeof(format), pmu->sysroot,
			"%s/%s/format/%s", devices, pmu->name, key) <= 0)
		return error_set(err, -ASSAY_ENOENT, "PMU '%s' has neither an "
				 "event nor a field '%s'", pmu->name, key);
	colon = strchr(format, ':');
	word = colon ? word_of(out, format, (size_t)(colon - format)) : NULL;
	if (!word)
		return error_set(err, -ASSAY_EINVAL, "PMU '%s': field '%s' is "
				 "described as '%s'", pmu->name, key, format);
	if (!scatter(word, colon + 1, value))
		return error_set(err, -ASSAY_ERANGE, "PMU '%s': %s=0x%llx does "
				 "not fit into bits %s", pmu->name, key,
				 (unsigned long long)value, colon + 1);
	return 0;
}

/* "r1e42" as a term. */
static int set_raw(struct encoding *out, const char *term)
{
	char *end;

	if (term[0] != 'r' || !isxdigit((unsigned char)term[1]))
		return NOT_MINE;
	errno = 0;
	out->config = strtoull(term + 1, &end, 16);
	return *end || errno ? NOT_MINE : FOUND;
}

static int set_terms(struct encoding *out, const struct pmu *pmu, char *terms,
		     bool aliases, struct assay_error *err);

/* A word without '=': an event's name, a raw code, or a one-bit field. */
static int set_word(struct encoding *out, const struct pmu *pmu,
		    const char *word, bool aliases, struct assay_error *err)
{
	char alias[TERMS_ROOM];

	if (aliases && !strchr(word, '/') && word[0] != '.' &&
	    sysfile_text(alias, sizeof(alias), pmu->sysroot,
			"%s/%s/events/%s", devices, pmu->name, word) > 0)
		return set_terms(out, pmu, alias, false, err);
	if (set_raw(out, word) == FOUND)
		return 0;
	return set_field(out, pmu, word, 1, err);
}

static int set_term(struct encoding *out, const struct pmu *pmu, char *term,
		    bool aliases, struct assay_error *err)
{
	char *value = strchr(term, '='), *end;
	uint64_t number;

	if (!value)
		return set_word(out, pmu, term, aliases, err);
	*value++ = '\0';
	if (!strcmp(term, "name"))
		return 0;
	if (!strcmp(value, "?"))
		return error_set(err, -ASSAY_EINVAL, "PMU '%s': the event "
				 "needs a value: write %s=NUMBER", pmu->name,
				 term);
	errno = 0;
	number = strtoull(value, &end, 0);
	if (!*value || *value == '-' || *end || errno)
		return error_set(err, -ASSAY_EINVAL,
				 "PMU '%s': %s=%s is not a number", pmu->name,
				 term, value);
	return set_field(out, pmu, term, number, err);
}

static int set_terms(struct encoding *out, const struct pmu *pmu, char *terms,
		     bool aliases, struct assay_error *err)
{
	char *term, *rest;
	int rc = 0;

	for (term = strtok_r(terms, ",", &rest); term && !rc;
	     term = strtok_r(NULL, ",", &rest))
		rc = set_term(out, pmu, term, aliases, err);
	return rc;
}

/* PMUs that Linux drives on some machine: such a name is no typing mistake. */
static bool known_elsewhere(const char *name)
{
	static const char *const prefixes[] = {
		"cpu", "armv7", "armv8", "armv9", "apple_", "arm_", "uncore_",
		"amd_", "power", "msr", "intel_", "cstate_", "i915", "hisi_",
		"breakpoint", "cpum_", "ibs_", "thunderx2_", NULL
	};

	for (int i = 0; prefixes[i]; i++)
		if (!strncmp(prefixes[i], name, strlen(prefixes[i])))
			return true;
	return false;
}

static int no_such_pmu(struct encoding *out, const struct pmu *pmu,
		       struct assay_error *err)
{
	if (!known_elsewhere(pmu->name))
		return error_set(err, -ASSAY_ENOENT, "there is no PMU '%s' in "
				 "%s", pmu->name, devices);
	snprintf(out->absent, sizeof(out->absent),
		 "this machine has no PMU '%.40s'%s", pmu->name,
		 pmu_core(pmu->sysroot) ? "" : " and no other core PMU; see "
		 "'assay doctor'");
	out->family = ENCODING_PMU;
	return FOUND;
}

static int set_pmu_event(struct encoding *out, const struct pmu *pmu,
			 const char *name, size_t bytes,
			 struct assay_error *err)
{
	char terms[TERMS_ROOM];
	int rc;

	if (bytes >= sizeof(terms))
		return error_set(err, -ASSAY_ERANGE, "'%s' is too long", name);
	memcpy(terms, name, bytes);
	terms[bytes] = '\0';
	rc = set_terms(out, pmu, terms, true, err);
	if (rc)
		return rc;
	/* Linux gives the P cores' PMU the number of raw events. */
	out->family = pmu->type == TYPE_RAW &&
		      cpu_core_of(pmu->name, strlen(pmu->name)) < 0 ?
		      ENCODING_RAW : ENCODING_PMU;
	out->pmu_type = pmu->type;
	snprintf(out->code, sizeof(out->code), "0x%llx",
		 (unsigned long long)out->config);
	return FOUND;
}

static int resolve_path(struct encoding *out, const char *name,
			const char *slash, const char *sysroot,
			struct assay_error *err)
{
	const char *last = strrchr(slash + 1, '/');
	const size_t length = (size_t)(slash - name);
	struct pmu pmu = { .sysroot = sysroot };

	if (!last || last[1] || !length || length >= sizeof(pmu.name) ||
	    name[0] == '.')
		return error_set(err, -ASSAY_EINVAL,
				 "'%s': write PMU/TERM=VALUE,.../", name);
	text_copy(pmu.name, sizeof(pmu.name), name);
	pmu.name[length] = '\0';
	if (!read_type(&pmu.type, sysroot, pmu.name))
		return no_such_pmu(out, &pmu, err);
	return set_pmu_event(out, &pmu, slash + 1, (size_t)(last - slash - 1),
			     err);
}

/* The search of the AArch64 PMUs for an event code. */
struct implemented {
	const char *sysroot, *pmu;
	uint64_t code;
	bool listed, found;	/* a PMU lists events; and this event */
};

static int match_code(void *ctx, const char *name)
{
	struct implemented *i = ctx;
	char text[64];

	if (sysfile_text(text, sizeof(text), i->sysroot, "%s/%s/events/%s",
			devices, i->pmu, name) <= 0 ||
	    strncmp(text, "event=", 6))
		return 0;
	i->listed = true;
	i->found |= strtoull(text + 6, NULL, 0) == i->code;
	return i->found;
}

static int one_arm_pmu(void *ctx, const char *name)
{
	struct implemented *i = ctx;
	char folder[512];

	if (strncmp(name, "armv8", 5) && strncmp(name, "armv9", 5))
		return 0;
	snprintf(folder, sizeof(folder), "%s/%s/events", devices, name);
	i->pmu = name;
	sysfile_visit(i->sysroot, folder, match_code, i);
	return i->found;
}

/* The last architectural event that the kernel has a name for. */
#define LAST_NAMED 0x38

bool pmu_implements(const char *sysroot, uint64_t code)
{
	struct implemented i = { .sysroot = sysroot, .code = code };

	if (code > LAST_NAMED)
		return true;
	sysfile_visit(sysroot, devices, one_arm_pmu, &i);
	return i.found || !i.listed;
}

/* The search for an event by its name alone, over all PMUs. */
struct search {
	const char *sysroot, *pmu, *event;
	char found[512];	/* PMU/EVENT/ */
};

static int match_event(void *ctx, const char *name)
{
	struct search *s = ctx;

	if (!text_equal(name, s->event))
		return 0;
	snprintf(s->found, sizeof(s->found), "%s/%s/", s->pmu, name);
	return 1;
}

static int search_pmu(void *ctx, const char *name)
{
	struct search *s = ctx;
	char folder[512];

	snprintf(folder, sizeof(folder), "%s/%s/events", devices, name);
	s->pmu = name;
	return sysfile_visit(s->sysroot, folder, match_event, s) == 1;
}

int pmu_resolve(struct encoding *out, const char *name,
		const struct events_target *target, struct assay_error *err)
{
	const char *slash = strchr(name, '/');
	struct search s = { .sysroot = target->sysroot, .event = name };

	if (slash)
		return resolve_path(out, name, slash, target->sysroot, err);
	if (sysfile_visit(target->sysroot, devices, search_pmu, &s) != 1)
		return NOT_MINE;
	return resolve_path(out, s.found, strchr(s.found, '/'),
			    target->sysroot, err);
}

struct listing {
	const char *sysroot, *pmu;
	event_name_fn *fn;
	void *ctx;
};

static int list_event(void *ctx, const char *name)
{
	const struct listing *l = ctx;
	char full[512], code[128];

	if (strchr(name, '.'))
		return 0;	/* NAME.scale, NAME.unit: no events */
	snprintf(full, sizeof(full), "%s/%s/", l->pmu, name);
	sysfile_text(code, sizeof(code), l->sysroot, "%s/%s/events/%s",
		    devices, l->pmu, name);
	return l->fn(l->ctx, &(struct event_name){ full, "kernel", code, "",
						   NULL });
}

static int list_pmu(void *ctx, const char *name)
{
	struct listing *l = ctx;
	char folder[512];
	int rc;

	snprintf(folder, sizeof(folder), "%s/%s/events", devices, name);
	l->pmu = name;
	rc = sysfile_visit(l->sysroot, folder, list_event, l);
	return rc < 0 ? 0 : rc;
}

int pmu_names(const struct events_target *target, event_name_fn *fn, void *ctx)
{
	struct listing listing = { .sysroot = target->sysroot, .fn = fn,
			     .ctx = ctx };
	const int rc = sysfile_visit(target->sysroot, devices, list_pmu,
				     &listing);

	return rc < 0 ? 0 : rc;
}

/* ---- codes of the core PMU --------------------------------------------- */

int raw_resolve(struct encoding *out, const char *name,
		const struct events_target *target, struct assay_error *err)
{
	const size_t digits = strlen(name) - (name[0] != '\0');

	(void)target;
	if (name[0] != 'r' || digits == 0 ||
	    strspn(name + 1, "0123456789abcdefABCDEF") != digits)
		return NOT_MINE;
	if (digits > 16)
		return error_set(err, -ASSAY_ERANGE, "'%s': a raw code has at "
				 "most 16 hexadecimal digits", name);
	out->family = ENCODING_RAW;
	out->config = strtoull(name + 1, NULL, 16);
	snprintf(out->code, sizeof(out->code), "0x%llx",
		 (unsigned long long)out->config);
	return FOUND;
}

int raw_names(const struct events_target *target, event_name_fn *fn, void *ctx)
{
	static const struct event_name names[] = {
		{ "rNNN", "raw", "", "code NNN (hexadecimal) of the core PMU",
		  NULL },
		{ "mem:ADDRESS/BYTES:rw", "breakpoint", "", "accesses to one "
		  "word of memory; 'mem:watched' is the kernel's own, and "
		  "for assay stat a symbol of the program may stand for the "
		  "address", NULL },
		{ "PMU/TERM=VALUE,.../", "raw", "", "a code of any PMU in "
		  "/sys/bus/event_source/devices, field by field", NULL },
	};
	struct event_name row;
	int rc = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !rc; i++) {
		row = names[i];
		if (i == 0 && !pmu_core(target->sysroot))
			row.absent = pmu_core_absent;
		rc = fn(ctx, &row);
	}
	return rc;
}
