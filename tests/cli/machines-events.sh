# Recorded machines: whose events are chosen, and can they be counted there.
umask 022
for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
	name=$(basename "$tree" .tree)
	"$ASSAY_SOURCE"/tests/machines/unpack "$tree" "$name"
	echo "== $name"
	for event in cpu-cycles L1D_CACHE_REFILL LS_DISPATCH:LD \
			L2_RQSTS.DEMAND_DATA_RD_MISS \
			DATA_CACHE_MISSES cpu_core/mem-loads/ \
			cpu_atom/mem-loads/ \
			armv8_cortex_a78/l1d_cache_refill/; do
		"$ASSAY" list events "$event" --sysroot "$name" -x , \
			2>why | cut -d, -f1-4 | grep "^$event," ||
			echo "$event: none"
	done
done
exit 0
