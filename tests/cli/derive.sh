# What a quantity is in events: exact, close, or not to be had.
derive() {
	"$ASSAY" derive "$@"
	echo "-> $?"
}
derive l1d_refills --on sim:k10
derive served_l2 --on sim:cortex-a76 \
	-e L1D_CACHE,L1D_CACHE_REFILL,L2D_CACHE,L2D_CACHE_REFILL,L3D_CACHE
derive mispredicts --on sim:cortex-a76 \
	--withhold BR_MIS_PRED,BR_MIS_PRED_RETIRED,LD_SPEC,LDST_SPEC
# of a large last level only cold caches tell
derive served_dram --on sim:neoverse-n1 \
	-e LL_CACHE_MISS_RD,LL_CACHE_RD,L2D_CACHE_REFILL,MEM_ACCESS,L1D_TLB
# the sizes of a new CPU file are stand-ins
sed -e 's/^    size: .*/    size: 64 KiB | G model/' -e 's/^name: .*/name: guessed/' \
	"$ASSAY_SOURCE/data/cpus/cortex-a76.yaml" >guessed.yaml
derive served_l1 --on sim:./guessed.yaml -e L1D_CACHE,L1D_CACHE_REFILL
derive loads --on sim:./guessed.yaml -e LD_SPEC,LD_RETIRED
derive l1d_refils
derive
derive l1d_refills --on sim:k10 --withhold DATA_CACHE_MISES
derive instructions --on replay:a72-chase
echo '* fewer counters than events'
"$ASSAY" derive l1d_refills --on sim:amd-k10,fault=counters=1 \
	-e DATA_CACHE_REFILLS:L2,DATA_CACHE_REFILLS:SYSTEM |
	grep 'DATA_CACHE_REFILLS:L2 + DATA_CACHE_REFILLS:SYSTEM'
echo "-> $?"
echo "* reasons that need no run"
derive l1d_refills --on sim:k10 -e DATA_CACHE_REFILLS,DATA_CACHE_REFIL
derive l1d_refills -e nosuch
derive l1d_refills -e page-faults
derive instructions --on replay:a72-chase -e nosuch
