# Event tables with planted mistakes: each is found by its class, and the same
# tables without the mistake have no finding.
set -u

# perfmon's table of a CPU: event NAME SELECT UMASK [MORE]
event() {
	printf '%s{"EventName":"%s","EventCode":"%s","UMask":"%s"%s,' \
		"$comma" "$1" "$2" "$3" "${4:-}"
	printf '"Counter":"0,1","BriefDescription":"%s"}' "$1"
	comma=,
}
# 45 events that sibling CPUs share
base() {
	i=0
	while [ $i -lt 45 ]; do
		event "MADE.EVENT_$i" "0x2$((i % 10))" "$((i + 1))"
		i=$((i + 1))
	done
}
# perfmon CPU: the events on standard input
perfmon() {
	mkdir -p "perfmon/$1/events"
	{ printf '{"Header":{},"Events":[\n'; comma=; base; "$2"
	  printf ']}\n'; } >"perfmon/$1/events/made_core.json"
}
# the findings: class, confidence, event, what is there
show() {
	"$ASSAY" audit "$@" -j >out 2>err
	code=$?
	sed -n 's/.*"class":"\([^"]*\)","confidence":"\([^"]*\)",'\
'"cpu":"\([^"]*\)","event":"\([^"]*\)","here":"\([^"]*\)","others":'\
'"\([^"]*\)".*/\1 \2: \3 \4: \5 <> \6/p' out
	cat err
	echo "exit $code"
}

right() {
	event TLB.HIT 0x51 0x01; event TLB.MISS 0x51 0x02
	event LOADS.A 0x61 0x01; event LOADS.B 0x61 0x02
	event LOADS.ALL 0x61 0x03; event QUEUE.CYCLES 0x71 0x01 \
		',"CounterMask":"10"'
	event MS.UOPS 0x79 0x04 ',"MSRIndex":"0x3F7","MSRValue":"0x8"'
	event OLD.NAME 0x80 0x01 ',"Deprecated":"1"'
	event NEW.NAME 0x80 0x01
	i=0
	while [ $i -lt 24 ]; do
		event MANY.M$i "0x8$((1 + (i + odd) / 24))" "$i"
		i=$((i + 1))
	done
}
wrong() {
	event TLB.HIT 0x51 0x02; event TLB.MISS 0x51 0x02
	event LOADS.A 0x61 0x01; event LOADS.B 0x61 0x02
	event LOADS.ALL 0x61 0x01; event QUEUE.CYCLES 0x71 0x01 \
		',"CounterMask":"16"'
	event WIDE.UMASK 0x81 0x123
}
odd=0
perfmon SKL right
perfmon ICL right
perfmon TGL right
echo "== nothing is wrong"
show perfmon
echo "== against itself and siblings: dup, union, radix, field"
perfmon TGL wrong
show perfmon
show perfmon --cpu SKL

mkdir -p linux/tools/perf/pmu-events/arch/x86/skylake
(cd linux/tools/perf/pmu-events/arch/x86
 echo Family-model,Version,Filename,EventType >mapfile.csv
 echo GenuineIntel-6-5E,v1,skylake,core >>mapfile.csv
 comma=
 { echo '['; event TLB.HIT 0x51 0x02; event TLB.MISS 0x51 0x01
   event LOADS.A 0x61 0x04; event LOADS.B 0x66 0x82; event MS.UOPS 0x79 0x08
   event MADE.EVENT_3 0x00 0x00; echo ']'; } >skylake/made.json)
odd=1
perfmon TGL right
echo "== family: one of 24 unit masks has another select"
show perfmon
odd=0
perfmon TGL right
mkdir -p linux/tools/perf/pmu-events/arch/test/soc/cpu
echo '[{"EventName":"made.one","EventCode":"1"},
{"MetricName":"made","MetricExpr":"made.nowhere"}]' \
	>linux/tools/perf/pmu-events/arch/test/soc/cpu/metrics.json
echo "== Linux's table against perfmon's: swap, digit, cross, pseudo"
show linux --against perfmon

