/* SPDX-License-Identifier: MIT */
/* Candidates for the words in capitals of usage lines and option tables. */
#include <inttypes.h>
#include <string.h>

#include "base/data.h"
#include "base/geometry.h"
#include "base/sysfile.h"
#include "base/text.h"
#include "cli/completion/completion.h"
#include "cli/formats/matrix.h"
#include "cli/rows.h"
#include "database/database.h"

/* ---- the lists of `assay list` ------------------------------------------ */

/* A list being offered; its rows name a thing in their first field. */
struct listing {
	struct line *line;
	const char *why;	/* the field that explains a row */
	const char *end;	/* stands behind each name: ":" */
	bool counted;		/* only what counts here */
};

static int offer_row(void *ctx, const struct assay_row *row)
{
	const struct listing *l = ctx;
	const struct assay_field *here = row_find(row, "counts here");
	char name[512];

	if (l->counted && here && here->kind == ASSAY_FIELD_ABSENT)
		return 0;
	snprintf(name, sizeof(name), "%s%s", row->field[0].text, l->end);
	offer(l->line, name, row_text(row, l->why));
	return 0;
}

static void list(struct line *line, enum assay_list what, const char *on,
		 assay_row_fn *fn, void *ctx)
{
	const struct settings *s = &line->settings;
	const struct assay_options options = {
		.data_dir = s->data_dir, .event_tables = s->event_tables,
		.sysroot = s->sysroot, .cert_dir = s->cert_dir,
	};
	struct assay *assay;

	if (assay_open(&assay, &options, NULL))
		return;
	assay_list(assay, what, NULL, on, fn, ctx, NULL);
	assay_close(assay);
}

static void offer_list(struct line *line, enum assay_list what,
		       const char *why)
{
	struct listing l = { .line = line, .why = why, .end = "" };

	list(line, what, NULL, offer_row, &l);
}

static void kernels(struct line *line)
{
	offer_list(line, ASSAY_LIST_KERNELS, "what it does");
}

static void quantities(struct line *line)
{
	offer_list(line, ASSAY_LIST_QUANTITIES, "meaning");
}

static void recipes(struct line *line)
{
	offer_list(line, ASSAY_LIST_RECIPES, "title");
}

/* A CPU by its own name and, once some of it is typed, by others. */
static int offer_cpu(void *ctx, const struct assay_row *row)
{
	const struct line *line = ctx;
	const char *other = row_text(row, "aliases");
	char alias[80], why[120];

	offer(line, row->field[0].text, row_text(row, "title"));
	snprintf(why, sizeof(why), "= %s", row->field[0].text);
	while (*other && line->typed[line->kept]) {
		const size_t n = strcspn(other, " ");

		snprintf(alias, sizeof(alias), "%.*s", (int)n, other);
		offer(line, alias, why);
		other += n + (other[n] == ' ');
	}
	return 0;
}

static void cpus(struct line *line)
{
	list(line, ASSAY_LIST_CPUS, NULL, offer_cpu, line);
}

/* A formula file; behind its name and ':' one of its variants. */
static int offer_formula(void *ctx, const struct assay_row *row)
{
	struct line line = *(const struct line *)ctx;
	const char *name = row->field[0].text;
	const char *variants = row_text(row, "variants");
	const char *colon = strchr(line.typed + line.kept, ':');
	char variant[80];

	if (!colon) {
		offer(&line, name, row_text(row, "title"));
		return 0;
	}
	if (strncmp(line.typed + line.kept, name, strlen(name)) ||
	    line.typed + line.kept + strlen(name) != colon)
		return 0;
	line.kept = (size_t)(colon + 1 - line.typed);
	while (text_item(&variants, variant, sizeof(variant)))
		offer(&line, variant + strspn(variant, " "), "");
	return 0;
}

static void put_files(struct line *line)
{
	fprintf(line->out, ":files\t%.*s\n", (int)line->kept, line->typed);
}

static void formulas(struct line *line)
{
	list(line, ASSAY_LIST_FORMULAS, NULL, offer_formula, line);
	put_files(line);
}

/* ---- events -------------------------------------------------------------- */

/* Events of where the command line counts; `counted`: that count there. */
static void offer_events(struct line *line, bool counted)
{
	const struct settings *s = &line->settings;
	struct listing l = { .line = line, .why = "meaning", .end = "",
			     .counted = counted };
	char cpu[128];

	snprintf(cpu, sizeof(cpu), "sim:%.100s",
		 s->cpu_name ? s->cpu_name : "host");
	list(line, ASSAY_LIST_EVENTS, s->cpu_name ||
	     !strcmp(line->command->name, "sim") ? cpu : s->on, offer_row, &l);
}

