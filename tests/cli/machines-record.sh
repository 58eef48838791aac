# A machine that is written down and unpacked again is the same machine.
umask 022
for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
	name=$(basename "$tree" .tree)
	"$ASSAY_SOURCE"/tests/machines/unpack "$tree" "$name"
	rm -rf "$name/run/assay"	# settings in change are not recorded
	"$ASSAY" doctor --record --sysroot "$name" -o again.tree
	"$ASSAY_SOURCE"/tests/machines/unpack again.tree again
	for command in doctor topo "list cpus host"; do
		"$ASSAY" $command --sysroot "$name" -j >a 2>&1
		"$ASSAY" $command --sysroot again -j >b 2>&1
		cmp -s a b || { echo "$name: $command differs"; diff a b; }
	done
	rm -rf again
done
"$ASSAY" doctor --record | head -n 2
exit 0
