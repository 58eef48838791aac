# The names under which CPUs are sold, and what differs from the core's file.
set -u

is() {
	printf '%s: ' "$1"
	"$ASSAY" list cpus "$1" -j 2>err |
		sed -n '1s/.*"name":"\([^"]*\)".*/\1/p' | grep . ||
		head -n 1 err
}

echo "== machines, boards, marketing names, strings of /proc/cpuinfo"
while read -r name; do
	is "$name"
done <<'END'
graviton2
Graviton 4
NVIDIA Grace
Ampere Altra Max
M96-30
Raspberry Pi 4
Raspberry Pi 5 Model B Rev 1.0
rk3588s
a1.metal
EPYC 7763
AMD EPYC 7R13 48-Core Processor
AMD EPYC 9754 128-Core Processor
AMD EPYC 9654P
Epyc 7601
Ryzen 7 5800X
AMD Ryzen 5 7530U with Radeon Graphics
AMD Ryzen 9 7950X 16-Core Processor
Ryzen 5 1600
Core i7-6700HQ
Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz
i9-9900K
i7-10510U
i7-1065G7
i7-6850K
i7-6820HK
i9-7900X
11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz
i7-11700K
Core Ultra 7 155H
Core i9-13900K
Core Ultra 7 258V
N100
Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz
Intel(R) Xeon(R) Platinum 8275CL CPU @ 3.00GHz
Xeon Platinum 8375C
Xeon Gold 6328H
Intel(R) Xeon(R) Platinum 8488C
Xeon E5-2680 v4
M1 Max
M4 Pro
sapphire rapids
Arm Neoverse V2
AMD Ryzen AI 7 350 w/ Radeon 860M
Xeon w7-2595X
Xeon E3-1270 v6
Xeon E3-1230 v3
Xeon E-2388G
EPYC 4585PX
core-i9-13900k
i5-13400
ryzen-7-5800x3d
ryzen-9-7950x3d
epyc-7773x
epyc-9965
epyc-4564p
ryzen-7-7735hs
ampere-altra
Ryzen 7 PRO 3700U
Ryzen 9 PRO 3900
Ampere Altra Q80-30
Altra Max M128-30
t4g.small
i8g.large
n4a
Compute Module 4
RK3568
Jetson AGX Orin
clx
mtl
lnl
END

echo "== products whose CPU file is not there"
sed -n 's/^ *cpu: //p' "$ASSAY_SOURCE"/data/names/*.yaml | tr -d '[],' |
	tr ' ' '\n' | sort -u | while read -r cpu; do
	[ -f "$ASSAY_SOURCE/data/cpus/$cpu.yaml" ] || echo "$cpu"
done

# each product makes a CPU, or no file describes it
sed -n 's/^  \([a-z0-9.-]*\):$/\1/p' "$ASSAY_SOURCE"/data/names/*.yaml |
	while read -r key; do
	"$ASSAY" list cpus "$key" -j >out 2>err ||
		grep -q "no CPU file describes '$key'" err || cat err
done

echo "== another generation is named, not taken; a near name is asked for"
"$ASSAY" run empty --on sim:i7-1165g7
"$ASSAY" run empty --on sim:gravitom4
"$ASSAY" run empty --on "sim:Xeon 9999"

echo "== a product with sizes of its own says so, and keeps its core's formulas"
"$ASSAY" run touch --on sim:graviton4 --formulas arm-pies -j 2>err |
	grep -o '"cpu":"[^"]*"\|"hypothesis":"[^"]*"' | sort -u | head -n 3
cat err
"$ASSAY" list cpus graviton4 -j | grep -e '"fact":"caches.l[23].s' \
	-e '"fact":"facts.cores' -e '"source":"\(aws\|cc4\)"' | sort -u
"$ASSAY" list cpus graviton4 -j | head -n 1 | grep -o '"aliases":"[^"]*"'
"$ASSAY" run touch --on sim:raspberry-pi-4 -q 2>&1 | grep '^on'
"$ASSAY" run touch --on sim:neoverse-v2 2>&1 | grep '^on'

echo "== two kinds of core, names of one's own, and what is refused"
mkdir -p data/names data/cpus
for n in big-one small-one; do
	sed "s/^name: .*/name: $n/;s/^aliases:.*//;/^match:/,/^$/d" \
		"$ASSAY_SOURCE/data/cpus/cortex-a76.yaml" >data/cpus/$n.yaml
done
cat >data/names/mine.yaml <<'END'
schema: assay-names/1
sources:
  mine: a source of my own
products:
  hybrid:
    title: My hybrid
    year: 2025
    cpu: [big-one, small-one]
    names: ["hyb-[0-9]*"]
    differs:
      caches.l2.size: 256 KiB | G mine
END
"$ASSAY" run touch --on "sim:HYB 12" --data data | grep '^on'
mend() {
	sed "$1" data/names/mine.yaml >bad
	mkdir -p bad.d/names && mv bad bad.d/names/mine.yaml
	ln -sfn ../data/cpus bad.d/cpus
	"$ASSAY" list cpus hybrid --data bad.d 2>&1 >out | head -n 1
}
mend 's/256 KiB/257 B/'
mend 's/256 KiB | G mine/256 KiB/'
mend 's/G mine/G yours/'
mend 's/caches.l2.size/caches.l9.size/'
mend 's/caches.l2.size/line.size/'
mend 's/2025/soon/'
mend 's/hyb-/[*][*]*-***/'
mend 's/  mine:/  model:/;s/G mine/G model/'
mend 's/assay-names/assay-cpu/'
mend 's/title/tilte/'
mend 's/cpu: .*/cpu: nothing/'
