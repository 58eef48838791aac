# Recorded machines: which events can be asked for, and which codes they get.
umask 022
for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
	name=$(basename "$tree" .tree)
	"$ASSAY_SOURCE"/tests/machines/unpack "$tree" "$name"
	echo "== $name"
	for event in cycles L1D_CACHE_REFILL LS_DISPATCH L2_RQSTS armv8; do
		"$ASSAY" list events $event --sysroot "$name" -x , >table 2>why ||
			{ echo "$event: none"; continue; }
		echo "$event: $(sed 1d table | wc -l)"
	done
done
exit 0
