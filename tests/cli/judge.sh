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
