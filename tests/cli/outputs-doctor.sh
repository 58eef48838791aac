# The first screen of recorded machines, in two widths: at most 40 lines.
umask 022
for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
	name=$(basename "$tree" .tree)
	"$ASSAY_SOURCE"/tests/machines/unpack "$tree" "$name"
done
for columns in 80 160; do
	for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
		name=$(basename "$tree" .tree)
		echo "== $name, $columns columns"
		COLUMNS=$columns "$ASSAY" doctor --sysroot "$name" >text || :
		[ "$(wc -l <text)" -le 40 ] || echo 'more than a screen'
		sed 's/^assay [0-9.]* on /assay VERSION on /' text
	done
done
# all of one machine, each part once
COLUMNS=80 "$ASSAY" doctor -v --sysroot kvm-guest-no-pmu >text || :
grep -E '^[a-z ]+$' text | sort | uniq -d
grep -c 'cache sizes' text
exit 0
