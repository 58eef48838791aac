/* SPDX-License-Identifier: MIT */
/*
 * The variables of Slurm, Open MPI, PMIx, PMI (MPICH, Intel MPI) and PALS (HPE
 * Cray). An mpirun inside a Slurm job starts one helper a node by srun, and the
 * ranks inherit the SLURM_PROCID of that helper: so a rank of MPI's own counts
 * before Slurm's. `srun --mpi=pmix` sets both alike, and then only Slurm tells
 * the local rank.
 */
#define _GNU_SOURCE
#include "env/launcher.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Up to two names for one value; the first that is set counts. */
struct names { const char *name[2]; };

static const struct { const char *kind; struct names rank, ranks, local; }
launchers[] = {
	{ "openmpi", {{ "OMPI_COMM_WORLD_RANK" }}, {{ "OMPI_COMM_WORLD_SIZE" }},
	  {{ "OMPI_COMM_WORLD_LOCAL_RANK" }} },
	{ "pals", {{ "PALS_RANKID" }}, {{ "PMI_SIZE" }},
	  {{ "PALS_LOCAL_RANKID", "PMI_LOCAL_RANK" }} },
	{ "pmix", {{ "PMIX_RANK" }}, {{ "PMIX_SIZE" }},
	  {{ "PMIX_LOCAL_RANK" }} },
	{ "pmi", {{ "PMI_RANK" }}, {{ "PMI_SIZE" }},
	  {{ "MPI_LOCALRANKID", "PMI_LOCAL_RANK" }} },
	{ "slurm", {{ "SLURM_PROCID" }},
	  {{ "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS" }},
	  {{ "SLURM_LOCALID" }} },
};

enum { LAUNCHERS = sizeof(launchers) / sizeof(*launchers),
       SLURM = LAUNCHERS - 1 };

static const char *value(struct names names)
{
	const char *text = NULL;

	for (int i = 0; i < 2 && names.name[i] && !text; i++)
		text = getenv(names.name[i]);
	return text && *text ? text : NULL;
}

static int number(struct names names)
{
	const char *text = value(names);
	uint64_t n;

	if (!text || text[strspn(text, "0123456789")] ||
	    text_count(&n, text, NULL) || n > INT_MAX)
		return LAUNCHER_UNKNOWN;
	return (int)n;
}

/*
 * "2(x4)": four nodes with 2 CPUs each. SLURM_CPUS_ON_NODE is of the step: it
 * is 1 for one task, also where the job has all CPUs of the node.
 */
static int job_cpus(void)
{
	const char *list = getenv("SLURM_JOB_CPUS_PER_NODE");
	const size_t digits = list ? strspn(list, "0123456789") : 0;
	char text[16];

	if (!digits || digits > 9 || strchr(list, ','))
		return number((struct names){{ "SLURM_CPUS_ON_NODE" }});
	text_copy(text, digits + 1, list);
	return atoi(text);
}

/* The text of the first variable that is set; NULL-terminated. */
static void copy(char *out, size_t room, const char *const *names)
{
	const char *text = NULL;

	for (; *names && !text; names++)
		text = value((struct names){{ *names }});
	text_copy(out, room, text ? text : "");
	text_harmless(out, false);
}

static void read_rank(struct launcher *out)
{
	int found = 0;

	while (found < LAUNCHERS &&
	       number(launchers[found].rank) == LAUNCHER_UNKNOWN)
		found++;
	if (found == LAUNCHERS)
		return;
	if (number(launchers[found].local) == LAUNCHER_UNKNOWN &&
	    number(launchers[found].rank) == number(launchers[SLURM].rank))
		found = SLURM;
	out->kind = launchers[found].kind;
	out->rank = number(launchers[found].rank);
	out->ranks = number(launchers[found].ranks);
	out->local_rank = number(launchers[found].local);
	/* a batch script is one process, and has the tasks of all its steps */
	if (found == SLURM && !getenv("SLURM_STEP_ID"))
		out->ranks = 1;
}

void launcher_read(struct launcher *out)
{
	static const char *const jobs[] = {
		"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "PALS_APID",
		"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", NULL
	};
	static const char *const steps[] = {
		"PALS_APID", "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",
		"SLURM_STEP_ID", NULL
	};
	static const char *const nodes[] = { "SLURMD_NODENAME", NULL };

	*out = (struct launcher){
		.rank = LAUNCHER_UNKNOWN, .ranks = LAUNCHER_UNKNOWN,
		.local_rank = LAUNCHER_UNKNOWN,
		.cpus = job_cpus(),
	};
	read_rank(out);
	copy(out->job, sizeof(out->job), jobs);
	copy(out->step, sizeof(out->step), steps);
	copy(out->node, sizeof(out->node), nodes);
	if (*out->node)
		return;
	if (gethostname(out->node, sizeof(out->node) - 1))
		text_copy(out->node, sizeof(out->node), "");
	text_harmless(out->node, false);
}
