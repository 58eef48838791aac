# Kinds of mistakes in event tables, each beside an entry like it that is right:
# what a check finds, and that it finds no more.
set -u

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
# FILE: perfmon's events, one a line: NAME SELECT UMASK [MORE]
events() {
	mkdir -p "${1%/*}"
	{ printf '{"Header":{},"Events":[\n'
	  comma=
	  while read -r name select umask more; do
		printf '%s{"EventName":"%s","EventCode":"%s","UMask":"%s"%s,' \
			"$comma" "$name" "$select" "$umask" "$more"
		printf '"Counter":"0,1","BriefDescription":"%s"}' "$name"
		comma=,
	  done
	  printf ']}\n'; } >"$1"
}
# 45 events that sibling CPUs share
shared() {
	i=0
	while [ $i -lt 45 ]; do
		echo "MADE.EVENT_$i 0x2$((i % 10)) $((i + 1))"
		i=$((i + 1))
	done
	cat
}

mkdir -p likwid/src/includes likwid/groups/skylake
cat >likwid/src/includes/perfmon_skylake_events.txt <<'END'
EVENT_L2               0x24   PMC
UMASK_L2_HIT           0x01
UMASK_L2_MISS          0x02
EVENT_FP               0xC7   PMC
UMASK_FP_SCALAR_DOUBLE 0x01
UMASK_FP_SCALAR_SINGLE 0x02
UMASK_FP_128B_DOUBLE   0x04
EVENT_INSTR_RETIRED    0xC0   PMC
UMASK_INSTR_RETIRED_ANY 0x00
EVENT_CAS              0x04   MBOX
UMASK_CAS_RD           0x03
EVENT_MERGE            0xFF   PMC
UMASK_MERGE            0x00
EVENT_HOP              0x05   HOP
UMASK_HOP_RD           0x01
END
cat >likwid/src/includes/perfmon_skylake_counters.h <<'END'
static RegisterMap skylake_counter_map[] = {
    {"PMC0", PMC0, PMC, MSR_PERFEVTSEL0, MSR_PMC0, 0, 0, EVENT_OPTION_NONE},
    {"PMC1", PMC1, PMC, MSR_PERFEVTSEL1, MSR_PMC1, 0, 0, EVENT_OPTION_NONE},
	{"MBOX0C0", PMC2, MBOX0},
    HOPS(0)
};
END
cat >likwid/groups/skylake/ONE.txt <<'END'
SHORT made up

EVENTSET
PMC0 FP_SCALAR_DOUBLE
PMC1 FP_128B_DOUBLE
PMC2 L2_HIT
MBOX0C0 CAS_RD
MBOX1C0 CAS_RD
HOP0C0 HOP_RD
PMC3 INSTR_RETIRED_ANY

METRICS
SP [FLOP/s] (PMC0+PMC1*2.0)/time
DP [FLOP/s] (PMC0+PMC1*2.0)/time
L2 hits PMC2
Read bandwidth [MBytes/s] 1.0E-06*MBOX0C0*64.0/time
Hops HOP0C0
END
echo "== likwid: the other precision, counters that are not there or not used"
show likwid

cat >likwid/groups/skylake/FLOPS_DP.txt <<'END'
SHORT made up

EVENTSET
PMC0 FP_SCALAR_DOUBLE
PMC1 MERGE

METRICS
SP [MFLOP/s] 1.0E-06*PMC0/time
END
sed 's/^DP/SP/; s/DOUBLE/SINGLE/
$aDP [MFLOP/s] 2.0E-06*PMC0/time' likwid/groups/skylake/FLOPS_DP.txt \
	>likwid/groups/skylake/MEM_DP.txt
rm likwid/groups/skylake/ONE.txt
echo "== likwid: a metric of the precision that the group does not have"
show likwid

mkdir -p perfmon/SKL/metrics
shared <<'END' | events perfmon/SKL/events/made_core.json
TLB.HIT 0x51 0x01
TLB.MISS 0x51 0x02
END
cat >perfmon/SKL/metrics/made_metrics.json <<'END'
{"Header":{},"Metrics":[
{"MetricName":"right","Formula":"max(A_1 / b, 1e3 * c) if #NA else 0x10",
 "Events":[{"Name":"TLB.MISS","Alias":"a_1"},{"Name":"TLB.HIT","Alias":"b"}],
 "Constants":[{"Name":"made","Alias":"c"}]},
{"MetricName":"wrong","Formula":"100 * ( a / bb )",
 "Events":[{"Name":"TLB.MISS","Alias":"a"},{"Name":"TLB.HIT","Alias":"b"}]}]}
