/* SPDX-License-Identifier: MIT */
/*
 * assay fleet run: the line of the user's launcher, and which nodes came back
 * with a complete file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process/process.h"
#include "base/text.h"
#include "cli/fleet/fleet.h"
#include "cli/fleet/file-name.h"
#include "cli/progress.h"

enum { MOST_NODES = 20000, WORDS = 512, TAIL = 1024 };

struct nodes {
	char **name;
	size_t nodes;
};

struct fleet_job {
	struct context *context;
	struct nodes all, missing;
	char self[4096];		/* this program */
	char output[1024];		/* the command's -o */
	bool own_output;		/* the user gave none */
};

static int add_node(struct nodes *n, const char *name)
{
	char **more = reallocarray(n->name, n->nodes + 1, sizeof(*more));

	if (more)
		n->name = more;
	if (!more || n->nodes == MOST_NODES)
		return -ASSAY_ENOMEM;
	n->name[n->nodes] = strdup(name);
	return n->name[n->nodes] ? (n->nodes++, 0) : -ASSAY_ENOMEM;
}

static void clear(struct nodes *n)
{
	for (size_t i = 0; i < n->nodes; i++)
		free(n->name[i]);
	free(n->name);
	*n = (struct nodes){ NULL, 0 };
}

/* ---- which nodes --------------------------------------------------------- */

static int on_host(void *ctx, const char *text, size_t bytes)
{
	char name[256];

	snprintf(name, sizeof(name), "%.*s", (int)(bytes < 255 ? bytes : 255),
		 text);
	name[strcspn(name, "\r\n")] = '\0';
	return *name ? add_node(ctx, name) : 0;
}

/* Slurm's own expansion of "n[01-16]". */
static int ask_slurm(struct nodes *out, const char *list,
		     struct assay_error *err)
{
	const char *argv[] = { "scontrol", "show", "hostnames", list, NULL };
	const struct process_run how = {
		.argv = argv, .keep = -1, .line = on_host, .line_ctx = out,
	};
	int status = 0, rc = process_find("scontrol", "slurm-client", err);

	rc = rc ? rc : process_run(&how, &status, err);
	if (!rc && status)
		rc = error_set(err, -ASSAY_EINVAL, "scontrol does not know the "
			       "nodes '%.100s'", list);
	return rc;
}

static int find_nodes(struct fleet_job *j, struct assay_error *err)
{
	const struct settings *s = &j->context->settings;
	const char *list = s->nodes ? s->nodes : getenv("SLURM_JOB_NODELIST");
	char name[256];
	int rc = 0;

	if (!list || (s->mpi && !s->nodes)) {
		error_set(err, -ASSAY_EINVAL, "on which nodes?");
		error_add(err, "try: --nodes n01,n02, or --slurm within salloc "
			  "or sbatch");
		return -ASSAY_EINVAL;
	}
	if (!s->mpi && (strchr(list, '[') || !s->nodes))
		return ask_slurm(&j->all, list, err);
	while (!rc && text_item(&list, name, sizeof(name)))
		rc = *name ? add_node(&j->all, name) : 0;
	return rc ? error_memory(err) : 0;
}

/* ---- which files --------------------------------------------------------- */

/* The name after -o or --output in the command, or NULL. */
static const char *output_of(char *const *word)
{
	for (; *word; word++) {
		if (!strcmp(*word, "-o") || !strcmp(*word, "--output"))
			return word[1];
		if (!strncmp(*word, "--output=", 9))
			return *word + 9;
	}
	return NULL;
}

static int find_output(struct fleet_job *j, struct assay_error *err)
{
	char *const *word = j->context->settings.program;
	const char *given = output_of(word);

	j->own_output = !given;
	if (given)
		text_copy(j->output, sizeof(j->output), given);
	else
		snprintf(j->output, sizeof(j->output), "%.60s-%%h.jsonl",
			 word[0]);
	if (strstr(j->output, "%h") && !strpbrk(j->output, "\n") &&
	    !strstr(j->output, "%p") && !strstr(j->output, "%t") &&
	    !strstr(j->output, "%r") && !strstr(j->output, "%j"))
		return 0;
	error_set(err, -ASSAY_EINVAL, "'%.200s' does not tell the file of a "
		  "node", j->output);
	error_add(err, "try: -o NAME-%%h.jsonl, without %%r, %%j, %%p and %%t");
	return -ASSAY_EINVAL;
}

/* Has the file the last line of a rank that measured (docs/record.md)? */
static bool is_complete(const struct fleet_job *j, const char *node)
{
	struct launcher place = { .rank = LAUNCHER_UNKNOWN };
	char path[4096], tail[TAIL + 1], *line;
	FILE *in;
	size_t n;

	text_copy(place.node, sizeof(place.node), node);
	if (file_name_expand(path, sizeof(path), j->output, &place, NULL))
		return false;
	in = fopen(path, "r");
	if (!in)
		return false;
	if (fseek(in, -TAIL, SEEK_END))
		rewind(in);
	n = fread(tail, 1, TAIL, in);
	fclose(in);
	tail[n] = '\0';
	if (n < 2 || tail[n - 1] != '\n')
		return false;
	tail[n - 1] = '\0';
	line = strrchr(tail, '\n');
	line = line ? line + 1 : tail;
	return !strncmp(line, "{\"t\":\"rank\",", 12) &&
	       strstr(line, "\"measured\":\"yes\"");
}

static int find_missing(struct fleet_job *j)
{
	int rc = 0;

	clear(&j->missing);
	for (size_t i = 0; i < j->all.nodes && !rc; i++)
		if (!is_complete(j, j->all.name[i]))
			rc = add_node(&j->missing, j->all.name[i]);
	return rc;
}

/* ---- the launcher -------------------------------------------------------- */

