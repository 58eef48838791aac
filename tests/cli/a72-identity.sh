# Contiguous frames: 32 KiB fit a 32 KiB LRU cache exactly, 64 KiB never hit.
"$ASSAY" sweep chase --on sim:cortex-a72 --page-map identity \
	--elements 512,1024 --accesses 1048576 -x , | awk -F, '
$1 == "elements" {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
{
	print $at["elements"], $at["l1d_reads"], $at["l1d_read_misses"]
}'
