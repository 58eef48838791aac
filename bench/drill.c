/* SPDX-License-Identifier: MIT */
/*
 * The fault drill: random faults, one or two at a time, on the PMU of every
 * CPU file. Each fault that changes any count must be named, with its kind; no
 * event without a fault may be accused.
 *
 *	drill [-n SETS] [-f WHOLE] [-m MAPS] [-s SEED] [-o FILE] [-q] [CPU]...
 *
 * For each CPU and each of MAPS page maps, with a seed of the kernels' own,
 * what is true of the plan's shapes is simulated once; that is judged without
 * a fault, and sets of faults are put on it. WHOLE runs go without a fault
 * through all of verify, each with another page map and other seeds: there the
 * counts are those of the provider and the truth is the witness's, simulated
 * apart. As many as there are CPUs and maps of two go through verify with
 * counters lent away and one event that lies.
 *
 * Each part draws from the seed and its own number. What has been done is kept
 * in FILE, and a drill that was interrupted goes on there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/handle.h"
#include "cpus/cpu.h"
#include "drill.h"

static const char *const every_cpu[] = {
	"cortex-a72", "cortex-a76", "neoverse-n1", "neoverse-v1",
	"neoverse-v2", "neoverse-n2", "neoverse-v3", "cortex-a53", "cortex-a55",
	"cortex-a78", "i7-6700hq", "skylake-sp", "ice-lake-sp",
	"sapphire-rapids", "emerald-rapids", "granite-rapids", "alder-lake-p",
	"alder-lake-e", "arrow-lake-p", "arrow-lake-e", "amd-k10", "amd-zen2",
	"amd-zen3", "amd-zen4", "amd-zen5", NULL
};

/* ---- what has been done -------------------------------------------------- */

static void header(const struct drill *d, char *out, size_t room)
{
	struct stat self = { .st_size = 0 };
	size_t used;

	stat("/proc/self/exe", &self);
	used = (size_t)snprintf(out, room, "drill %llu %u %u %u %lld.%ld",
		(unsigned long long)d->seed, d->sets, d->maps, d->complete,
		(long long)self.st_mtim.tv_sec, self.st_mtim.tv_nsec);
	for (unsigned i = 0; i < d->cpus && used < room; i++)
		used += (size_t)snprintf(out + used, room - used, " %s",
					 d->cpu[i]);
}

static void keep(const struct drill *d)
{
	const unsigned *score = (const unsigned *)&d->score;
	char name[1024], head[1024];
	FILE *f;

	if (!d->file || snprintf(name, sizeof(name), "%s.new", d->file) >=
			(int)sizeof(name))
		return;
	f = fopen(name, "w");
	if (!f)
		return;
	header(d, head, sizeof(head));
	fprintf(f, "%s\n%u", head, d->done);
	for (size_t i = 0; i < SCORES; i++)
		fprintf(f, " %u", score[i]);
	fprintf(f, "\n");
	if (fclose(f) == 0)
		rename(name, d->file);
}

static void go_on(struct drill *d)
{
	char head[1024], found[1026] = "";
	struct score score = { .named = 0 };
	unsigned *to = (unsigned *)&score, done;
	FILE *f = d->file ? fopen(d->file, "r") : NULL;
	size_t n = 0;

	if (!f)
		return;
	header(d, head, sizeof(head));
	if (fgets(found, sizeof(found), f) &&
	    strncmp(found, head, strlen(head)) == 0 &&
	    strcmp(found + strlen(head), "\n") == 0 &&
	    fscanf(f, "%u", &done) == 1)
		while (n < SCORES && fscanf(f, "%u", &to[n]) == 1)
			n++;
	fclose(f);
	if (n < SCORES || done > d->parts)
		return;
	d->score = score;
	d->done = d->resumed = done;
	fprintf(stderr, "drill: goes on at part %u of %u\n", done + 1,
		d->parts);
}

/* ---- the whole ----------------------------------------------------------- */

static void confusion(const struct score *s)
{
	static const char *const heads[FIT_KINDS] = {
		[FIT_AS_CLAIMED] = "claim", [FIT_DEAD] = "dead",
		[FIT_FACTOR] = "factor", [FIT_WRAP] = "wraps",
		[FIT_SATURATE] = "full", [FIT_ADDS] = "adds",
		[FIT_OTHER] = "other", [FIT_ONLY] = "only",
		[FIT_INTERRUPTS] = "intr", [FIT_NOISE] = "noise",
		[FIT_KERNEL] = "kernel", [FIT_CONSTANT] = "const",
		[FIT_NONE] = "none",
	};

	printf("%-11s  drawn  shown   tied |", "planted");
	for (int k = 0; k < FIT_KINDS; k++)
		printf(" %6s", heads[k]);
	printf("\n");
	for (int f = 0; f < FAULTS; f++) {
		if (f == FAULT_counters)
			continue;
		printf("%-11s %6u %6u %6u |", fault_names[f], s->drawn[f],
		       s->shown[f], s->tied[f]);
		for (int k = 0; k < FIT_KINDS; k++)
			if (s->confusion[f][k])
				printf(" %6u", s->confusion[f][k]);
			else
				printf("      .");
		printf("\n");
	}
}