/* "n1,n2,n3", for free(); NULL: no memory. */
static char *join(const struct nodes *n, const char *before)
{
	size_t bytes = strlen(before) + 1;
	char *out;

	for (size_t i = 0; i < n->nodes; i++)
		bytes += strlen(n->name[i]) + 1;
	out = malloc(bytes);
	if (!out)
		return NULL;
	strcpy(out, before);
	for (size_t i = 0; i < n->nodes; i++) {
		if (i)
			strcat(out, ",");
		strcat(out, n->name[i]);
	}
	return out;
}

/* The words of srun or mpirun before the command. Returns how many. */
static size_t launcher_words(const struct fleet_job *j, const char **word,
			     char number[24], const char *list, bool again)
{
	static const char *const slurm[] = {
		"srun", "--no-kill", "--kill-on-bad-exit=0",
		"--ntasks-per-node=1",
	};
	/* Exit code 3 of one rank must not end the others. */
	static const char *const mpi[] = {
		"mpirun", "--mca", "orte_abort_on_non_zero_status", "0",
		"--map-by", "ppr:1:node",
	};
	size_t n = 0;

	snprintf(number, 24, "%s%zu", j->context->settings.mpi ? "" : "-N",
		 j->missing.nodes);
	if (j->context->settings.mpi) {
		for (; n < sizeof(mpi) / sizeof(*mpi); n++)
			word[n] = mpi[n];
		word[n++] = "--host";
		word[n++] = list;
		word[n++] = "-n";
		word[n++] = number;
		return n;
	}
	for (; n < sizeof(slurm) / sizeof(*slurm); n++)
		word[n] = slurm[n];
	/* of a job; a step within one would get a CPU for its task only */
	if (!getenv("SLURM_JOB_ID"))
		word[n++] = "--exclusive";
	if (again)	/* a node that is down would be waited for */
		word[n++] = "--immediate=60";
	word[n++] = number;
	word[n++] = list;
	return n;
}

static int make_line(struct fleet_job *j, const char **word, char number[24],
		     const char *list, bool again)
{
	char *const *command = j->context->settings.program;
	size_t n = launcher_words(j, word, number, list, again);

	word[n++] = j->self;
	for (; *command && n < WORDS - 4; command++)
		word[n++] = *command;
	if (*command)
		return -ASSAY_EINVAL;
	if (j->own_output) {
		word[n++] = "-j";
		word[n++] = "-o";
		word[n++] = j->output;
	}
	word[n] = NULL;
	return 0;
}

static void print_line(const struct fleet_job *j, const char *const *word)
{
	char text[4096] = "";

	for (; *word; word++) {
		char one[1024];

		text_shell(one, sizeof(one), *word);
		text_add(text, sizeof(text), " ", "%s", *one ? one : "...");
	}
	report_note(j->context->report, "%s", text);
	report_push(j->context->report);
}

static int start(struct fleet_job *j, bool again, struct assay_error *err)
{
	const bool mpi = j->context->settings.mpi;
	const char *word[WORDS + 16];
	const struct process_run how = {
		.argv = word, .keep = -1, .stopped = interrupt_stops,
	};
	char number[24], *list = join(&j->missing, mpi ? "" : "--nodelist=");
	int status, rc = list ? 0 : error_memory(err);

	if (!rc && make_line(j, word, number, list, again))
		rc = error_set(err, -ASSAY_EINVAL, "the command has too many "
			       "words");
	if (!rc) {
		print_line(j, word);
		rc = mpi ? process_find("mpirun", "openmpi-bin", err) :
			   process_find("srun", "slurm-client", err);
	}
	/* The files say more than the status: which nodes have failed. */
	rc = rc ? rc : process_run(&how, &status, err);
	free(list);
	return rc;
}

/* ---- all ----------------------------------------------------------------- */

static int answer(const struct fleet_job *j)
{
	struct report *report = j->context->report;
	char *list = join(&j->missing, "");

	report_note(report, "%zu of %zu nodes have a complete file%s%s.",
		    j->all.nodes - j->missing.nodes, j->all.nodes,
		    j->missing.nodes ? "; none: " : "", list ? list : "");
	free(list);
	for (size_t i = 0; i < j->missing.nodes; i++) {
		const struct assay_field field[] = {
			field_text("node", j->missing.name[i]),
			field_text("file", "not complete"),
		};

		ROW_EMIT(report_row, report, "missing", field);
	}
	j->context->partial = true;
	return j->missing.nodes ? EXIT_CHECK : EXIT_OK;
}

static int run_all(struct fleet_job *j, struct assay_error *err)
{
	const int given = j->context->settings.tries;
	const int tries = given > 0 ? given : 2;
	int rc = find_nodes(j, err);

	rc = rc ? rc : find_output(j, err);
	rc = rc ? rc : find_missing(j);
	for (int i = 0; i < tries && !rc && j->missing.nodes; i++) {
		rc = start(j, i > 0, err);
		rc = rc ? rc : find_missing(j);
	}
	return rc;
}

int fleet_run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct fleet_job job = { .context = context };
	struct assay_error err = { 0 };
	const ssize_t n = readlink("/proc/self/exe", job.self,
				   sizeof(job.self) - 1);
	int rc;

	if (s->slurm && s->mpi)
		return complain_text("fleet", EXIT_USAGE,
				     "--slurm or --mpi: one of them");
	if (!s->program || !*s->program || n < 0)
		return complain_text("fleet", EXIT_USAGE, "which command? "
				     "assay fleet run -- sweep chase --on "
				     "time");
	rc = run_all(&job, &err);
	rc = rc ? complain(context, &err) : answer(&job);
	clear(&job.all);
	clear(&job.missing);
	return interrupt_seen() ? EXIT_INTERRUPTED : rc;
}
