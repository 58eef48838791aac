# Faults planted into the software PMU: verify names the event and the lie.
unset XDG_DATA_HOME
export HOME=$PWD/home
say() {
	status=0
	"$ASSAY" verify --quick -q "$@" -x ';' >out 2>&1 || status=$?
	grep -E '^[A-Z0-9_]+;(proportional|biased|dead|unstable|exact less)' \
		out | cut -d ';' -f 1-3
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