/* Classes of faults that are alone, with all margins 0. */
static void classes(const struct score *s)
{
	printf("\nthrough the judge of intervals, margins 0:\n");
	for (int f = 0; f < FAULTS; f++) {
		const char *comma = "";

		if (f == FAULT_counters)
			continue;
		printf("%-11s ", fault_names[f]);
		for (int c = 0; c < ASSAY_CLASSES; c++)
			if (s->classes[f][c]) {
				printf("%s%s %u", comma, assay_class_name(
				       (enum assay_class)c), s->classes[f][c]);
				comma = ", ";
			}
		printf("\n");
	}
}

static bool intervals(const struct interval_score *s, const char *how)
{
	printf("%s: %u of %u lying events named, %u of %u others accused\n",
	       how, s->found, s->planted, s->accused, s->clean);
	return s->found == s->planted && !s->accused;
}

static int summary(const struct score *s)
{
	unsigned drawn = 0, shown = 0, never = 0;
	bool good;

	confusion(s);
	classes(s);
	good = intervals(&s->exact, "margins 0");
	good &= intervals(&s->noisy, "noise, rounding, interrupts; faults of "
			  "more than twice the margin");
	for (int f = 0; f < FAULTS; f++) {
		drawn += s->drawn[f];
		shown += s->shown[f];
		never += s->drawn[f] >= 20 && !s->shown[f];
	}
	printf("%u faults planted, %u changed a count; %u lying events named "
	       "with their kind, %u missed\n%u panels without a fault, and "
	       "all events without one: %u accused\n%u runs of verify without "
	       "a fault, %u verdicts: %u accused\n%u runs of verify with "
	       "counters lent away, %u missed\n", drawn, shown, s->named,
	       s->missed, s->free_panels, s->accused, s->free_runs,
	       s->free_events, s->free_accused, s->lent, s->lent_missed);
	if (never)
		printf("%u kinds of fault never changed a count\n", never);
	return !good || s->missed || s->accused || s->free_accused ||
	       s->lent_missed || never || !s->named ? 3 : 0;
}

static void progress(const struct drill *d, const char *cpu)
{
	const long spent = (long)(time(NULL) - d->start);
	const unsigned now = d->done - d->resumed;
	const long left = now ? spent * (long)(d->parts - d->done) / now : 0;

	if (d->quiet || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r\033[K%s: %u of %u parts, %u events named, %u "
		"missed, about %ld:%02ld left", cpu, d->done, d->parts,
		d->score.named, d->score.missed + d->score.lent_missed,
		left / 60, left % 60);
	if (d->done == d->parts)
		fprintf(stderr, "\r\033[K");
}

/* Part n of a CPU: its page maps, its runs without a fault, the lent ones. */
static int part(struct drill *d, const char *cpu, unsigned n)
{
	const unsigned complete = (d->complete + d->cpus - 1) / d->cpus;

	d->state = d->seed * UINT64_C(0xd1342543de82ef95) + d->done;
	if (n < d->maps)
		return drill_plant(d, cpu, n);
	if (n < d->maps + complete)
		return drill_free(d, cpu, n - d->maps);
	return drill_lent(d, cpu);
}

static int drill(struct drill *d)
{
	const unsigned lent = 2, each = d->maps + lent +
				(d->complete + d->cpus - 1) / d->cpus;
	int rc = 0;

	d->parts = d->cpus * each;
	d->start = time(NULL);
	go_on(d);
	while (d->done < d->parts && rc == 0) {
		const char *cpu = d->cpu[d->done / each];

		rc = part(d, cpu, d->done % each);
		d->done += rc == 0;
		progress(d, cpu);
		keep(d);
	}
	if (rc == 0 && d->file)
		remove(d->file);
	return rc;
}

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
	struct drill d = { .cpu = every_cpu, .seed = 1, .sets = 864, .maps = 9,
			   .complete = 120 };
	int c, rc;

	while ((c = getopt(argc, argv, "n:s:f:m:o:q")) != -1)
		switch (c) {
		case 'n': d.sets = number(optarg); break;
		case 's': d.seed = number(optarg); break;
		case 'f': d.complete = number(optarg); break;
		case 'm': d.maps = number(optarg); break;
		case 'o': d.file = optarg; break;
		case 'q': d.quiet = true; break;
		default: return 2;
		}
	if (optind < argc)
		d.cpu = (const char *const *)argv + optind;
	while (d.cpu[d.cpus])
		d.cpus++;
	setvbuf(stdout, NULL, _IOLBF, 0);
	d.base = calloc(1, sizeof(*d.base));
	if (!d.base || !d.maps || assay_open(&d.assay, NULL, NULL) < 0)
		return 1;
	rc = drill(&d);
	assay_close(d.assay);
	free(d.base);
	return rc < 0 ? 1 : summary(&d.score);
}
