# SPDX-License-Identifier: MIT
# Ranks of a job as launchers start them: at the same time, with a place in the
# environment. Each writes a file of its own; one of each node measures.
unset SLURM_PROCID SLURM_JOB_ID PMI_RANK PMIX_RANK OMPI_COMM_WORLD_RANK
node=test$$-	# other tests of this machine have other nodes
trap 'rm -f /dev/shm/assay-*-'$node'*.lock /tmp/assay-*-'$node'*.lock' EXIT

# rank, local rank, node, job, then the command
slurm() ( # a process of its own
	export SLURM_PROCID=$1 SLURM_NTASKS=8 SLURM_LOCALID=$2 SLURM_JOB_ID=$4
	export SLURM_STEP_ID=0 SLURMD_NODENAME=$node$3
	shift 4
	exec "$@"
)
# what each file holds: its records' places, its last line
show() {
	for file in "$@"; do
		echo "$file" | sed "s/$node//"
		grep -c '"t":"record"' "$file"
		grep -o '"node":"[^,]*,"rank":[0-9]*,"job":"[^"]*"' "$file" |
			sort -u | sed "s/$node//"
		tail -n 1 "$file" | sed "s/$node//"
	done
}

echo '* 8 ranks on 4 nodes: no name is given, so each gets a name'
for rank in 0 1 2 3 4 5 6 7; do
	slurm $rank $((rank % 2)) n$((rank / 2)) 77 "$ASSAY" sweep chase \
		--on sim:cortex-a72 --elements 32,64 -q &
done
wait
show sweep-*
rm sweep-*

echo '* --all-ranks'
for rank in 0 1; do
	slurm $rank $rank n0 78 "$ASSAY" run chase --on sim:cortex-a72 \
		--elements 32 --all-ranks -j -o 'a-%h-%r-%j%%.jsonl' &
done
wait
show a-*

echo '* 8 ranks add to one file, and tear nothing'
for rank in 0 1 2 3 4 5 6 7; do
	slurm $rank $((rank % 2)) n$((rank / 2)) 78 "$ASSAY" sweep chase \
		--on sim:cortex-a72 --elements 32,64 -q -j --all-ranks \
		--append -o all.jsonl &
done
wait
grep -c '^{"t":"record",.*}$' all.jsonl
grep -c '^{"t":"rank",.*}$' all.jsonl
grep -vc '^{"t":.*}$' all.jsonl
"$ASSAY" fleet check all.jsonl | head -n 1
rm all.jsonl

echo '* MPICH: the local rank is not known, so all measure'
for rank in 0 1 2; do
	PMI_RANK=$rank PMI_SIZE=3 SLURMD_NODENAME=${node}n9 "$ASSAY" run \
		chase --on sim:cortex-a72 --elements 32 -j -o 'm-%r.jsonl' &
done
wait
show m-*

echo '* in formats for people and for spreadsheets'
for format in md csv; do
	slurm 0 0 n1 79 "$ASSAY" run chase --on sim:cortex-a72 --elements 32 \
		-q -o "zero-%h.$format" &
	slurm 1 1 n1 79 "$ASSAY" run chase --on sim:cortex-a72 --elements 32 \
		-q -o "one-%r.$format"
	wait
	sed "s/$node//" one-1.$format
done

echo '* rank 0 dies'
# without the shell's notice of who was killed
slurm 0 0 n2 80 sh -c 'echo $$ >zero.pid; exec "$@"' - "$ASSAY" sweep random \
	--on sim:cortex-a72 --bytes 32M,64M,128M --accesses 1000000000 -q \
	-o 'dead-%r.jsonl' 2>/dev/null &
until grep -qs begun /dev/shm/assay-*-"${node}n2.lock" \
	/tmp/assay-*-"${node}n2.lock"; do
	sleep 0.05
done
slurm 1 1 n2 80 "$ASSAY" sweep random --on sim:cortex-a72 --bytes 32M -q \
	-o 'dead-%r.jsonl' &
one=$!
exec 3>&2 2>/dev/null	# the shell says when it notices who was killed
kill -9 "$(cat zero.pid)"
wait $one
code=$?
exec 2>&3
echo "-> $code"
ls dead-*.jsonl
tail -n 1 dead-1.jsonl | sed "s/$node//"

echo '* a part of the node'
SLURM_CPUS_ON_NODE=0 slurm 0 0 n3 81 "$ASSAY" run empty -j -o part-%r.jsonl 2>&1 |
	sed "s/$node//; s/of the [0-9]* CPUs/of the N CPUs/"

echo '* mistakes'
slurm 0 0 n4 82 "$ASSAY" run empty -o all.jsonl
echo "-> $?"
"$ASSAY" run empty -o 'x%q.jsonl'
echo "-> $?"
"$ASSAY" run empty -o 'x%'
echo "-> $?"
echo '* stat has no ranks that wait, but a file each'
slurm 0 0 n4 82 "$ASSAY" stat -e task-clock -o all.jsonl -- true
echo "-> $?"
echo '* without -o a rank says where it writes'
slurm 0 0 n4 82 "$ASSAY" run chase --on sim:cortex-a72 --elements 32 2>&1 |
	sed "s/$node//"
echo '* the script of sbatch is one process, not the tasks of its steps'
SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0 SLURM_JOB_ID=83 \
	SLURMD_NODENAME=${node}n4 "$ASSAY" run chase --on sim:cortex-a72 \
	--elements 32 -q -o all.md
echo "-> $?"
echo '* a name of a node leads to no other folder'
SLURMD_NODENAME=../../up "$ASSAY" list faults -j -o 'n-%h-%j-%r.jsonl'
ls n-*
echo '* ... and chooses no format'
for host in vm n1.example n2.csv; do
	SLURMD_NODENAME=$host "$ASSAY" list faults -j -o 'f.%h'
	echo "-> $?"
	head -c 5 f.$host
	echo
done
