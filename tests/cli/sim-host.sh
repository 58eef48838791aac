# Recorded machines as CPUs to simulate: their own caches, with and without a
# CPU file that fits.
umask 022
for name in xeon-gold-6148 kvm-guest-no-pmu container-without-sys \
		raspberry-pi-4 big-little-phone epyc-7763; do
	"$ASSAY_SOURCE"/tests/machines/unpack \
		"$ASSAY_SOURCE/tests/machines/$name.tree" "$name"
	echo "== $name"
	"$ASSAY" list cpus host --sysroot "$name" -j 2>&1 |
		grep -o '^assay.*\|"fact":".*"source":"kernel"' |
		sed 's/"//g'
	# cyclic walks over a half, over 8 and over 64 times a usual L1D
	"$ASSAY" sweep chase --on sim:host --sysroot "$name" --order shuffled \
		--page-map identity --elements 256,4096,32768 --passes 20 \
		-x , -q >table 2>&1 || { tail -n 1 table; continue; }
	python3 - <<'END'
import csv
for row in csv.DictReader(open('table')):
    print(*(row[k] for k in (
        'elements', 'served_l1', 'served_l2', 'served_l3', 'served_dram')))
END
done
# one of AMD's that no CPU file fits: second levels of data and code, or of one
for leaf in '40024002 40804010' '0 40800000' '0 4010'; do
	sed "s/^cpu family.*/cpu family : 26/
		s/^cpuid 80000006.*/cpuid 80000021 0 4204 0 0 0\\
cpuid 80000006 0 $leaf 0 0/" "$ASSAY_SOURCE/tests/machines/epyc-7763.tree" >tree
	rm -rf zen5
	"$ASSAY_SOURCE"/tests/machines/unpack tree zen5
	echo "== $leaf"
	"$ASSAY" list cpus host --sysroot zen5 -x , |
		sed -n 's/^tlbs\.\(l2[^,]*,[^,]*\).*/\1/p'
	"$ASSAY" run icode --lines 64 --passes 2 --on sim:host --sysroot zen5 -q |
		grep -c itlb_misses
done
"$ASSAY" run chase --on sim:host --sysroot raspberry-pi-4 --elements 64 -j |
	grep -o '"host":"[^"]*","cpu":"[^"]*"'
"$ASSAY" list events --on sim:host --sysroot kvm-guest-no-pmu -x , |
	cut -d, -f1-4
exit 0
