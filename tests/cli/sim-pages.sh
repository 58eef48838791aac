# Pages have sizes, and each size its TLB entries. 48 loads, three times: misses
# of the data TLB, of the second level, page walks.
loads()
{
	awk -v apart="$1" 'BEGIN {
		for (pass = 0; pass < 3; pass++)
			for (i = 0; i < 48; i++)
				printf "0 %x\n", 1073741824 + i * apart
	}'
}
count()
{
	echo "$1 $2: $("$ASSAY" sim --trace loads.din --cpu "$1" -q -x , \
		--page-map "$2" 2>&1 | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["dtlb_misses"], $at["l2tlb_misses"],
			$at["page_walks"] }')"
}
# 32 entries for all sizes: 48 pages, 48, 12, 1, 1
echo '* 16 KiB apart'
loads 16384 >loads.din
for map in identity identity-16k random-64k:5 random-2m identity-1g; do
	count cortex-a72 $map
done
# macOS has the second of these
count apple-m1 identity-4k
count apple-m1 identity
# in one set of 4 ways and one of 12; in 8 sets of 4 and 128 of 12; in 4 entries
echo '* 2 MiB apart'
loads 2097152 >loads.din
for map in identity random-2m:3 identity-1g; do
	count i7-6700hq $map
done
# an event that counts in pages of 4 KiB only, and one that does not
for map in random random-2m; do
	echo "* $map: $("$ASSAY" sim --trace loads.din --cpu amd-k10 -q -x , \
		--page-map $map -e L1_L2_DTLB_MISS:4K,L1_L2_DTLB_MISS 2>&1 |
		awk -F, 'NR == 2 { print "[" $1 "] [" $2 "]" }')"
done
echo '* mistakes'
"$ASSAY" sim --trace loads.din --cpu i7-6700hq --page-map random-16k 2>&1 || echo "-> $?"
"$ASSAY" sim --trace loads.din --cpu i7-6700hq --page-map identity-3m 2>&1 || echo "-> $?"
