/* SPDX-License-Identifier: MIT */
/* Certificates on disk: their folder, the best fitting one, saving one. */
#include "verify/certificate.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/target.h"
#include "base/installed.h"
#include "base/output/new-file.h"
#include "base/text.h"
#include "env/env.h"

enum { PATH_ROOM = 4096, SAME_SECOND = 1000 };

static void copy_machine(struct certificate_machine *out,
			 const struct assay_machine *machine)
{
	text_copy(out->cpu, sizeof(out->cpu),
		  machine->cpu[0] ? machine->cpu : "unknown");
	text_copy(out->isa, sizeof(out->isa), machine->isa);
	text_copy(out->kernel, sizeof(out->kernel), machine->kernel);
	text_copy(out->hypervisor, sizeof(out->hypervisor),
		  machine->hypervisor);
	text_copy(out->microcode, sizeof(out->microcode), machine->microcode);
}

static void this_machine(struct certificate_machine *out,
			 const struct assay *assay)
{
	copy_machine(out, &assay->machine);
	env_revision(out->stepping, sizeof(out->stepping), out->microcode,
		     sizeof(out->microcode), assay->sysroot);
}

int certificate_machine(struct certificate_machine *out,
			const struct assay *assay, const char *on,
			struct assay_error *err)
{
	struct target target;
	int rc;

	*out = (struct certificate_machine){ .cpu = "" };
	if (!on || strncmp(on, "perf", 4) == 0) {
		text_copy(out->provider, sizeof(out->provider), "perf");
		this_machine(out, assay);
		return 0;
	}
	rc = target_init(&target, assay, on, NULL, false, err);
	if (rc < 0)
		return rc;
	text_copy(out->provider, sizeof(out->provider),
		  strncmp(on, "sim:", 4) ? target.provider->name : "sim");
	if (target.cpu) {
		text_copy(out->cpu, sizeof(out->cpu), target.cpu->name);
		text_copy(out->isa, sizeof(out->isa), isa_names[target.isa]);
		target_options_text(out->options, sizeof(out->options),
				    &target);
	} else if (target.saved.records) {
		copy_machine(out, &target.saved.record[0]->machine);
	} else {
		this_machine(out, assay);
	}
	target_fini(&target);
	return 0;
}

int certificate_folder(char *out, size_t room, const struct assay *assay,
		       struct assay_error *err)
{
	if (!assay->cert_dir)
		return user_file(out, room, "certificates", "certificates",
				 "--cert-dir DIR", err);
	if (strlen(assay->cert_dir) >= room)
		return error_set(err, -ASSAY_ENOENT,
				 "the path of the certificates is too long");
	text_copy(out, room, assay->cert_dir);
	return 0;
}

bool certificate_kept(const struct assay *assay)
{
	char folder[PATH_ROOM];

	return certificate_folder(folder, sizeof(folder), assay, NULL) == 0 &&
	       access(folder, F_OK) == 0;
}

int certificate_fit(const struct certificate_machine *have,
		    const struct certificate_machine *want)
{
	if (strcmp(have->provider, want->provider) != 0 ||
	    strcmp(have->cpu, want->cpu) != 0 ||
	    strcmp(have->isa, want->isa) != 0 ||
	    strcmp(have->options, want->options) != 0 ||
	    strcmp(have->hypervisor, want->hypervisor) != 0)
		return 0;
	return 1 + (strcmp(have->microcode, want->microcode) == 0) +
	       (strcmp(have->stepping, want->stepping) == 0) +
	       (strcmp(have->kernel, want->kernel) == 0);
}

static bool is_json(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && name[0] != '.' && strcmp(name + n - 5, ".json") == 0;
}

/*
 * Certificate c replaces *best if c fits better, or equally well and is newer.
 */
static void take_better(struct certificate *best, int *fit, char *path,
			size_t room, struct certificate *c, const char *from,
			const struct certificate_machine *want)
{
	int f = certificate_fit(&c->machine, want);
	int newer = *fit ? strcmp(c->created, best->created) : 1;

	/*
	 * created in the same second: the greater path wins, always the same
	 * one
	 */
	if (newer == 0)
		newer = strcmp(from, path);
	if (f == 0 || f < *fit || (f == *fit && newer <= 0)) {
		certificate_fini(c);
		return;
	}
	certificate_fini(best);
	*best = *c;
	*fit = f;
	text_copy(path, room, from);
}

