# Random replacement: counts are draws, so they are estimates with an error.
sed 's/policy: bit-plru/policy: random/' \
	"$ASSAY_SOURCE/data/cpus/cortex-a72.yaml" >random.yaml
run() {
	"$ASSAY" run chase --elements 16384 --on sim:random.yaml \
		-e L2D_CACHE_REFILL,L1D_CACHE_LD -q "$@"
}
run --passes 200 2>&1 | grep -E '^(page map|event|L[12]D_[A-Z_]* +[0-9~])'
run --passes 200 -j >fast.jsonl
run --passes 200 -j --no-fast-forward >full.jsonl
for file in fast full; do
	grep -o '"counts":.[^]]*' $file.jsonl | sed 's/\.[0-9]*}/}/'
	grep -o '"fast_forwarded":.*' $file.jsonl
done
run --passes 200 -x , >fast.csv
run --passes 200 -x , --no-fast-forward >full.csv
# the residual of all draws is none
"$ASSAY" run chase --elements 16384 --on sim:random.yaml --passes 200 -x , \
	2>&1 >/dev/null | grep -o ': estimated.*' | sort -u
# passes left out or not: the same within the errors
awk -F, '
FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{ x[++n] = $at["l2_refills"]; e[n] = $at["l2_refills_error"]
  exact += $at["l1d_reads"] == 16384 * 200 && $at["l1d_reads_error"] == 0 }
END {
	off = x[1] - x[2]
	room = 16 * (e[1] * e[1] + e[2] * e[2])
	print (off * off < room) ? "the same within the errors" : off
	print exact, "of 2 exact"
	print (e[2] && e[2] < e[1]) ? "a smaller error in full" : e[1] " " e[2]
}' fast.csv full.csv
# few passes: no error by itself, but from repetitions
run --passes 4 -x , 2>/dev/null | cut -d, -f8
run --passes 4 -r 5 -x , 2>/dev/null | cut -d, -f8 | sed 's/^[1-9].*/above 0/'
# ... and where nothing was drawn there is none, passes left out or not
for forward in '' --no-fast-forward; do
	"$ASSAY" run chase --elements 64 --passes 4 --on sim:random.yaml -x , \
		-e L2D_CACHE_REFILL -q $forward 2>/dev/null | cut -d, -f8
done
# a saved record keeps it
"$ASSAY" run chase --elements 16384 --passes 200 --on replay:fast.jsonl \
	-e L2D_CACHE_REFILL -q | grep '^L2D'
# all hits: nothing is drawn, and nothing is an estimate
"$ASSAY" run chase --elements 64 --passes 2000 --on sim:random.yaml -q \
	-e L2D_CACHE_REFILL,L1D_CACHE_LD | grep -c '~'
# a trace repeats nothing: other draws beside it give the error
awk 'BEGIN {
	x = 1
	for (i = 0; i < 40000; i++) {
		x = x * 16807 % 2147483647
		printf "0 %x\n", 65536 + int(x / 65536) % 32768 * 64
	}
}' >trace.din
trace() {
	"$ASSAY" sim --cpu random.yaml --trace trace.din -q \
		-e L2D_CACHE_REFILL,L1D_CACHE_LD "$@"
}
trace 2>&1 | grep -oE '(random replacement.*|^L[12]D_[A-Z_]* +[0-9~].*)'
trace -j | grep -o '"counts":.[^]]*' | sed 's/\.[0-9]*}/}/'
trace -x , | awk -F, '
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{ print ($at["l2_refills_error"] > 0), $at["l1d_reads_error"] }'
# ... all of which take each pass, though one of them could leave some out
"$ASSAY" run chase --elements 64 --passes 2000 --on sim:random.yaml \
	--warmup 0 --dump-trace passes.atr -q >passes.txt
"$ASSAY" sim --cpu random.yaml --trace passes.atr -x , -e L1D_CACHE_LD -q \
	2>/dev/null | cut -d, -f1,2
true
