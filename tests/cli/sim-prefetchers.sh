# A model's prefetchers, all on and all off: a walk of neighbours misses less.
for state in off on; do
	"$ASSAY" run chase --order linear --elements 65536 --passes 4 -q -x , \
		--on sim:cortex-a72,prefetchers=$state || exit 1
done | awk -F, '
$1 == "elements" {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
{
	misses[++n] = $at["l1d_read_misses"]
}
END {
	print "off:", misses[1] == 4 * 65536 ? "every line misses" : misses[1]
	print "on:", misses[2] < misses[1] ? "fewer" : misses[2]
}'
for wrong in maybe load-stride+maybe maybe+ ''; do
	"$ASSAY" run chase --on sim:cortex-a72,prefetchers=$wrong ||
		echo "exit $?"
done
# one of them: a translation ahead leaves the data TLB no miss of its own
for which in near-stream+l2-pair load-stride; do
	"$ASSAY" run matmul --n 128 --order interchange -q -x , \
		--on sim:cortex-a72,prefetchers=$which || exit 1
done | awk -F, '
$1 == "n" {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
{
	print "data TLB: " ($at["dtlb_misses"] < 400 ? "few misses" : "misses")
}'
# a record of a trace says what was set, too
echo '0 1000' | "$ASSAY" sim --trace - -j -q \
	--cpu cortex-a72,prefetchers=load-stride,fault=double:L1D_CACHE |
	grep -o '"options":"[^"]*"'
# the first line of memory is nobody's neighbour: one load, and one page walk
echo '0 0' | "$ASSAY" sim --trace - -x , -q --page-map identity \
	--cpu cortex-a72,prefetchers=near-stream -e L2D_CACHE_LD |
	awk -F, 'NR == 2 { print $1 }'
# more of the address space than the model has memory is told
awk 'BEGIN { for (i = 16; i < 100; i++) printf "0 %x0000000\n", i * 4 }' |
	"$ASSAY" sim --trace - --trace-format din --cpu cortex-a72 -j -q |
	grep not-modelled
