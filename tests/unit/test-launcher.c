/* SPDX-License-Identifier: MIT */
/* Rank, job and node out of the environments that launchers make. */
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "env/launcher.h"

static const struct launch {
	const char *environment[12];
	struct launcher want;	/* node "": the host's name */
} launches[] = {
	{ { NULL }, { NULL, "", "", "", -1, -1, -1, -1 } },
	{ { "SLURM_PROCID=5", "SLURM_NTASKS=8", "SLURM_LOCALID=1",
	    "SLURM_JOB_ID=77", "SLURM_STEP_ID=0", "SLURMD_NODENAME=n003",
	    "SLURM_CPUS_ON_NODE=2" },
	  { "slurm", "77", "0", "n003", 5, 8, 1, 2 } },
	{ { "SLURM_CPUS_ON_NODE=1", "SLURM_JOB_CPUS_PER_NODE=2(x4)" },
	  { NULL, "", "", "", -1, -1, -1, 2 } },
	{ { "SLURM_CPUS_ON_NODE=3", "SLURM_JOB_CPUS_PER_NODE=2(x4),8" },
	  { NULL, "", "", "", -1, -1, -1, 3 } },
	{ { "SLURM_JOB_CPUS_PER_NODE=99999999999999999999" },
	  { NULL, "", "", "", -1, -1, -1, -1 } },
	/* a shell of salloc: a job, but no rank */
	{ { "SLURM_JOB_ID=77", "SLURM_NTASKS=8" },
	  { NULL, "77", "", "", -1, -1, -1, -1 } },
	{ { "SLURM_PROCID=5", "SLURM_STEP_NUM_TASKS=6", "SLURM_NTASKS=8",
	    "SLURM_STEP_ID=2" },
	  { "slurm", "", "2", "", 5, 6, -1, -1 } },
	/* the script of sbatch -n4 */
	{ { "SLURM_PROCID=0", "SLURM_NTASKS=4", "SLURM_LOCALID=0",
	    "SLURM_JOB_ID=77", "SLURMD_NODENAME=n003" },
	  { "slurm", "77", "", "n003", 0, 1, 0, -1 } },
	/* srun --mpi=pmix: both alike */
	{ { "SLURM_PROCID=3", "SLURM_NTASKS=4", "SLURM_LOCALID=0",
	    "SLURM_JOB_ID=9", "SLURM_STEP_ID=0", "PMIX_RANK=3", "PMIX_NAMESPACE=slurm.pmix.9.0" },
	  { "slurm", "9", "slurm.pmix.9.0", "", 3, 4, 0, -1 } },
	{ { "OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=4",
	    "OMPI_COMM_WORLD_LOCAL_RANK=1", "PMIX_RANK=2",
	    "PMIX_NAMESPACE=1517551617" },
	  { "openmpi", "1517551617", "1517551617", "", 2, 4, 1, -1 } },
	/* mpirun in a job: SLURM_PROCID is the daemon's on that node */
	{ { "OMPI_COMM_WORLD_RANK=7", "OMPI_COMM_WORLD_SIZE=8",
	    "OMPI_COMM_WORLD_LOCAL_RANK=3", "SLURM_PROCID=0",
	    "SLURM_LOCALID=0", "SLURM_JOB_ID=12", "SLURMD_NODENAME=n1",
	    "OMPI_MCA_ess_base_jobid=99" },
	  { "openmpi", "12", "99", "n1", 7, 8, 3, -1 } },
	/* MPICH's mpiexec in a job, whose ranks inherit the proxy's number */
	{ { "PMI_RANK=6", "PMI_SIZE=8", "SLURM_PROCID=1", "SLURM_LOCALID=0" },
	  { "pmi", "", "", "", 6, 8, -1, -1 } },
	{ { "PMI_RANK=6", "PMI_SIZE=8", "MPI_LOCALRANKID=2" },
	  { "pmi", "", "", "", 6, 8, 2, -1 } },
	{ { "PMIX_RANK=1" }, { "pmix", "", "", "", 1, -1, -1, -1 } },
	{ { "PALS_RANKID=4", "PALS_LOCAL_RANKID=0", "PALS_APID=a-1",
	    "PMI_RANK=4", "PMI_SIZE=6", "PBS_JOBID=55.head" },
	  { "pals", "55.head", "a-1", "", 4, 6, 0, -1 } },
	/* hostile */
	{ { "SLURM_PROCID=-1", "SLURM_LOCALID=0x1", "PMI_RANK=2K" },
	  { NULL, "", "", "", -1, -1, -1, -1 } },
	{ { "SLURM_PROCID=99999999999999999999", "PMI_RANK=2147483648" },
	  { NULL, "", "", "", -1, -1, -1, -1 } },
	{ { "SLURM_PROCID=0", "SLURM_NTASKS=", "SLURM_LOCALID= 1" },
	  { "slurm", "", "", "", 0, 1, -1, -1 } },
	{ { "SLURM_JOB_ID=a\033[2J\nb", "SLURMD_NODENAME=\377" },
	  { NULL, "a?[2J b", "", "?", -1, -1, -1, -1 } },
};

/* All but the form of this test's own output. */
static void clear_environment(void)
{
	static char form[64] = "CMOCKA_MESSAGE_OUTPUT=";
	const char *kept = getenv("CMOCKA_MESSAGE_OUTPUT");
	const size_t name = sizeof("CMOCKA_MESSAGE_OUTPUT=") - 1;

	if (kept && !form[name])
		snprintf(form + name, sizeof(form) - name, "%s", kept);
	clearenv();
	if (form[name])
		putenv(form);
}

static void environments(void **ctx)
{
	char host[256] = "";

	(void)ctx;
	gethostname(host, sizeof(host) - 1);
	for (size_t i = 0; i < sizeof(launches) / sizeof(*launches); i++) {
		const struct launcher *want = &launches[i].want;
		struct launcher got;

		clear_environment();
		for (int k = 0; launches[i].environment[k]; k++)
			putenv((char *)launches[i].environment[k]);
		launcher_read(&got);
		assert_int_equal(!got.kind, !want->kind);
		if (want->kind)
			assert_string_equal(got.kind, want->kind);
		assert_string_equal(got.job, want->job);
		assert_string_equal(got.step, want->step);
		assert_string_equal(got.node, *want->node ? want->node : host);
		assert_int_equal(got.rank, want->rank);
		assert_int_equal(got.ranks, want->ranks);
		assert_int_equal(got.local_rank, want->local_rank);
		assert_int_equal(got.cpus, want->cpus);
	}
}

static void long_texts_are_cut(void **ctx)
{
	struct launcher got;
	char text[4096];

	(void)ctx;
	clear_environment();
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	setenv("SLURM_JOB_ID", text, 1);
	setenv("SLURM_STEP_ID", text, 1);
	setenv("SLURMD_NODENAME", text, 1);
	launcher_read(&got);
	assert_int_equal(strlen(got.job), sizeof(got.job) - 1);
	assert_int_equal(strlen(got.step), sizeof(got.step) - 1);
	assert_int_equal(strlen(got.node), sizeof(got.node) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(environments),
		cmocka_unit_test(long_texts_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
