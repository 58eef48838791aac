# Every recipe reproduces what was published; mistakes are shown.
"$ASSAY" recipe
"$ASSAY" recipe --on sim:cortex-a76 -j |
	grep -o '"recipe":"[^"]*"\|"verdict":"[^"]*","why":"[^"]*"'
"$ASSAY" recipe --on sim:cortex-a7 || echo "-> $?"
"$ASSAY" recipe skylake-l2-evictions --on sim:i7-6700hq -x , -o points.csv
echo "-> $?"
python3 -c '
import csv
for p in csv.DictReader(open("points.csv")):
    print(p["run"], p["bytes"], *("%.1f" % (float(p[e]) + 0) for e in
          ("L2_LINES_IN.ALL", "L2_LINES_OUT.SILENT",
           "L2_LINES_OUT.NON_SILENT")))
'
for name in arm-cache-pies k10-cache-metrics a72-data-access arm-l1d-refill; do
	"$ASSAY" recipe $name -j
	echo "{\"t\": \"exit\", \"claim\": \"$name\", \"verdict\": \"$?\"}"
done | python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    if o["t"] in ("claim", "exit"):
        print(o["verdict"] + ":", o["claim"])
'
# a claim that fails, an event that does not exist, a cache that is not there
mine() {
	sed "$1" >mine.yaml <<-END
	schema: assay-recipe/1
	name: mine
	title: an experiment
	source: nobody
	on: sim:cortex-a72
	runs:
	  - name: walk
	    kernel: chase
	    options: {elements: "64,4096", accesses: 8192}
	    events: [L1D_CACHE_LD, NO_SUCH_EVENT]
	    per: accesses
	claims:
	  - {says: a load is two loads, run: walk, of: L1D_CACHE_LD, between: [2, 2]}
	  - {says: it is nothing, run: walk, of: NO_SUCH_EVENT, between: [0, 0]}
	  - {says: L3 holds it, run: walk, of: L1D_CACHE_LD, to: l3, between: [1, 1]}
	END
	"$ASSAY" recipe ./mine.yaml
	echo "-> $?"
}
mine ''
mine 's/kernel: chase/kernel: chas/'
mine 's/per: accesses/per: acesses/'
mine 's/per: accesses/per: accesses - 8192/'
mine 's/of: NO_SUCH_EVENT/of: NO_SUCH_EVENTS/'
mine 's/\[2, 2\]/[2, 1]/'
mine 's/run: walk, of: NO/run: wlak, of: NO/'
"$ASSAY" recipe skylake-l2-eviction
echo "-> $?"
