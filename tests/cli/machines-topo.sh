# The shape of recorded machines: what the kernel, CPUID and CPU files say.
umask 022
for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
	name=$(basename "$tree" .tree)
	"$ASSAY_SOURCE"/tests/machines/unpack "$tree" "$name"
	echo "== $name"
	COLUMNS=80 "$ASSAY" topo --sysroot "$name"
	echo "== $name, 160 columns"
	COLUMNS=160 "$ASSAY" topo --sysroot "$name"
done
# a firmware whose numbers do not multiply out: 12 ways of 64 sets are not 32 KiB
echo 12 >epyc-7763/sys/devices/system/cpu/cpu0/cache/index0/ways_of_associativity
echo '== does not multiply out'
COLUMNS=80 "$ASSAY" topo --sysroot epyc-7763 | head -n 9
"$ASSAY" topo --sysroot kvm-guest-no-pmu --of json >of
"$ASSAY" topo --sysroot kvm-guest-no-pmu -j >j
cmp of j && sed -n '/"L3"/p' of
"$ASSAY" topo --of tables
exit 0
