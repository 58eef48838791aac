# Ten page maps: the L1D miss ratios of 64 KiB and 128 KiB bracket those that
# were published for a Raspberry Pi 4, 0.875 and 1.000, and every map counts
# exactly elements x passes L1D reads.
for seed in 1 2 3 4 5 6 7 8 9 10; do
	"$ASSAY" sweep chase --on sim:cortex-a72 --page-map random:$seed \
		--elements 1024,2048 --order fisher-yates --accesses 1048576 \
		-e L1D_CACHE_LD,L1D_CACHE_REFILL_LD -x , || exit 1
done | awk -F, '
$1 == "elements" {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
{
	size = $at["elements"]
	rows++
	exact += $at["L1D_CACHE_LD"] == size * $at["passes"]
	ratio = sprintf("%.3f", $at["L1D_CACHE_REFILL_LD"] / $at["L1D_CACHE_LD"])
	if (!(size in low) || ratio < low[size])
		low[size] = ratio
	if (!(size in high) || ratio > high[size])
		high[size] = ratio
}
function bracket(size, published) {
	if (low[size] <= published && published <= high[size])
		print size " elements: 10 page maps bracket " published
	else
		print size " elements: " low[size] " .. " high[size] \
			" does not bracket " published
}
END {
	print exact " of " rows " rows read elements x passes"
	bracket(1024, 0.875)
	bracket(2048, 1.000)
}'