static void events(struct line *line)
{
	offer_events(line, true);
}

static void all_events(struct line *line)
{
	offer_events(line, false);
}

/* Goes on behind the colon of what is typed. False: there is none. */
static bool behind_colon(struct line *line, const char *before)
{
	const char *typed = line->typed + line->kept;
	const char *colon = strchr(typed, ':');

	if (!colon || strncmp(typed, before, strlen(before)))
		return false;
	line->kept = (size_t)(colon + 1 - line->typed);
	return true;
}

/* "dead:EVENT": the kind, then the event. */
static int offer_fault(void *ctx, const struct assay_row *row)
{
	char kind[80];

	text_copy(kind, sizeof(kind), row->field[0].text);
	kind[strcspn(kind, ":")] = '\0';
	if (strchr(row->field[0].text, ':'))
		strcat(kind, ":");
	offer(ctx, kind, row_text(row, "meaning"));
	return 0;
}

static void faults(struct line *line)
{
	if (behind_colon(line, ""))
		offer_events(line, true);
	else
		list(line, ASSAY_LIST_FAULTS, NULL, offer_fault, line);
}

/* What `assay list KIND` has. */
static void listed(struct line *line)
{
	const char *kind = line->settings.arg[0];

	if (!strcmp(kind, "events"))
		all_events(line);
	else if (!strcmp(kind, "kernels"))
		kernels(line);
	else if (!strcmp(kind, "cpus") || !strcmp(kind, "identities"))
		cpus(line);
	else if (!strcmp(kind, "formulas"))
		offer_list(line, ASSAY_LIST_FORMULAS, "title");
	else if (!strcmp(kind, "recipes"))
		recipes(line);
	else if (!strcmp(kind, "quantities"))
		quantities(line);
}

/* ---- runs, files, places ------------------------------------------------- */

static int offer_run(void *ctx, const struct database_row *row)
{
	char number[32];

	snprintf(number, sizeof(number), "%" PRId64, database_int(row, 0));
	offer(ctx, number, database_text(row, 1));
	return 0;
}

static void runs(struct line *line)
{
	struct database *db;
	struct assay_error err;

	if (database_peek(&db, line->settings.db, &err))
		return;
	database_each(db, "SELECT id, line FROM run ORDER BY id DESC "
		      "LIMIT 1000", NULL, 0, offer_run, line, &err);
	database_close(db);
}

/* The records that are built in. */
static void records(struct line *line)
{
	static const char folder[] = "records/";
	const size_t n = sizeof(folder) - 1;
	char name[80];

	for (const struct data_file *f = data_files; f->path; f++) {
		if (strncmp(f->path, folder, n))
			continue;
		text_copy(name, sizeof(name), f->path + n);
		name[strcspn(name, ".")] = '\0';
		offer(line, name, "a record that is built in");
	}
}

static void put_folders(struct line *line)
{
	fprintf(line->out, ":folders\t%.*s\n", (int)line->kept, line->typed);
}

/* What a record is read from. */
static void recorded(struct line *line)
{
	runs(line);
	records(line);
	put_files(line);
}

static void cpus_and_files(struct line *line)
{
	cpus(line);
	put_files(line);
}

static int offer_provider(void *ctx, const struct assay_row *row)
{
	const char *name = row->field[0].text;
	const bool more = !strcmp(name, "sim") || !strcmp(name, "replay");
	const struct listing l = { .line = ctx, .why = "what",
				   .end = more ? ":" : "" };

	return offer_row((void *)&l, row);
}

static void places(struct line *line)
{
	if (behind_colon(line, "sim:")) {
		offer(line, "host", "the caches of this machine's CPU");
		cpus(line);
	} else if (behind_colon(line, "replay:")) {
		recorded(line);
	} else {
		list(line, ASSAY_LIST_PROVIDERS, NULL, offer_provider, line);
		put_files(line);
	}
}

/* The two sides of `assay compare`: files and runs, or simulated CPUs. */
static void sides(struct line *line)
{
	if (behind_colon(line, "sim:")) {
		cpus(line);
		return;
	}
	offer(line, "sim:", "a kernel on a simulated CPU: --kernel");
	recorded(line);
}

/* ---- words that are no fixed set ----------------------------------------- */

