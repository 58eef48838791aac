/* SPDX-License-Identifier: MIT */
/*
 * The place of this process in a parallel job, as its launcher writes it into
 * the environment. Nothing is asked of the launcher, and no MPI is linked.
 */
#ifndef ENV_LAUNCHER_H
#define ENV_LAUNCHER_H

#define LAUNCHER_UNKNOWN -1

struct launcher {
	const char *kind;	/* "slurm", "openmpi", "pmix", "pmi", "pals";
				 * NULL: no launcher started this process */
	char job[64];		/* of the batch system, else of the launcher;
				 * "": not known */
	char step[96];		/* one start of ranks within the job, or "" */
	char node[256];		/* Slurm's name of the node, else the host's */
	/* LAUNCHER_UNKNOWN, or from 0 */
	int rank, ranks;
	int local_rank;		/* among the ranks on this node */
	int cpus;		/* of this node that Slurm gave the job */
};

/*
 * Reads the environment. Values are hostile: a number that is none is unknown;
 * a text is cut to its room, and what a terminal would act on becomes '?'.
 */
void launcher_read(struct launcher *out);

#endif
