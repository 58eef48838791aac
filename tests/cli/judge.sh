# Five hypotheses on a core with an L3 and on one without; published counts.
rows() {
	python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    if o["t"] == "rank":
        print(o["rank"], o["claim"], o["verdict"], o["shapes"])
    elif o["t"] == "level" and o["level"] in ("L2", "L3", "DRAM"):
        print(" ", o["claim"], o["level"], "fails in", o["fails"], "worst at",
              o["worst_at"] + ":", o["because"])
'
}
echo 'Cortex-A76:'
"$ASSAY" judge arm-pies --on sim:cortex-a76 -j | rows
echo 'Cortex-A72:'
"$ASSAY" judge arm-pies --on sim:cortex-a72 -j | rows | grep -v '^  .*L[123]'
echo 'K10, published counts:'
"$ASSAY" judge k10-l2 --on replay:k10-sample
echo "-> $?"
"$ASSAY" judge k10-l2 missing.jsonl
echo "-> $?"
"$ASSAY" judge
echo "-> $?"
"$ASSAY" judge k10-l2 --on replay:a72-branch
echo "-> $?"
"$ASSAY" judge arm-pies --on 'sim:none*'
echo "-> $?"
# records that were saved are judged as those that are run
"$ASSAY" sweep random --on sim:cortex-a76 --bytes 64K,1M --accesses 20000 \
	--formulas arm-pies -j -o saved.jsonl
"$ASSAY" judge arm-pies saved.jsonl -j | rows
# a performance group of likwid, beside the published formulas
cat >L2.txt <<'END'
SHORT  L2 cache miss rate

EVENTSET
PMC0  RETIRED_INSTRUCTIONS
PMC1  L2_CACHE_MISS_ALL

METRICS
L2 misses  PMC1
L2 miss rate  PMC1/PMC0

LONG
END
"$ASSAY" formulas import L2.txt --cpu amd-k10 -o likwid.yaml -q
"$ASSAY" judge ./likwid.yaml k10-l2 --on sim:k10 \
	--claims l2_misses=l2_read_misses -j | rows
for claims in l2_mises=l2_read_misses l2_misses=l2_misses l2_misses; do
	"$ASSAY" judge ./likwid.yaml --on sim:k10 --claims $claims
	echo "-> $?"
done
"$ASSAY" judge ./likwid.yaml --on sim:k10
echo "-> $?"
echo '* code of somebody else'
"$ASSAY" judge cortex-a72 --on replay:a72-matmul -q |
	sed -n '/^replay:a72-matmul/,/^sim:/p' | grep -E 'holds|fails|not judged'
echo '* counted, though nobody knows what is true of it'
cat >program.jsonl <<'END'
{"t":"record","schema":1,"provider":"perf","machine":{"host":"","cpu":"cortex-a72","isa":"aarch64","kernel":"","hypervisor":""},"shape":{"kernel":"program","options":[]},"ns":[5],"events":[{"name":"INST_RETIRED","code":"","counts":[{"value":1000}]}]}
END
"$ASSAY" judge cortex-a72 --on program.jsonl -q |
	grep -E '^instructions|^stores '