mkdir -p perfmon/SKL/metrics
cat >perfmon/SKL/metrics/made_metrics.json <<'END'
{"Header":{},"Metrics":[
{"MetricName":"one","Formula":"a/b","Events":[{"Name":"TLB.MISS","Alias":"a"},
 {"Name":"TLB.NONE","Alias":"b"}]},
{"MetricName":"two","Formula":"a","Events":[{"Name":"OLD.NAME","Alias":"a"}]},
{"MetricName":"tlb_hits_per_second","Formula":"1000 * b","Events":[
 {"Name":"TLB.HIT","Alias":"a"},{"Name":"TLB.MISS:c1","Alias":"b"}]},
{"MetricName":"tlb_miss_ratio","Formula":"b / (a + b)","Events":[
 {"Name":"TLB.HIT","Alias":"a"},{"Name":"TLB.MISS","Alias":"b"}]}]}
END
echo "== metrics: absent, withdrawn, sense"
show perfmon

mkdir -p likwid/src/includes likwid/groups/skylake
cat >likwid/src/includes/perfmon_skylake_events.txt <<'END'
EVENT_TLB           0x51   PMC0|PMC1
UMASK_TLB_HIT       0x01
UMASK_TLB_MISS      0x02
EVENT_LOWER         0x6a   PMC
UMASK_LOWER_CASE    0x01
EVENT_OPTS          0x6B   CBOX
OPTIONS_OPTS_IO_READ EVENT_OPTION_TID_MASK
UMASK_OPTS_IA_READ  0x01
OPTIONS_OPTS_RIGHT EVENT_OPTION_TID_MASK
UMASK_OPTS_RIGHT  0x02
OPTIONS_OPTS_ALL EVENT_OPTION_TID_MASK
UMASK_OPTS_ALL_ON_PURPOSE  0x04
OPTIONS_OPTS_LAST EVENT_OPTION_TID_MASK
DEFAULT_OPTIONS_OPTS_IO_MATCH EVENT_OPTION_MATCH0=0x11
UMASK_OPTS_IA_MATCH  0x08
DEFAULT_OPTIONS_OPTS_PART EVENT_OPTION_MATCH0=0x12
UMASK_OPTS_ALSO  0x10
UMASK_MORE_OPTS_PART  0x20
EVENT_SAME          0x77   PMC
UMASK_SAME_RED      0x01
UMASK_SAME_GREEN    0x01
UMASK_SAME_BLUE     0x01
END
cat >likwid/groups/skylake/TLB.txt <<'END'
SHORT made up

EVENTSET
PMC0 TLB_MISS
PMC1 TLB_GONE
PMC3 TLB_HIT
PMC3 SAME_RED

METRICS
rate PMC0/PMC1
other PMC0/PMC2

LONG
rate = TLB_MISS/TLB_GONE
END
cat >>likwid/src/includes/perfmon_skylake_events.txt <<'END'
EVENT_FP            0xC7   PMC
UMASK_FP_128B_PACKED_SINGLE 0x08
UMASK_FP_256B_PACKED_DOUBLE 0x10
END
cat >likwid/groups/skylake/FP.txt <<'END'
SHORT made up

EVENTSET
PMC0 FP_128B_PACKED_SINGLE
PMC1 FP_256B_PACKED_DOUBLE

METRICS
SP [FLOP/s] (PMC0*2.0+PMC1*4.0)/time
Both [FLOP/s] (PMC0*4.0+PMC1*4.0)/time
Packed [uops/s] (PMC0+PMC1)/time
END
echo "== likwid: syntax, factor, dup, absent, counter, formula"
show likwid
cat >papi.csv <<'END'
CPU,skl
PRESET,PAPI_MADE_SUB,DERIVED_SUB,UOPS_ISSUED:ANY
PRESET,PAPI_MADE_RPN,DERIVED_POSTFIX,N0|N1|+|,UOPS_ISSUED:ANY
PRESET,PAPI_MADE_NONE,NOT_DERIVED,UOPS_ISSUED:NEVER
PRESET,PAPI_MADE_GOOD,NOT_DERIVED,UOPS_ISSUED:ANY
END
cat >papi2.csv <<'END'
CPU,made
PRESET,PAPI_L2_DCH,NOT_DERIVED,L2D_CACHE
PRESET,PAPI_L2_DCA,NOT_DERIVED,L2D_CACHE
PRESET,PAPI_LD_INS,DERIVED_ADD,M_LD_REF_L1,M_LD_MISS_L1
END
echo "== PAPI: formula, absent, sense"
show papi.csv --against libpfm4
show papi2.csv