END
echo "== perfmon: an alias that nothing defines"
show perfmon

cat >papi.csv <<'END'
CPU,made
PRESET,PAPI_ONE,DERIVED_POSTFIX,N0|N1|+|N2|-|,ONE,TWO,THREE
PRESET,PAPI_TWO,DERIVED_POSTFIX,N0|2|*|N2|-|,ONE,TWO,THREE
PRESET,PAPI_SUM,DERIVED_ADD,A1,A2,A3,A4,A5,A6,A7,A8,A9,A10,A11,A12,A13
PRESET,PAPI_TWELVE,DERIVED_ADD,A1,A2,A3,A4,A5,A6,A7,A8,A9,A10,A11,A12
PRESET,PAPI_MORE,DERIVED_POSTFIX,N0|N12|+|,A1,A2,A3,A4,A5,A6,A7,A8,A9,A10,A11,A12,A13
PRESET,PAPI_ODD,DERIVED_MUL,ONE,TWO
END
echo "== PAPI: an operand that the formula leaves out, or PAPI's reader"
show papi.csv

sums() {
	shared <<END | events "perfmon/$1/events/made_core.json"
BLOCKS.ONE 0x03 0x01
BLOCKS.TWO 0x03 0x02
BLOCKS.ALL 0x03 $2
OWN.ONE 0x04 0x02
OWN.TWO 0x04 0x04
OWN.ALL 0x04 $3
END
}
rm -r perfmon/SKL
sums ICL 0x03 0x01
sums TGL 0x10 0x08
echo "== an ALL with a bit of its own, where the sibling's has those of its parts"
show perfmon --cpu TGL

shared <<'END' | events bonnell/BNL/events/made_core.json
SNOOP_STALL_DRV.SELF 0x7E 0x40
CYCLES_DIV_BUSY 0x14 0x01
END
echo "== libpfm4: the default of another group is no mistake"
show libpfm4 --cpu atom --against bonnell | grep 'SNOOP_STALL_DRV:SELF\|CYCLES_DIV'

mkdir -p linux/tools/perf/pmu-events/arch/powerpc/power9 \
	linux/arch/powerpc/perf linux/drivers/perf
cat >linux/tools/perf/pmu-events/arch/powerpc/power9/made.json <<'END'
[{"EventName":"PM_LD_REF_L1","EventCode":"0x100FC",
  "BriefDescription":"All L1 D cache load references"},
 {"EventName":"PM_RUN_BRU","EventCode":"0x10068",
  "BriefDescription":"Finished in the branch unit"}]
END
cat >linux/arch/powerpc/perf/power9-pmu.c <<'END'
static int power9_generic_events[] = {
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] =		PM_RUN_BRU,
	[PERF_COUNT_HW_CACHE_REFERENCES] =		PM_LD_REF_L1,
};
END
cat >linux/drivers/perf/arm_pmuv3.c <<'END'
static const unsigned armv8_pmuv3_perf_map[PERF_COUNT_HW_MAX] = {
	PERF_MAP_ALL_UNSUPPORTED,
	[PERF_COUNT_HW_CACHE_MISSES]		= ARMV8_PMUV3_PERFCTR_L1D_CACHE_REFILL,
	[PERF_COUNT_HW_BRANCH_INSTRUCTIONS]	= ARMV8_PMUV3_PERFCTR_PC_WRITE_RETIRED,
};

static const unsigned armv8_a53_perf_cache_map[PERF_COUNT_HW_CACHE_MAX]
					      [PERF_COUNT_HW_CACHE_OP_MAX]
					      [PERF_COUNT_HW_CACHE_RESULT_MAX] = {
	PERF_CACHE_MAP_ALL_UNSUPPORTED,

	[C(L1D)][C(OP_READ)][C(RESULT_ACCESS)]	= ARMV8_PMUV3_PERFCTR_L1D_CACHE,
	[C(L1D)][C(OP_READ)][C(RESULT_MISS)]	= ARMV8_PMUV3_PERFCTR_L1D_CACHE_REFILL,

	[C(LL)][C(OP_READ)][C(RESULT_MISS)]	= ARMV8_PMUV3_PERFCTR_LL_CACHE_MISS_RD,
	[C(NODE)][C(OP_READ)][C(RESULT_ACCESS)]	= CACHE_OP_UNSUPPORTED,
};
END
mkdir -p arm/pmu
cat >arm/pmu/cortex-a53.json <<'END'
{"_type": "Events", "cpuid": "0x41d03", "cpu": "Cortex-A53", "events": [
 {"code": 3, "name": "L1D_CACHE_REFILL", "description": "L1 data cache refill"},
 {"code": 4, "name": "L1D_CACHE", "description": "L1 data cache access"},
 {"code": 12, "name": "PC_WRITE_RETIRED",
  "description": "Software change of the PC"}]}
