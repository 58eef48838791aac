# Faults planted into the software PMU: verify names the event and the lie.
unset XDG_DATA_HOME
export HOME=$PWD/home
say() {
	status=0
	"$ASSAY" verify --quick -q "$@" -x ';' >out 2>&1 || status=$?
	grep -E '^[A-Z0-9_.]+;(proportional|biased|dead|unstable|exact less)' \
		out | cut -d ';' -f "1-${fields:-3}"
	grep -E '^counters;' out | cut -d ';' -f 2
	grep -F ';violated;' out | cut -d ';' -f 1-4
	echo "-> $status"
}
echo '* none'
say --on sim:cortex-a72
echo '* double'
say --on sim:cortex-a72,fault=double:L1D_CACHE_REFILL
echo '* two at once'
say --on sim:cortex-a72 --fault writeback:L2D_CACHE_LD \
	--fault dead:BR_MIS_PRED
echo '* the counter'
say --on sim:cortex-a72 --fault wrap:INST_RETIRED,saturate:BR_PRED
echo '* from run to run'
say --on sim:cortex-a72 --fault interrupt:L1D_CACHE_LD=2,noise:INST_RETIRED
echo '* noise on few bits; and where little is claimed'
say --on sim:i7-6700hq --quick -e MEM_LOAD_RETIRED.L2_MISS \
	--fault noise:MEM_LOAD_RETIRED.L2_MISS=2 \
	--fault wrap:MEM_LOAD_RETIRED.L2_MISS=32
fields=4 say --on sim:neoverse-v2,page-map=random:45814 --quick --seed 436638 \
	-e L2D_CACHE_WB --fault noise:L2D_CACHE_WB=4
echo '* swapped'
say --on sim:cortex-a72 --fault swap:L1I_CACHE=L1D_TLB_REFILL
echo '* few counters'
say --on sim:cortex-a72 --fault counters=2 -e INST_RETIRED
echo '* mistakes'
for fault in doble:INST_RETIRED double:INST_RETIRE times:INST_RETIRED=0 \
	swap:INST_RETIRED wrap; do
	"$ASSAY" verify --on sim:cortex-a72 --fault "$fault" 2>&1
	echo "-> $?"
done
"$ASSAY" verify --fault dead:instructions 2>&1
echo "-> $?"
ls home 2>/dev/null
true