cat >likwid/src/includes/perfmon_zen4_events.txt <<'END'
EVENT_INT_OPS           0x0B   PMC
UMASK_INT_OPS_SSE_MOV   0x0A
UMASK_INT_OPS_SSE_ADD   0x10
UMASK_INT_OPS_MMX_ADD   0x01
UMASK_INT_OPS_MMX_ADD   0x02
END
mkdir -p amd/tools/perf/pmu-events/arch/x86/amdzen4
(cd amd/tools/perf/pmu-events/arch/x86
 echo 'AuthenticAMD-25-1[0-9A-F],v1,amdzen4,core' >mapfile.csv
 comma=
 { echo '['; event retired.sse_mov 0x0b 0xa0; event retired.sse_add 0x0b 0x10
   echo ']'; } >amdzen4/made.json)
cat >papi3.csv <<'END'
CPU,arm_ac53
PRESET,PAPI_SR_INS,NOT_DERIVED,SR_RETIRED
PRESET,PAPI_LD_INS,NOT_DERIVED,MADE_OTHERWISE
END
mkdir -p arm/pmu
cat >arm/pmu/cortex-a53.json <<'END'
{"_type": "Events", "cpuid": "0x41d03", "cpu": "Cortex-A53", "events": [
 {"code": 7, "name": "ST_RETIRED", "description": "made up"}]}
END
echo "== PAPI: absent on Arm"
show papi3.csv --against arm
echo "== AMD: the words of unit masks; twice"
show likwid/src/includes/perfmon_zen4_events.txt --against amd
echo "== forms"
"$ASSAY" audit linux --against perfmon 
"$ASSAY" audit linux --against perfmon -x, 2>&1 | sed -n 1,3p
"$ASSAY" audit linux --against perfmon --format markdown | sed -n 1,5p
echo "== mistakes"
"$ASSAY" audit; echo "exit $?"
"$ASSAY" audit nothing; echo "exit $?"
"$ASSAY" audit perfmon --cpu none; echo "exit $?"
"$ASSAY" audit perfmon --against nothing; echo "exit $?"

right2() {
	right
	event RQSTS.RFO_HIT 0x24 0xc2; event RQSTS.RFO_MISS 0x24 0x22
	event RQSTS.ALL_RFO 0x24 0xe2
}
perfmon ICL right2
rm -r perfmon/TGL perfmon/SKL
mkdir old now
cp -r perfmon old
(cd old; perfmon ICL right2
 sed -i 's/"RQSTS.RFO_HIT","EventCode":"0x24","UMask":"0xc2"/'\
'"RQSTS.RFO_HIT","EventCode":"0x24","UMask":"0x42"/' \
	perfmon/ICL/events/made_core.json)
echo "== union: hits and misses; another edition of the table"
show old/perfmon
show old/perfmon --against perfmon
sed -i '/"NEW.NAME"/s/,{"EventName":"NEW.NAME"[^}]*}//' \
	perfmon/ICL/events/made_core.json
echo "== withdrawn: the other edition lacks a name"
show old/perfmon --against perfmon | grep withdrawn

mkdir -p now/src/includes now/groups/icelake
cat >now/src/includes/perfmon_icelake_events.txt <<'END'
EVENT_RQSTS             0x24   PMC
UMASK_RQSTS_RFO_HUT     0xC2
UMASK_RQSTS_RFO_MISS    0x22
EVENT_L2_LINES          0x25   PMC
UMASK_L2_LINES_IN       0x01
EVENT_TOR               0x35   CBOX
UMASK_TOR_IA_ITOM       0x01
UMASK_TOR_IA_SPECITOM   0x02
UMASK_L2_LINES_OUT      0x10
EVENT_CAS               0x36   MBOX
UMASK_CAS_RD            0x01
END
cat >now/groups/icelake/UNITS.txt <<'END'
SHORT made up

