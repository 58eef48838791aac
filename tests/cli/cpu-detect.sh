# Machines of each kind by their identification registers alone, as /proc and
# /sys show them: which CPU file sim:host is made of, or that none fits.
set -u

based_on() {
	printf '%s: ' "$1"
	"$ASSAY" list cpus host --sysroot m -j 2>&1 |
		sed -n '1s/.*"title":"this machine: \([^"]*\).*/\1/p;1s/^assay.*/no file/p'
	rm -rf m
}

# NAME VENDOR FAMILY MODEL STEPPING, in decimal
while read -r name vendor family model stepping; do
	mkdir -p m/proc
	cat >m/proc/cpuinfo <<END
processor	: 0
vendor_id	: $vendor
cpu family	: $family
model		: $model
model name	: $name
stepping	: $stepping
flags		: fpu tsc msr
END
	based_on "$name"
done <<'END'
opteron-8354 AuthenticAMD 16 2 3
naples AuthenticAMD 23 1 2
rome AuthenticAMD 23 49 0
ryzen-3700x AuthenticAMD 23 113 0
milan AuthenticAMD 25 1 1
genoa AuthenticAMD 25 17 1
turin AuthenticAMD 26 2 1
granite-ridge AuthenticAMD 26 68 0
skylake-sp GenuineIntel 6 85 4
skylake GenuineIntel 6 94 3
tiger-lake GenuineIntel 6 140 1
ice-lake-sp GenuineIntel 6 106 6
sapphire-rapids GenuineIntel 6 143 8
emerald-rapids GenuineIntel 6 207 2
granite-rapids GenuineIntel 6 173 1
sierra-forest GenuineIntel 6 175 3
alder-lake GenuineIntel 6 151 2
raptor-lake GenuineIntel 6 183 1
alder-lake-n GenuineIntel 6 190 0
meteor-lake GenuineIntel 6 170 4
lunar-lake GenuineIntel 6 189 1
arrow-lake GenuineIntel 6 198 2
hygon HygonGenuine 24 1 1
END

# NAME MIDR_EL1
while read -r name midr; do
	folder=m/sys/devices/system/cpu/cpu0/regs/identification
	mkdir -p m/proc $folder
	printf 'processor\t: 0\nFeatures\t: fp asimd\n' >m/proc/cpuinfo
	echo "$midr" >$folder/midr_el1
	based_on "$name"
done <<'END'
cortex-a53 0x00000000410fd034
cortex-a55 0x00000000411fd050
cortex-a72 0x00000000410fd083
cortex-a76 0x00000000414fd0b1
cortex-a78 0x00000000411fd410
cortex-x1 0x00000000411fd440
neoverse-n1 0x00000000413fd0c1
neoverse-n2 0x00000000410fd490
neoverse-v1 0x00000000411fd401
neoverse-v2 0x00000000410fd4f0
neoverse-v3 0x00000000410fd840
m1 0x00000000611f0230
m1-max 0x00000000611f0291
m2 0x00000000611f0330
another-vendor-same-part 0x00000000510fd0b1
END

echo "== a recorded laptop with two kinds of core is its P core"
"$ASSAY_SOURCE"/tests/machines/unpack \
	"$ASSAY_SOURCE/tests/machines/hybrid-laptop.tree" m
"$ASSAY" run touch --on sim:host --sysroot m -q | grep '^on'
based_on hybrid-laptop