int certificate_find(struct certificate *out, char *path, size_t room,
		     const struct assay *assay,
		     const struct certificate_machine *want,
		     unsigned *unreadable)
{
	char folder[PATH_ROOM / 2], file[PATH_ROOM];
	struct certificate best = { .events = 0 }, c;
	struct dirent *entry;
	int fit = 0;
	DIR *dir;

	*unreadable = 0;
	*path = '\0';
	if (certificate_folder(folder, sizeof(folder), assay, NULL) < 0)
		return 0;
	dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		if (!is_json(entry->d_name))
			continue;
		snprintf(file, sizeof(file), "%s/%s", folder, entry->d_name);
		if (certificate_read(&c, file, NULL) < 0)
			(*unreadable)++;
		else
			take_better(&best, &fit, path, room, &c, file, want);
	}
	if (dir)
		closedir(dir);
	*out = best;
	return fit > 0;
}

/* Makes the folder, and missing parents with access for the user alone. */
static int make_folder(const char *path, struct assay_error *err)
{
	char part[PATH_ROOM];

	text_copy(part, sizeof(part), path);
	for (char *slash = part + 1; *slash; slash++) {
		if (*slash != '/')
			continue;
		*slash = '\0';
		mkdir(part, 0700);
		*slash = '/';
	}
	if (mkdir(part, 0755) == 0 || errno == EEXIST)
		return 0;
	return error_set(err, -ASSAY_EIO, "cannot make '%.300s': %s", path,
			 strerror(errno));
}

/* "sim-cortex-a72-20261122T005000Z": no blanks, no slashes. */
static void stem(char *out, size_t room, const struct certificate *c)
{
	size_t n = 0;
	char text[700];

	snprintf(text, sizeof(text), "%s-%s-%s%s%s", c->machine.provider,
		 c->machine.cpu, c->created, *c->machine.node ? "-" : "",
		 c->machine.node);
	for (const char *p = text; *p && n + 1 < room; p++)
		if (isalnum((unsigned char)*p) || strchr("-_.", *p))
			out[n++] = *p;
		else if (*p == ' ')
			out[n++] = '_';
	out[n] = '\0';
}

static int write_records(const char *path, struct assay_record *const *record,
			 size_t records, struct assay_error *err)
{
	FILE *out = fopen(path, "wx");
	int rc = 0;

	if (!out)
		return error_write(err, path);
	for (size_t i = 0; i < records && rc == 0; i++)
		rc = store_write(out, record[i], err);
	if (fclose(out) != 0 && rc == 0)
		rc = error_write(err, path);
	if (rc < 0)
		unlink(path);
	return rc;
}

/*
 * Saves the records next to the certificate and their hash in the certificate.
 */
static int save_records(struct certificate *c, const char *path,
			struct assay_record *const *record, size_t records,
			struct assay_error *err)
{
	const char *name = strrchr(path, '/');
	int rc = write_records(path, record, records, err);

	if (rc < 0)
		return rc;
	c->file = calloc(1, sizeof(*c->file));
	if (!c->file)
		return error_memory(err);
	c->files = 1;
	c->file->records = (unsigned)records;
	text_copy(c->file->name, sizeof(c->file->name), name ? name + 1 : path);
	return certificate_hash(c->file->sha256, path, err);
}

/* No reader sees half a file. */
static int write_all(const struct certificate *c, const char *path,
		       struct assay_error *err)
{
	struct new_file new;
	int written, rc = new_file_open(&new, path, err);

	if (rc < 0)
		return rc;
	written = certificate_write(new.file, c, err);
	rc = new_file_close(&new, written == 0, err);
	return written < 0 ? written : rc;
}

static void stamp(struct certificate *c)
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(c->created, sizeof(c->created), "%Y-%m-%dT%H:%M:%SZ", &tm);
	text_copy(c->version, sizeof(c->version), assay_version());
}

int certificate_save(struct certificate *c, struct assay_record *const *record,
		     size_t records, const struct assay *assay, char *path,
		     size_t room, struct assay_error *err)
{
	char folder[PATH_ROOM / 2], name[400], lines[PATH_ROOM];
	int rc = certificate_folder(folder, sizeof(folder), assay, err);

	if (rc == 0)
		rc = make_folder(folder, err);
	if (rc < 0)
		return rc;
	text_copy(c->machine.node, sizeof(c->machine.node), assay->place.node);
	stamp(c);
	stem(name, sizeof(name), c);
	for (int i = 0; i < SAME_SECOND; i++) {
		snprintf(path, room, i ? "%s/%s-%d.json" : "%s/%s.json",
			 folder, name, i);
		snprintf(lines, sizeof(lines), "%.*s.jsonl",
			 (int)strlen(path) - 5, path);
		if (access(path, F_OK) != 0 && access(lines, F_OK) != 0)
			break;
	}
	if (records)
		rc = save_records(c, lines, record, records, err);
	return rc ? rc : write_all(c, path, err);
}