EVENTSET
PMC0 RQSTS_RFO_MISS
CBOX0C0 TOR_IA_ITOM
CBOX1C0 TOR_IA_ITOM
MBOX0C0 CAS_RD

METRICS
RFO hit rate PMC0/time
RFO misses per second PMC0/time
Lines 64/9*PMC0
Twice 2*PMC0
Sum CBOX0C0+CBOX1C0
Spec data volume [GBytes] 1.0E-09*(CBOX0C0+CBOX1C0)*64.0
Read bandwidth [MBytes/s] 1.0E-06*MBOX0C0*64.0/time
Read data volume [GBytes] 1.0E-09*MBOX0C0*32.0
Memory data volume [GBytes] 1.0E-06*MBOX0C0*64.0

LONG
Lines = RQSTS_RFO_MISS/9*64
Twice = RQSTS_RFO_MISS
Sum = SUM(TOR_IA_ITOM)
END
echo "== likwid: name, prefix, factor, sense"
show now --against perfmon
mkdir -p metrics/tools/perf/pmu-events/arch/x86/icelake
(cd metrics/tools/perf/pmu-events/arch/x86
 echo Family-model,Version,Filename,EventType >mapfile.csv
 echo GenuineIntel-6-7[DE],v1,icelake,core >>mapfile.csv
 comma=
 { echo '['; event TLB.HIT 0x51 0x01; comma=
   cat <<'END'
,{"MetricName":"good","MetricExpr":"TLB.HIT / cpu@TLB.HIT\\,cmask\\=1@ + 1.5"},
{"MetricName":"bad","MetricExpr":"TLB.HIT:u / max(TLB.LOST, 1)"},
{"MetricName":"whole","MetricExpr":"good * 2 + slots"}
]
END
 } >icelake/made.json)
echo "== Linux: absent in a metric"
show metrics
cat >papi4.csv <<'END'
CPU,made
PRESET,PAPI_L1_ICM,NOT_DERIVED,CODE_MISS
PRESET,PAPI_L1_DCM,NOT_DERIVED,DATA_MISS
PRESET,PAPI_L1_TCM,DERIVED_ADD,ALL_REQUESTS,CODE_MISS
PRESET,PAPI_L2_DCM,NOT_DERIVED,L2_MISS
PRESET,PAPI_L2_DCM,NOT_DERIVED,L2_HIT
CPU,made
PRESET,PAPI_L2_DCM,NOT_DERIVED,L2_LATER
END
echo "== PAPI: sums, two definitions in one block"
show papi4.csv
cat >>likwid/src/includes/perfmon_zen4_events.txt <<'END'
EVENT_L2_FILL_RESPONSE_SRC  0x72   PMC
UMASK_L2_FILL_RESPONSE_SRC_ANY  0x01
END
(cd amd/tools/perf/pmu-events/arch/x86
 comma=
 { echo '['; event l2_fill_rsp_src.all 0x165 0x01; echo ']'
 } >amdzen4/more.json)
echo "== AMD: an event of the same words with another select"
show likwid/src/includes/perfmon_zen4_events.txt --against amd |
	grep RESPONSE
twins() {
	for part in A B C; do
		event ONE.$part 0x51 0x0$part; event OTHER.$part 0x51 0x0$part
	done
}
perfmon ICL twins
echo "== dup: two events with the same unit masks"
show perfmon | head -n 1
mark() { printf '\357\273\277'; cat "$1"; }
mkdir -p marked/src/includes marked/groups/skylake
mark likwid/src/includes/perfmon_skylake_events.txt \
	>marked/src/includes/perfmon_skylake_events.txt
mark likwid/groups/skylake/TLB.txt >marked/groups/skylake/TLB.txt
mark papi4.csv >marked/papi.csv
echo "== a byte-order mark is no error"
show marked | sed 's/:.*//' | sort | uniq -c
mkdir -p kernel/tools/perf/pmu-events/arch/x86/skylake \
	kernel/arch/x86/events/intel kernel/arch/x86/events/amd