END
echo "== generic names of Arm's and POWER's drivers"
show linux --against arm

shared <<'END' | events perfmon/EMR/events/made_core.json
OCR.READ.L3_HIT 0x2A,0x2B 0x01 ,"MSRIndex":"0x1a6,0x1a7","MSRValue":"0x10"
OCR.READ.L3_MISS 0x2A,0x2B 0x01 ,"MSRIndex":"0x1a6,0x1a7","MSRValue":"0x20"
OCR.RFO.L3_HIT 0x2A,0x2B 0x01 ,"MSRIndex":"0x1a6,0x1a7","MSRValue":"0x20"
END
arch=metrics/tools/perf/pmu-events/arch
mkdir -p $arch/x86/emeraldrapids $arch/x86/amdzen4 $arch/arm64/hisilicon/hip08
echo 'GenuineIntel-6-CF,v1,emeraldrapids,core
AuthenticAMD-25-[0-9A-F]+,v1,amdzen4,core' >$arch/x86/mapfile.csv
echo '0x00000000480fd010,v1,hisilicon/hip08,core' >$arch/arm64/mapfile.csv
cat >$arch/x86/emeraldrapids/made.json <<'END'
[{"EventName":"OCR.READ.L3_HIT","EventCode":"0x2A,0x2B","UMask":"0x01",
  "MSRIndex":"0x1a6,0x1a7","MSRValue":"0x30"},
 {"EventName":"OCR.READ.L3_MISS","EventCode":"0x2A,0x2B","UMask":"0x01",
  "MSRIndex":"0x1a6,0x1a7","MSRValue":"0x20"}]
END
cat >$arch/x86/amdzen4/made.json <<'END'
[{"EventName":"ls_made_up","EventCode":"0x29"},
 {"MetricName":"made_metric","MetricExpr":"d_ratio(ls_made_up, cycles)"},
 {"MetricName":"right","MetricExpr":"made_metric * amd_df@event\\=1@ / TSC"},
 {"MetricName":"nest","MetricExpr":"hv_24x7@PM_NOT_LISTED@ + ls_made_up"},
 {"MetricName":"core","MetricExpr":"cpu@ls_not_there@ + made_metric"},
 {"MetricName":"wrong","MetricExpr":"d_ratio(ls_made_upp, max(cycles, 1))"}]
END
cat >$arch/arm64/hisilicon/hip08/made.json <<'END'
[{"EventName":"MADE_HERE","EventCode":"0x29"},
 {"MetricName":"the kernel's","MetricExpr":"MADE_HERE / CPU_CYCLES"}]
END
echo "== offcore responses: two selects are one event"
show perfmon --cpu EMR
show metrics --cpu emeraldrapids --against perfmon
echo "== Linux: absent in a metric, names without a dot"
show metrics --cpu amdzen4
show metrics --cpu hip08

rm -r perfmon
shared <<'END' | events perfmon/SKL/events/made_core.json
ARITH.DIV_ACTIVE 0xB0 0x09 ,"CounterMask":"1"
ARITH.FPDIV_ACTIVE 0xB0 0x01 ,"CounterMask":"1"
ARITH.IDIV_ACTIVE 0xB0 0x08
CLEARS.ONE_COUNT 0xC3 0x01 ,"EdgeDetect":"1","CounterMask":"1"
CLEARS.TWO_COUNT 0xC3 0x02 ,"EdgeDetect":"1","CounterMask":"1"
CLEARS.SUM_COUNT 0xC3 0x03 ,"CounterMask":"1"
CLEARS.OTHER_COUNT 0xC4 0x03
MOVES.ONE_CYCLES 0xC5 0x01 ,"CounterMask":"1"
MOVES.TWO_CYCLES 0xC5 0x02 ,"CounterMask":"2"
MOVES.ALL_CYCLES 0xC5 0x04
READS.CYCLES_WITH_DATA_RD 0xC8 0x01 ,"CounterMask":"1"
READS.CYCLES_WITH_CODE_RD 0xC8 0x02 ,"CounterMask":"1"
READS.DATA_RD 0xC8 0x08
ERRORS.MEMORY 0xC6 0x80
ERRORS.ALL 0xC6 0x80
BLOCKS.ONE 0xC7 0x01
BLOCKS.TWO 0xC7 0x02
BLOCKS.ALL 0xC7 0x01
END
echo "== family: the cmask and the edge of one last word; dup: an ALL of one part"
show perfmon