static void page_maps(struct line *line)
{
	if (behind_colon(line, "recorded:")) {
		put_files(line);
		return;
	}
	for (int i = 0; i < PAGE_MAP_NAMES; i++)
		offer(line, page_map_names[i], "");
	offer(line, "recorded:", "the frames of a native run");
}

static void report_formats(struct line *line)
{
	char formats[200];

	matrix_formats(formats, sizeof(formats), line->command,
		       line->settings.args ? line->settings.arg[0] : NULL);
	offer_words(line, formats);
}

/* `assay db --from` is `assay import --from`. */
static void foreign_formats(struct line *line)
{
	const struct command *import = command_find("import");

	offer_words(line, options_find(import->options, 0, "from", 4)->words);
}

void offer_commands(struct line *line)
{
	for (const struct command *const *c = command_table; *c; c++)
		offer(line, (*c)->name, (*c)->summary);
}

/* Of the command that `assay help` is about. */
static void subcommands(struct line *line)
{
	const struct command *about = command_find(line->settings.arg[0]);

	if (about)
		offer_verbs(line, about);
}

static void states(struct line *line)
{
	offer_words(line, "on|off");
}

static void governors(struct line *line)
{
	char words[400];

	sysfile_text(words, sizeof(words), line->settings.sysroot,
		     "/sys/devices/system/cpu/cpu0/cpufreq/"
		     "scaling_available_governors");
	for (char *c = words; *c; c++)
		if (*c == ' ')
			*c = '|';
	offer_words(line, words);
}

static void boards(struct line *line)
{
	offer_words(line, "qemu-virt|rpi4|pl011");
	put_files(line);
}

static void nothing(struct line *line)
{
	(void)line;
}

/* NULL: any. The first row that fits counts. */
static const struct {
	const char *command, *option, *placeholder;
	void (*offer)(struct line *line);
} sources[] = {
	{ NULL, NULL, "KERNEL", kernels },
	{ NULL, "kernel", "NAME", kernels },
	{ NULL, NULL, "EVENTS", events },
	{ NULL, NULL, "EVENT", all_events },
	{ NULL, NULL, "QUANTITY", quantities },
	{ NULL, NULL, "FAULT", faults },
	{ NULL, NULL, "FILE[:SET]", formulas },
	{ NULL, NULL, "FORMULA-FILE", formulas },
	{ "recipe", NULL, "NAME", recipes },
	{ "list", NULL, "NAME", listed },
	{ "cpu", NULL, "FILE", cpus_and_files },
	/* a CPU of an event table */
	{ "cpu", "cpu", NULL, nothing },
	{ "audit", "cpu", NULL, nothing },
	{ NULL, "cpu", "NAME", cpus },
	{ NULL, "like", NULL, cpus },
	{ NULL, NULL, "CPU", cpus },
	{ NULL, NULL, "WHERE", places },
	{ "compare", NULL, "OLD", sides },
	{ "compare", NULL, "NEW", sides },
	{ "db", NULL, "RUN", runs },
	{ NULL, NULL, "RUN", recorded },
	{ NULL, NULL, "MAP", page_maps },
	{ NULL, "format", NULL, report_formats },
	{ "db", "from", NULL, foreign_formats },
	{ NULL, "prefetchers", NULL, states },
	{ NULL, "governor", NULL, governors },
	{ NULL, "against", NULL, put_files },
	{ NULL, "board", NULL, boards },
	{ "help", NULL, "COMMAND", offer_commands },
	{ "list", NULL, "COMMAND", offer_commands },
	{ "help", NULL, "SUBCOMMAND", subcommands },
	{ NULL, "event-tables", NULL, put_files },
	{ NULL, "truth", NULL, put_files },
	{ NULL, NULL, "DIR", put_folders },
	{ NULL, NULL, "FILE", put_files },
	{ NULL, NULL, "BASE", put_files },
	{ NULL, NULL, "HEAD", put_files },
	{ NULL, NULL, "RECORDS.jsonl", put_files },
	{ NULL, NULL, "TABLE.csv", put_files },
};

static bool fits(const char *pattern, const char *name)
{
	return !pattern || (name && !strcmp(pattern, name));
}

void offer_placeholder(struct line *line, const char *name)
{
	const char *option = line->option ? line->option->name : NULL;

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (fits(sources[i].command, line->command->name) &&
		    fits(sources[i].option, option) &&
		    fits(sources[i].placeholder, name)) {
			sources[i].offer(line);
			return;
		}
}
