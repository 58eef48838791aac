# The laws between events hold for what the software PMU counts on every kind
# of CPU, and an event that counts something else breaks them.
run() {
	cpu=$1
	shift
	for kernel in 'chase --elements 64,4096,32768 --passes 2' \
		'random --bytes 16K,8M --accesses 20000' \
		'stride --bytes 1M --op load,store --offsets 2' \
		'matmul --n 24' 'icode --lines 2048' 'branch --chars 5000'; do
		# shellcheck disable=SC2086
		"$ASSAY" run $kernel --on "sim:$cpu" -e "$1" -j -q \
			-o one.jsonl && cat one.jsonl
	done >"$cpu.jsonl"
}
# Any formula will do: judge checks the laws of saved records.
check() {
	"$ASSAY" judge "$2" "$1.jsonl" -j -q >rows.jsonl 2>/dev/null
	python3 -c '
import collections, json, sys
seen = collections.Counter()
for line in open("rows.jsonl"):
    o = json.loads(line)
    if o["t"] == "identity":
        seen[o["verdict"]] += 1
        if o["verdict"] != "holds":
            print(" ", o["identity"], o["left"], o["right"], o["law"])
print(sys.argv[1] + ":", *("%d %s" % (seen[k], k) for k in sorted(seen)))
' "$1"
}
run cortex-a76 L1D_CACHE,L1D_CACHE_RD,L1D_CACHE_WR,L1D_CACHE_REFILL,\
L1D_CACHE_REFILL_RD,L1D_CACHE_REFILL_WR,MEM_ACCESS,MEM_ACCESS_RD,\
MEM_ACCESS_WR,L2D_CACHE,L2D_CACHE_RD,L2D_CACHE_WR,L2D_CACHE_REFILL,\
L2D_CACHE_REFILL_RD,L2D_CACHE_REFILL_WR,L3D_CACHE,L3D_CACHE_RD,\
L3D_CACHE_REFILL,L1D_TLB,L1D_TLB_REFILL,L2D_TLB,L2D_TLB_REFILL,BR_RETIRED,\
BR_MIS_PRED_RETIRED,INST_RETIRED,BUS_ACCESS,BUS_ACCESS_RD,BUS_ACCESS_WR
check cortex-a76 arm-pies
run amd-k10 DATA_CACHE_ACCESSES,DATA_CACHE_MISSES,DATA_CACHE_REFILLS:ALL,\
DATA_CACHE_REFILLS:L2,DATA_CACHE_REFILLS:SYSTEM,\
DATA_CACHE_REFILLS_FROM_SYSTEM:VALID,DATA_CACHE_REFILLS_FROM_SYSTEM:ALL,\
INSTRUCTION_CACHE_FETCHES,INSTRUCTION_CACHE_REFILLS_FROM_L2,\
INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM,REQUESTS_TO_L2:IC,REQUESTS_TO_L2:DC,\
REQUESTS_TO_L2:TLB_WALK,REQUESTS_TO_L2:IC_DC_TLB,L2_CACHE_MISS:TLB_WALK,\
READ_REQUEST_TO_L3,L3_CACHE_MISSES,RETIRED_BRANCH,RETIRED_INSTRUCTIONS
check amd-k10 k10-l2
run i7-6700hq MEM_LOAD_RETIRED.L1_HIT,MEM_LOAD_RETIRED.L1_MISS,\
MEM_LOAD_RETIRED.L2_HIT,MEM_LOAD_RETIRED.L2_MISS,MEM_LOAD_RETIRED.L3_HIT,\
MEM_LOAD_RETIRED.L3_MISS,MEM_INST_RETIRED.ALL_LOADS,L2_TRANS.L2_WB,\
L2_LINES_OUT.NON_SILENT,BR_INST_RETIRED.ALL_BRANCHES,INST_RETIRED.ANY
check i7-6700hq skylake
run amd-zen3 DEMAND_DATA_CACHE_FILLS:ALL,DEMAND_DATA_CACHE_FILLS:L2,\
DEMAND_DATA_CACHE_FILLS:L3,DEMAND_DATA_CACHE_FILLS:CCX_NEAR,\
DEMAND_DATA_CACHE_FILLS:DRAM_NEAR,DEMAND_DATA_CACHE_FILLS:CCX_FAR,\
DEMAND_DATA_CACHE_FILLS:DRAM_FAR,ANY_DATA_CACHE_FILLS:ALL,LS_DISPATCH:ALL,\
L1_DTLB_MISS:ALL,L1_DTLB_MISS:L2_HIT,L1_DTLB_MISS:WALK,RETIRED_BRANCHES,\
RETIRED_INSTRUCTIONS
check amd-zen3 zen
# two events swapped
sed 's/"L1D_CACHE_REFILL"/"x"/; s/"L1D_CACHE"/"L1D_CACHE_REFILL"/
	s/"x"/"L1D_CACHE"/' cortex-a76.jsonl | head -n 1 >swapped.jsonl
check swapped arm-pies
