# The shape of recorded machines: what the kernel, CPUID and CPU files say.
umask 022
for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
	name=$(basename "$tree" .tree)
	"$ASSAY_SOURCE"/tests/machines/unpack "$tree" "$name"
	echo "== $name"
	"$ASSAY" topo --sysroot "$name"
done
"$ASSAY" topo --sysroot kvm-guest-no-pmu --of json >of
"$ASSAY" topo --sysroot kvm-guest-no-pmu -j >j
cmp of j && sed -n '/"L3"/p' of
"$ASSAY" topo --of tables
exit 0
