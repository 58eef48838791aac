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
"$ASSAY" formulas import Some-Metrics.json --set smt_on=1,num_cores=6
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
echo "== conditions, and metrics that name metrics"
cat >conditions.json <<'END'
[
 {"MetricName":"top","MetricExpr":"100 * (mid + base / 2)"},
 {"MetricName":"mid","MetricExpr":"base if #SMT_on | #num_packages > 1 else 2 * base"},
 {"MetricName":"base","MetricExpr":"(INST_RETIRED.ANY if #core_wide < 1 else 7) / CPU_CLK_UNHALTED.THREAD"},
 {"MetricName":"none","MetricExpr":"INST_RETIRED.ANY if #has_pmem > 0 else 0"},
 {"MetricName":"boxes","MetricExpr":"INST_RETIRED.ANY / source_count(UNC_CHA_CLOCKTICKS)"},
 {"MetricName":"asks","MetricExpr":"(INST_RETIRED.ANY if has_event(INST_RETIRED.ANY) else 0)"},
 {"MetricName":"guess","MetricExpr":"(INST_RETIRED.ANY if has_event(cycles\\-t) else 0)"},
 {"MetricName":"counts","MetricExpr":"INST_RETIRED.ANY if CPU_CLK_UNHALTED.THREAD > 5 else 1"},
 {"MetricName":"needy","MetricExpr":"truth + 1"},
 {"MetricName":"at_most","MetricExpr":"2 * (1 if ( INST_RETIRED.ANY + 1 < = max(5, 4) ) else INST_RETIRED.ANY)"},
 {"MetricName":"truth","MetricExpr":"1 if CPU_CLK_UNHALTED.THREAD else 2"},
 {"MetricName":"tsc","MetricExpr":"TSC / 1e9 / #SYSTEM_TSC_FREQ"},
 {"MetricName":"forms","MetricExpr":"cpu@L2_RQSTS.MISS\\,umask\\=0x21@ / cpu_core@INST_RETIRED.ANY@ + L1D.REPLACEMENT@cmask\\=1@ + cpu_atom@INST_RETIRED.ANY@"},
 {"MetricName":"terms","MetricExpr":"cha@UNC_X\\,a\\=1@"},
 {"MetricName":"long","MetricExpr":"INST_RETIRED.ANY * 7.1111111111111111E-06"}
]
END
"$ASSAY" formulas import conditions.json --cpu i7-6700hq \
	--set source_count_cha=8,smt_on=1
"$ASSAY" formulas import conditions.json base --cpu i7-6700hq --set core_wide=1 |
	grep is:
printf '\357\273\277[{"MetricName":"a","MetricExpr":"INST_RETIRED.ANY"}]' >bom.json
"$ASSAY" formulas import bom.json --cpu i7-6700hq | tail -n 2
echo "== perfmon"
cat >perfmon.json <<'END'
{"Header":{"Info":"made up"},"Metrics":[
 {"MetricName":"Share","Formula":"100 * ( ( a / 2 ) if smt_on else ( b ) ) / max( c , d ) / threads",
  "Events":[{"Name":"CPU_CLK_UNHALTED.THREAD","Alias":"a"},{"Name":"CPU_CLK_UNHALTED.THREAD:SUP","Alias":"b"},
   {"Name":"L1D.REPLACEMENT:c2:e1:i1","Alias":"c"},{"Name":"INST_RETIRED.ANY","Alias":"d"}],
  "Constants":[{"Name":"HYPERTHREADING_ON","Alias":"smt_on"},{"Name":"THREADS_PER_CORE","Alias":"threads"}],
  "UnitOfMeasure":"percent"},
 {"MetricName":"Rate","Formula":"a / ( t / 1000 )","Events":[{"Name":"INST_RETIRED.ANY","Alias":"a"}],
  "Constants":[{"Name":"DURATIONTIMEINMILLISECONDS","Alias":"t"}]},
 {"MetricName":"Latency","Formula":"a","Events":[{"Name":"INST_RETIRED.ANY:retire_latency","Alias":"a"}],"Constants":[]},
 {"MetricName":"Filter","Formula":"a","Events":[{"Name":"INST_RETIRED.ANY:filter1=0x4","Alias":"a"}],"Constants":[]},
 {"MetricName":"Other","Formula":"a + z","Events":[{"Name":"INST_RETIRED.ANY","Alias":"a"}],"Constants":[]}
]}
END
"$ASSAY" formulas import perfmon.json --cpu i7-6700hq
"$ASSAY" formulas import perfmon.json Share --cpu i7-6700hq --set smt_on=1 |
	grep is:
echo "== counters of likwid"
cat >counters.txt <<'END'
SHORT options
REQUIRE_NOHT
an unknown line
EVENTSET
FIXC0 INST_RETIRED_ANY
PMC0 L1D_REPLACEMENT
PMC1:EDGEDETECT L1D_REPLACEMENT
PMC2:THRESHOLD=0x2:INVERT L1D_REPLACEMENT
PMC3:KERNEL L1D_REPLACEMENT
PMC4:MATCH0=0x3 L1D_REPLACEMENT
MBOX0C0 CAS_RD
MBOX1C0 CAS_RD
PMC5

