# SPDX-License-Identifier: MIT
# Which nodes differ: made-up fleets of real records, and few nodes.
mkdir fleet
"$MAKE_FLEET" fleet 64 77 2 32 1
echo '* 64 nodes, 2 of them 5 % slow on three sizes, with another microcode'
"$ASSAY" fleet check fleet/*.jsonl
echo "-> $?"
"$ASSAY" fleet check fleet/*.jsonl -j | grep -v '"t":"odd"'
cat fleet/*.jsonl >all.jsonl
"$ASSAY" fleet check fleet | head -n 1
"$ASSAY" fleet check all.jsonl | head -n 1
"$ASSAY" fleet report all.jsonl -o all.md
echo "-> $?"
head -n 8 all.md
cat all.jsonl | "$ASSAY" fleet report /dev/stdin --format markdown |
	diff all.md - && echo 'the same from a pipe'
"$ASSAY" fleet report all.jsonl -o all.html
echo "-> $?"
grep -o '<p class="answer">[^<]*' all.html
grep -c n00016 all.html

echo '* the same in a database, and by the numbers of runs'
export ASSAY_DB="$PWD/runs.db"
"$ASSAY" db import fleet/*.jsonl -q | tail -n 1
"$ASSAY" fleet check runs.db | head -n 1
"$ASSAY" fleet check 16 17 18 19 20 21 22 23 24 | head -n 1
head -c 5000 runs.db >bad.db
"$ASSAY" fleet check bad.db
echo "-> $?"
echo '* all that a database says is what its lines say'
"$ASSAY" fleet check all.jsonl -j >lines
"$ASSAY" fleet check runs.db -j | diff lines - && echo 'the same'
"$ASSAY" sweep random --bytes 4K..64K --accesses 20000 --on sim:k10 --repeat 3 \
	--page-map random -e DATA_CACHE_MISSES -j -q -o sim.jsonl
cat "$ASSAY_SOURCE"/tests/cli/records/r*.jsonl \
	"$ASSAY_SOURCE"/tests/fuzz/corpus/record/*.jsonl \
	"$ASSAY_SOURCE"/data/records/*.jsonl sim.jsonl |
while read -r line; do
	echo "$line" >one.jsonl
	"$ASSAY" import one.jsonl -q >/dev/null 2>&1 && echo "$line"
done | python3 -c '
import json, sys
records = [json.loads(line) for line in sys.stdin if "record" in line]
for node in range(5):
    for number, record in enumerate(records):
        record.setdefault("machine", {})["host"] = f"m{node}"
        for event in record["events"] if node == 3 and number % 3 else []:
            for count in event.get("counts", []):
                if isinstance(count.get("value"), int):
                    count["value"] += count["value"] // 5 + 1
        print(json.dumps(record))' >many.jsonl
rm runs.db*
"$ASSAY" db import many.jsonl -q >counts
"$ASSAY" fleet check many.jsonl -j >lines
"$ASSAY" fleet check runs.db -j | diff lines - && echo 'the same'
head -n 1 lines
grep -c . lines
export ASSAY_DB=

echo '* none differs'
rm fleet/*
"$MAKE_FLEET" fleet 16 20 1 0 3
"$ASSAY" fleet check fleet/*.jsonl
echo "-> $?"

echo '* fewer than four nodes'
"$ASSAY" fleet check fleet/n0000[012].jsonl
echo "-> $?"

echo '* files of topo, doctor and run, with a node of another setting'
for node in 1 2 3 4 5; do
	level=32768 state=ok
	[ $node = 4 ] && level=49152 state=bad
	printf '%s\n' '{"t":"measured-level","level":"L1","capacity":'$level',"cycles":4,"ns":null,"ns_why":"x"}' \
		'{"t":"finding","part":"noise","what":"SMT","state":"'$state'"}' \
		'{"t":"cache","cache":"L2","size":1048576}' \
		'{"t":"rank","node":"m'$node'","rank":0,"job":"","measured":"yes","why":"","exit":0}' \
		>topo-$node.jsonl
done
"$ASSAY" fleet check topo-*.jsonl
echo "-> $?"

echo '* mistakes'
"$ASSAY" fleet check missing.jsonl
echo "-> $?"
echo '{"t":"record"' >bad.jsonl
"$ASSAY" fleet check bad.jsonl
echo "-> $?"
"$ASSAY" fleet
echo "-> $?"
"$ASSAY" fleet check
echo "-> $?"