mkdir -p broken/SKL/events broken/ICL/events
cat >broken/SKL/events/made_core.json <<'END'
{"Events":[
{"EventName":"TLB.HIT","EventCode":"0x51","UMask":"0x01"},
{"EventName":"TLB.BAD","EventCode":"zz","UMask":"0x02"},
{"EventName":"TLB.WIDE","EventCode":"0x51","UMask":"0x12345678901234567"},
{"EventName":"TLB.LIST","EventCode":"1,2,3,4,5","UMask":"0x01"},
{"EventCode":"0x51","UMask":"0x04"},
{"EventName":"\u001b[2J","EventCode":"0x51","UMask":"0x08"},
{"EventName":"TLB.MISS","EventCode":"0x51","UMask":"0x110"}
]}
END
printf '{"Events":[{"EventName":"TLB.LOST",' >broken/ICL/events/made_core.json
ln -s nowhere broken/link
echo "== what cannot be read takes nothing else away"
show broken
"$ASSAY" audit broken -x, 2>&1 | sed -n 's/^unreadable.*json,//p'
show perfmon --against broken --cpu SKL | grep unreadable
"$ASSAY" audit broken/ICL; echo "exit $?"
{ printf '['; i=0
  while [ $i -lt 300 ]; do printf '{"EventName":"A","UMask":"q"},\n'; i=$((i + 1))
  done; echo '{"EventName":"B"}]'; } >flood.json
"$ASSAY" audit flood.json -x, 2>&1 | sed -n '21,$p'

rm -r perfmon
for cpu in SKL ICL TGL; do
	shared <<'END' | events perfmon/$cpu/events/made_core.json
TLB.HIT 0x51 0x01
TLB.MISS 0x51 0x01
TLB.WIDE 0x52 0x123
END
done
ln -s perfmon again
mkdir own
cp "$ASSAY_SOURCE/data/cpus/cortex-a72.yaml" own
alone() { "$ASSAY" audit "$@" 2>&1 | sed -n '1p;/twice/p'; }
echo "== a place that is named twice is read once"
alone perfmon
for more in perfmon ./again perfmon/ICL perfmon/ICL/events/made_core.json \
	'--against again'; do
	alone perfmon $more
done
alone perfmon/ICL perfmon
alone own
alone own own/cortex-a72.yaml
alone own/cortex-a72.yaml own
alone own --against own/cortex-a72.yaml
alone libpfm4 libpfm4 --cpu ivb
"$ASSAY" audit again -x, | wc -l
"$ASSAY" audit perfmon again -x, 2>&1 | wc -l
echo "== the same of several CPUs is one row on a screen; -x says nothing else"
"$ASSAY" audit perfmon
"$ASSAY" audit perfmon -x, 2>&1 >/dev/null; echo "exit $?"

rm -r likwid perfmon
mkdir -p likwid/src/includes likwid/groups/goldmont
cat >likwid/src/includes/perfmon_goldmont_events.txt <<'END'
EVENT_L2_BTB_CORRECTION   0x8B   PMC
UMASK_L3_BTB_CORRECTION   0x00
EVENT_CLOCK_UNHALTED      0x3C   PMC
UMASK_CLOCK_THREAD_UNHALTED_ONE 0x02
UMASK_CLOCK_UNHALTED_TWO  0x04
EVENT_SWITCHES_CYCLES     0xAB   PMC
UMASK_SWITCHES_COUNT      0x02
EVENT_L2_RQSTS            0x24   PMC
UMASK_L2_RQSTS_ALL_DEM_AND_DATA_RD 0x03
EVENT_REFILLS             0x50   PMC
UMASK_REFILLS             0x00
EVENT_ACCESSES            0x51   PMC
UMASK_ACCESSES            0x00
EVENT_INSTR_RETIRED       0xC0   PMC
UMASK_INSTR_RETIRED       0x00
EVENT_INST_RETIRED        0xC0   PMC
UMASK_INST_RETIRED        0x00
END
cat >likwid/groups/goldmont/CACHE.txt <<'END'
SHORT made up