METRICS
Edges PMC0/PMC1:EDGEDETECT
Idle PMC2:THRESHOLD=0x2:INVERT/FIXC0
Kernel PMC3:KERNEL/PMC0
Matched PMC4:MATCH0=0x3/PMC0
Other PMC1/PMC0
Boxes MBOX0C0+MBOX1C0
Clock [MHz] 1.E-06*PMC0/inverseClock
Rate [1/s] PMC0/time
[MFLOP/s] 1E-6*PMC0
alone
LONG
Any [text].
END
"$ASSAY" formulas import counters.txt --cpu i7-6700hq
"$ASSAY" formulas import counters.txt Edges
echo "== codes of the tables at hand"
cat >tabled.json <<'END'
[
 {"MetricName":"busy","MetricExpr":"MADE_UP.CYCLES@cmask\\=2@ / INST_RETIRED.ANY"},
 {"MetricName":"plain","MetricExpr":"made_up.cycles / INST_RETIRED.ANY"},
 {"MetricName":"register","MetricExpr":"MADE_UP.REQUESTS_OF_A_KIND_WITH_A_NAME_OF_MORE_THAN_SIXTY_THREE_CHARACTERS@cmask\\=2@"}
]
END
"$ASSAY" formulas import tabled.json --cpu i7-6700hq
"$ASSAY" formulas import tabled.json --cpu i7-6700hq \
	--event-tables "$ASSAY_SOURCE/tests/tables/perfmon" | grep -A 9 events:
echo "== registers, and latencies that nobody samples"
cat >latency.json <<'END'
{"Metrics": [
 {"MetricName":"Set","Formula":"a / b", "Events": [
  {"Name":"MADE_UP.REQUESTS_OF_A_KIND_WITH_A_NAME_OF_MORE_THAN_SIXTY_THREE_CHARACTERS:c2","Alias":"a"},
  {"Name":"MADE_UP.REQUESTS_OF_A_KIND_WITH_A_NAME_OF_MORE_THAN_SIXTY_THREE_CHARACTERS:ocr_msr_val=0x12:sup","Alias":"b"}]},
 {"MetricName":"Guessed","Formula":"a * (b if b >= 0 else 7)", "Events": [
  {"Name":"INST_RETIRED.ANY","Alias":"a"},
  {"Name":"MADE_UP.CYCLES:retire_latency","Alias":"b"}]},
 {"MetricName":"Sampled","Formula":"a * b", "Events": [
  {"Name":"INST_RETIRED.ANY","Alias":"a"},
  {"Name":"MADE_UP.CYCLES:retire_latency","Alias":"b"}]}
]}
END
"$ASSAY" formulas import latency.json --cpu i7-6700hq \
	--event-tables "$ASSAY_SOURCE/tests/tables/perfmon"
echo "== one metric of a file"
"$ASSAY" formulas import conditions.json --cpu i7-6700hq -o many.yaml -q
"$ASSAY" run chase --elements 4096 --passes 10 --on sim:i7-6700hq \
	--formulas ./many.yaml:top -j | grep -o '"t":"metric".*\|"event":"[^"]*"' |
	sed 's/"kernel.*"file"/"file"/'
"$ASSAY" run chase --on sim:i7-6700hq --formulas ./many.yaml:tip
echo "-> $?"
"$ASSAY" stat -e duration_time -j true 2>&1 |
	grep -o '"t":"count","event":"duration_time"'
"$ASSAY" run chase -e duration_time 2>&1 | grep duration_time
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
try import L2.txt --set smt_on=yes
try import L2.txt --set smt_on
printf '[{"MetricName": "a",]' >bad.json
"$ASSAY" formulas import bad.json 2>&1 | cut -d : -f 1-4 | head -n 1
printf 'EVENTSET\nPMC0\n' >bad.txt
try import bad.txt
printf 'nonsense\n' >bad.txt
try import bad.txt
printf '[{"EventName":"X"}]' >bad.json
try import bad.json
echo "== what stands behind an event, and a CPU that tables alone know"
cat >scope.json <<'END'
[
 {"MetricName":"kernel_part","MetricExpr":"cpu@cycles@k / cpu@cycles@"},
 {"MetricName":"atom","MetricExpr":"cpu_atom@CYCLES.X@u / cpu_core@CYCLES.X@"},
 {"MetricName":"latency","MetricExpr":"LOADS.A * cpu_core@LOADS.A@R"},
 {"MetricName":"odd","MetricExpr":"cpu@LOADS.A@Z"},
 {"MetricName":"busy","MetricExpr":"MADE_UP.CYCLES@cmask\\=2@ / INST_RETIRED.ANY"}
]
END
"$ASSAY" formulas import scope.json 2>&1 | grep -v '^$'
"$ASSAY" formulas import scope.json busy --cpu MDE \
	--event-tables "$ASSAY_SOURCE/tests/tables/perfmon" | grep -A 9 events:
cat >arm.json <<'END'
[{"MetricName":"x","MetricExpr":"armv8_pmuv3_0@event\\=0x11@ / INST_RETIRED"}]
END
"$ASSAY" formulas import arm.json --cpu cortex-a76 | grep is:
echo "== the metrics of another kind of core"
mkdir -p kinds/ADL/metrics
printf 'GenuineIntel-6-97,1,/ADL/metrics/p.json,metrics,0,0,Core\n' >kinds/mapfile.csv
cat >kinds/ADL/metrics/p.json <<'END'
{ "Metrics": [ { "MetricName": "cpi", "BriefDescription": "cycles",
  "Events": [ { "Name": "CPU_CLK_UNHALTED.THREAD_P", "Alias": "a" },
              { "Name": "INST_RETIRED.ANY_P", "Alias": "b" } ],
  "Formula": "a / b" } ] }
END
for cpu in alder-lake-p alder-lake-e; do
	"$ASSAY" formulas import kinds/ADL/metrics/p.json --cpu $cpu 2>&1 |
		grep -e taken -e 'is:' -e PMU
done
