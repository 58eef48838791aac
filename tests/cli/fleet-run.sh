# SPDX-License-Identifier: MIT
# assay fleet run with launchers that are scripts: each starts the command once
# for each node that the line names, with the environment that srun and mpirun
# would make. A node of the file `down` starts nothing; one of the file `dies`
# is killed in the middle of writing, and comes back the next time.
unset SLURM_JOB_NODELIST SLURM_PROCID SLURM_JOB_ID
mkdir bin
cat >bin/srun <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do
	case $1 in --nodelist=*) list=${1#*=} ;; esac
	shift
done
. ./start
END
cat >bin/mpirun <<'END'
#!/bin/sh
while :; do
	case $1 in
	--mca) shift 3 ;;
	--map-by) shift 2 ;;
	--host) list=$2; shift 2 ;;
	-n) shift 2 ;;
	*) break ;;
	esac
done
. ./start
END
cat >start <<'END'
rank=0
for node in $(echo "$list" | tr , ' '); do
	grep -qsx "$node" down && continue
	(
		export SLURMD_NODENAME=$node SLURM_PROCID=$rank SLURM_LOCALID=0
		export SLURM_JOB_ID=5 SLURM_STEP_ID=$$
		if grep -qsx "$node" dies; then
			: >dies
			# a torn file, as a file system may leave it
			echo '{"t":"record","schema":1,"provi' >"sweep-$node.jsonl"
			kill -9 $(sh -c 'echo $PPID')
		fi
		exec "$@"
	) 2>/dev/null &
	rank=$((rank + 1))
done
wait
exit 1		# srun's code says that some task failed; files say which
END
cat >bin/scontrol <<'END'
#!/bin/sh
[ "$*" = 'show hostnames f[1-3]' ] && printf '%s\n' f1 f2 f3
END
chmod +x bin/*
PATH=$PWD/bin:$PATH
clean() {
	sed "s|'$ASSAY'|assay|g; s|$ASSAY|assay|g"
}
run() {
	# lines are not broken where the program's path is longer
	COLUMNS=1000 "$ASSAY" fleet run "$@" >out 2>&1
	echo "-> $?" >>out
	clean <out
}
sweep='sweep chase --on sim:cortex-a72 --elements 32,64 -q'

echo '* Slurm'
run --slurm --nodes f1,f2,f3,f4 -- $sweep
ls *.jsonl
echo '* all are there'
run --slurm --nodes f1,f2,f3,f4 -- $sweep
echo '* one is lost, and one file is torn: both again, nobody else'
rm sweep-f2.jsonl
sed -i '$d' sweep-f3.jsonl
run --slurm --nodes f1,f2,f3,f4 -- $sweep
rm *.jsonl
echo '* Open MPI; a node dies in the middle, and is started again'
echo f3 >dies
run --mpi --nodes f1,f2,f3,f4 -- $sweep
"$ASSAY" fleet check sweep-*.jsonl | head -n 1
rm *.jsonl
echo '* a node is down'
echo f4 >down
run --mpi --nodes f1,f2,f3,f4 -j -- $sweep
rm *.jsonl down
echo '* nodes of a Slurm job; a name of the user'
SLURM_JOB_NODELIST='f[1-3]' run -- $sweep -j -o 'my-%h.jsonl'
ls *.jsonl
echo '* mistakes'
run -- $sweep
run --slurm --mpi --nodes a -- $sweep
run --slurm
run --slurm --nodes a -- $sweep -o 'x-%r.jsonl'
run --nodes 'g[1-3]' -- $sweep
