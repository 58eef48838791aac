# Metrics of other tools become formulas, or say why not.
set -u
cat >Some-Metrics.json <<'END'
[
 {"MetricName":"IPC","MetricExpr":"INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD",
  "BriefDescription":"Instructions per \"cycle\"","MetricGroup":"Summary"},
 {"MetricName":"L2MPKI","ScaleUnit":"1per_1k",
  "MetricExpr":"1e3 * MEM_LOAD_RETIRED.L2_MISS / INST_RETIRED.ANY"},
 {"MetricName":"BW","MetricExpr":"64 * L1D.REPLACEMENT / 1e9 / duration_time"},
 {"MetricName":"Loud","MetricExpr":"d_ratio(L2_LINES_OUT.NON_SILENT, L2_LINES_OUT.SILENT + L2_LINES_OUT.NON_SILENT)"},
 {"MetricName":"MLP","MetricExpr":"L1D_PEND_MISS.PENDING / L1D_PEND_MISS.PENDING@cmask\\=1@"},
 {"MetricName":"Raw","MetricExpr":"cpu@event\\=0x3c\\,umask\\=0x0\\,cmask\\=0x1@ * 2.5E-02"},
 {"MetricName":"Stalls","MetricExpr":"max(0, 1 - IPC / 4)"},
 {"MetricName":"SMT","MetricExpr":"IPC / (2 if #smt_on else 1)"},
 {"MetricName":"Cores","MetricExpr":"IPC * #num_cores"},
 {"MetricName":"twice-IPC","MetricExpr":"2 * IPC"},
 {"MetricName":"instructions","MetricExpr":"inst_retired.any"},
 {"MetricName":"loop","MetricExpr":"loop + loop"},
 {"MetricName":"fast","MetricExpr":"IPC > 2"},
 {"MetricName":"one","MetricExpr":"1"},
 {"MetricName":"odd","MetricExpr":"NO_SUCH.EVENT + (INST_RETIRED.ANY"},
 {"MetricName":"other","MetricExpr":"NO_SUCH.EVENT / INST_RETIRED.ANY"},
 {"EventName":"X","EventCode":"0x1"}
]
END
cat >L2.txt <<'END'
SHORT what asked L2, and missed

EVENTSET
PMC0 INSTRUCTIONS_RETIRED
PMC1 REQUESTS_TO_L2_IC_DC_TLB
PMC2 L2_CACHE_MISS_IC_DC_TLB
PMC3 L2_FILL_WRITEBACK_ALL

METRICS
Runtime (RDTSC) [s] time
L2 request rate (PMC1+PMC3)/PMC0
L2 miss ratio PMC2/(PMC1+PMC3)
L2 data volume [GBytes] 1.0E-09*PMC3*64.0
X FIXC0/PMC0

LONG
Any text.
END
echo "== perf"
"$ASSAY" formulas import Some-Metrics.json --cpu i7-6700hq -o perf.yaml
cat perf.yaml
"$ASSAY" formulas import Some-Metrics.json
echo "== used"
"$ASSAY" run chase --elements 4096 --passes 10 --on sim:i7-6700hq \
	--formulas ./perf.yaml -j |
	grep -e '"instructions_2"' -e '"mlp"' -e '"other"'
echo "== likwid"
"$ASSAY" formulas import L2.txt --cpu k10
"$ASSAY" formulas import L2.txt ratio --cpu k10 -j
"$ASSAY" formulas import - miss <L2.txt -x ,
echo "== claims, and judged"
cat >BRANCH.txt <<'END'
SHORT Branch prediction miss rate/ratio

EVENTSET
PMC0 INSTRUCTIONS_RETIRED
PMC1 BRANCH_RETIRED
PMC2 BRANCH_MISPREDICT_RETIRED

METRICS
Branch rate PMC1/PMC0
Branch misprediction rate PMC2/PMC0
Branch misprediction ratio PMC2/PMC1
Instructions per branch PMC0/PMC1
Instructions retired PMC0

LONG
END
cat >A76.json <<'END'
[
 {"MetricName":"branch_mpki","MetricExpr":"1000 * BR_MIS_PRED_RETIRED / INST_RETIRED","ScaleUnit":"1MPKI"},
 {"MetricName":"dtlb_mpki","MetricExpr":"d_ratio(DTLB_WALK, INST_RETIRED)"},
 {"MetricName":"l2_misses","MetricExpr":"L2D_CACHE_REFILL"},
 {"MetricName":"l2_refills","MetricExpr":"L2D_CACHE_REFILL - L2D_CACHE_REFILL / 2"},
 {"MetricName":"page_walks","MetricExpr":"DTLB_WALK + ITLB_WALK","ScaleUnit":"1Hz"}
]
END
"$ASSAY" formulas import BRANCH.txt --cpu k10 -o branch.yaml
"$ASSAY" run branch --on sim:k10 --formulas ./branch.yaml -j -o branch.jsonl
"$ASSAY" judge ./branch.yaml branch.jsonl
"$ASSAY" formulas import A76.json --cpu cortex-a76 -j -q
"$ASSAY" formulas import A76.json --cpu cortex-a76 -o a76.yaml -q
"$ASSAY" run pages --on sim:cortex-a76 --formulas ./a76.yaml -j -o a76.jsonl
"$ASSAY" judge ./a76.yaml a76.jsonl
"$ASSAY" formulas import A76.json l2 --cpu cortex-a76 -o l2.yaml -q
"$ASSAY" judge ./l2.yaml a76.jsonl
"$ASSAY" judge ./l2.yaml a76.jsonl --claims l2_misses=l2_refills | head -n 5
echo "== mistakes"
try() {
	"$ASSAY" formulas "$@"
	echo "-> $?"
}
try
try export
try import
try import missing.json
try import L2.txt nosuch
try import L2.txt --cpu k100
printf '[{"MetricName": "a",]' >bad.json
"$ASSAY" formulas import bad.json 2>&1 | cut -d : -f 1-4 | head -n 1
printf 'EVENTSET\nPMC0\n' >bad.txt
try import bad.txt
printf 'nonsense\n' >bad.txt
try import bad.txt
printf '[{"EventName":"X"}]' >bad.json
try import bad.json
