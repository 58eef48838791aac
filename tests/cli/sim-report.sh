# The report of assay sim on a small program, at 80 and 160 columns.
case $(uname -m) in
x86_64) ;;
*)
	echo "only for x86-64"
	exit 77
	;;
esac
command -v qemu-x86_64 >/dev/null || {
	echo "qemu-x86_64 is not installed"
	exit 77
}
cat >plain.yaml <<'END'
schema: assay-cpu/1
name: plain
title: three caches of a test
isa: x86-64
sources:
  model: chosen for a test
line: 64 | G model
caches:
  from: G model
  l1d: {size: 32 KiB, ways: 8, policy: lru}
  l1i: {size: 32 KiB, ways: 8, policy: lru}
  l2: {size: 256 KiB, ways: 8, policy: lru}
  l3: {size: 4 MiB, ways: 16, policy: lru}
predictor: {from: G model, kind: bimodal, entries: 4096}
page-map: {from: G model, kind: identity}
cycles: {from: G model, l1-hit: 4, l2-hit: 14, l3-hit: 50, dram-extra: 200,
  mispredict: 15}
pmu:
  from: G model
  counters: 6
  bits: 64
  events:
    LOADS: {code: 0x1, counts: loads}
END
cp "$ASSAY_SOURCE/tests/cli/lines.c" .
$CC -O1 -g -static -nostdlib -ffreestanding -fno-pie -no-pie \
	-fno-stack-protector lines.c -o lines
for columns in 80 160; do
	echo "== $columns columns"
	export COLUMNS=$columns
	"$ASSAY" sim --cpu plain.yaml -- ./lines 2>&1
	echo "== function"
	"$ASSAY" sim --cpu plain.yaml --by function --sort mispredicts -- \
		./lines 2>&1
done
export COLUMNS=80
echo "== source"
"$ASSAY" sim --cpu plain.yaml --source --inline call --source-root . --most 2 \
	-- ./lines 2>&1
echo "== totals"
"$ASSAY" sim --cpu plain.yaml --by none -- ./lines 2>&1 | sed -n 1,4p
