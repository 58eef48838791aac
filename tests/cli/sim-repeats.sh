# A trace that repeats a pass without markers: every pass is simulated.
cat >plain.yaml <<'YAML'
schema: assay-cpu/1
name: plain
title: Two levels, both LRU
isa: aarch64
sources:
  test: this test
line: 64 | D test
caches:
  from: D test
  l1d:
    size: 32 KiB
    ways: 8
    policy: lru
  l2:
    size: 512 KiB
    ways: 8
    policy: lru
pmu:
  from: D test
  counters: 6
  bits: 64
  events:
    MISSES:
      code: 0x03
      counts: l1d_load_miss + l1d_store_miss
      means: lines that L1D did not have
YAML
# as the simulator of nanoBench has it: 4 misses
sed 's/size: 32 KiB/size: 128/; s/ways: 8/ways: 2/; s/policy: lru/policy: qlru-h10-m3-r1-u3/' \
	plain.yaml | sed 's/name: plain/name: quad/; /^  l2:/,/^pmu:/{/^pmu:/!d}' >quad.yaml
printf '0 0\n0 0\n0 40\n0 80\n0 40\n0 0\n' >quad.din
"$ASSAY" sim --cpu ./quad.yaml --trace quad.din -j -q |
	grep -o '"l1d_read_misses":[0-9]*'
# $1 lines in a row, 40 passes; where $2, each fourth one stores to every line
lines() {
	awk -v lines="$1" -v stores="$2" 'BEGIN {
		for (pass = 0; pass < 40; pass++)
			for (i = 0; i < lines; i++)
				printf "%d %x\n", stores && pass % 4 == 3, 64 * i
	}'
}
for shape in '512 0' '1000 0' '1000 1' '9000 0' '9000 1'; do
	lines $shape >trace.din
	echo "$shape"
	"$ASSAY" sim --cpu ./plain.yaml --trace trace.din -x , -q | awk -F, '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			at[$i] = i
		next
	}
	{
		print "misses: " $at["l1d_read_misses"] + $at["l1d_write_misses"] \
			" in L1D, " $at["l2_read_misses"] " in L2; written back: " \
			$at["l1d_writebacks"] ", " $at["l2_evict_dirty"]
	}'
done