EVENTSET
PMC0 INSTR_RETIRED
PMC1 ACCESSES
PMC2 REFILLS
PMC3 INST_RETIRED

METRICS
data misses [1] PMC1
miss rate (PMC2)/PMC0
miss ratio 1.0E+00*PMC2/PMC1/time

LONG
data misses = REFILLS
miss rate = REFILLS/INST_RETIRED
miss ratio = REFILLS/ACCESSES/runtime
END
shared <<'END' | events perfmon/GLM/events/made_core.json
L2_RQSTS.ALL_DEMAND_DATA_RD 0x24 0x03
END
echo "== likwid: slips in the EVENT line's name, another event in the text"
show likwid --against perfmon
cat >papi5.csv <<'END'
CPU,amd64_fam16h_jaguar
PRESET,PAPI_ONE,NOT_DERIVED,ONE
PRESET,PAPI_TWO,NOT_DERIVED,TWO
CPU,made
PRESET,PAPI_L1_DCA,DERIVED_POSTFIX,N0|N1|+,PM_LD_REF_L1,PM_LD_MISS_L1
PRESET,PAPI_L1_DCH,DERIVED_POSTFIX,N0|N1|-,PM_LD_REF_L1,PM_LD_MISS_L1
END
echo "== PAPI: a CPU that libpfm4 has by another name, a sum in postfix"
show papi5.csv --against libpfm4

rm -rf perfmon
shared </dev/null | events perfmon/SKL/events/made_core.json
cat >perfmon/mapfile.csv <<'ROWS'
Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-5E,V1,/SKL/events/made_core.json,core,,,
GenuineIntel-6-7E,V1,/ICL/events/made_core.json,core,,,
ROWS
mkdir -p perfmon/ICL/events perfmon/SKL/metrics perfmon/scripts
echo '{"Metrics":{"a":["b"]}}' >perfmon/SKL/schema.json
: >perfmon/SKL/metrics/made_metrics.json
: >perfmon/scripts/other.json
file=perfmon/ICL/events/made_core.json
echo "== a file that mapfile.csv names, or of a CPU's folder, is no table"
for made in ':' 'echo \"hello\"' 'head -c 200000 /dev/zero | tr "\0" "["' \
	'head -c 99 /dev/zero' mkfifo; do
	rm -f $file
	if [ "$made" = mkfifo ]; then mkfifo $file; else eval "$made" >$file; fi
	show perfmon
	"$ASSAY" explain GOOD.B --cpu ICL --event-tables perfmon 2>&1
	echo "exit $?"
done
mkdir -p zero arm/pmu
: >zero/made.json
"$ASSAY" audit zero; echo "exit $?"
mkdir -p sources/include/perfmon
: >sources/include/perfmon/pfmlib.h
"$ASSAY" audit sources; echo "exit $?"
cp "$ASSAY_SOURCE/tests/tables/arm/pmu/core-m.json" arm/pmu
cp perfmon/SKL/schema.json arm/pmu
: >arm/pmu/core-n.json
show arm

rm -rf perfmon
shared <<'ROWS' | events perfmon/SKL/events/made_core.json
TLB.HIT 0x51 0x01
TLB.BAD zz 0x01
ROWS
mkdir perfmon/SKL/metrics
cat >perfmon/SKL/metrics/made_metrics.json <<'ROWS'
{"Metrics":[
{"MetricName":"bad","Formula":"a","Events":[{"Name":"TLB.BAD","Alias":"a"}]},
{"MetricName":"gone","Formula":"a","Events":[{"Name":"TLB.GONE","Alias":"a"}]}]}
ROWS
file=perfmon/SKL/events/made_core.json
show_cut() {
	echo 'TLB.HIT 0x51 0x01' | shared | events $1/SKL/events/made_core.json
	show $1 --against perfmon
}
echo "== absent: not what stands in an entry, or in the rest of a file, that is not read"
show perfmon
shared </dev/null | events $file
rm -r perfmon/SKL/metrics
echo "== withdrawn: a name of the last edition, but not one of its part that is not read"
show_cut newer
head -c -5 $file >cut
mv cut $file
show_cut newer