(cd kernel/tools/perf/pmu-events/arch/x86
 echo Family-model,Version,Filename,EventType >mapfile.csv
 echo 'GenuineIntel-6-[59]E,v1,skylake,core' >>mapfile.csv
 comma=
 { echo '['; event L1D.LINES_IN 0x51 0x01; comma=,
   event LOADS.ALL 0xd0 0x81; event LOADS.L2_MISS 0xd1 0x10; echo ']'
 } >skylake/made.json)
cat >kernel/arch/x86/events/intel/core.c <<'END'
/* "skl_hw_cache_event_ids" of a comment is no array */
static __initconst const u64 skl_hw_cache_event_ids
				[PERF_COUNT_HW_CACHE_MAX] =
{
 [ C(L1D ) ] = {
	[ C(OP_READ) ] = {
		[ C(RESULT_ACCESS) ] = 0x81d0,	/* loads, [C(X)] = 0x1 */
		[ C(RESULT_MISS)   ] = 0x151,
	},
	[ C(OP_WRITE) ] = {
		[ C(RESULT_ACCESS) ] = -1,
		[ C(RESULT_MISS)   ] = 0,
	},
 },
 [ C(DTLB) ] = {
	[ C(OP_READ) ] = {
		[ C(RESULT_ACCESS) ] = 0x81d0,
		[ C(RESULT_MISS)   ] = 0x10d1,
	},
 },
};
END
cat >kernel/arch/x86/events/amd/core.c <<'END'
static const u64 amd_zen1_perfmon_event_map[PERF_COUNT_HW_MAX] =
{
	[PERF_COUNT_HW_CACHE_REFERENCES]	= 0xff60,
	[PERF_COUNT_HW_CACHE_MISSES]		= 0x0964,
	[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND]	= 0x0287,
	[PERF_COUNT_HW_STALLED_CYCLES_BACKEND]	= 0x0187,
};
END
echo "== generic events of the kernel's drivers"
show kernel
"$ASSAY" audit kernel -v | grep -o 'core.c:.*'
mkdir -p zen/src/includes
cat >zen/src/includes/perfmon_zen4_events.txt <<'END'
EVENT_REFILLS           0x50   PMC
UMASK_REFILLS_LOCAL     0x01
UMASK_REFILLS_NEAR      0x02
UMASK_REFILLS_FAR       0x04
EVENT_WALKS             0x60   PMC
UMASK_WALKS_LOCAL       0x01
UMASK_WALKS_NEAR        0x02
UMASK_WALKS_FAR         0x04
END
(cd amd/tools/perf/pmu-events/arch/x86
 comma=
 { echo '['; event fills.local 0x60 0x01; event fills.near 0x60 0x02
   event fills.far 0x60 0x04; event tlb.small 0x50 0x01; echo ']'
 } >amdzen4/more.json)
echo "== AMD: the unit masks of another event"
show zen --against amd
mkdir -p arrays/SKL/events arrays/SKL/metrics
comma=
{ echo '['; base; event FIRST.NAME 0x71 0x01; echo ']'
} >arrays/SKL/events/made_core.json
cat >arrays/SKL/metrics/made.json <<'END'
[{"MetricName":"here","MetricExpr":"FIRST.NAME / 2"},
{"MetricName":"nowhere","MetricExpr":"SECOND.NAME / 2"}]
END
echo "== perfmon's old arrays, and its metrics for perf"
show arrays
mkdir -p text/src/includes text/groups/skylake
cat >text/src/includes/perfmon_skylake_events.txt <<'END'
EVENT_FP                0xC7   PMC
UMASK_FP_256B_PACKED_SINGLE 0x20
END
cat >text/groups/skylake/FLOPS.txt <<'END'
SHORT made up

EVENTSET
PMC0 FP_256B_PACKED_SINGLE

METRICS
SP PMC0*8.0/time

LONG
SP = FP_256B_PACKED_SINGLE*4/runtime
END
echo "== factor: the text is wrong, not the formula"
show text
