# One result in every format; what is in them is the simulator's business.
shape='--elements 512,1024 --accesses 65536 --on sim:cortex-a72'
shape="$shape --page-map identity -e L1D_CACHE_LD,L1D_CACHE_REFILL_LD"
echo '-- text'
"$ASSAY" sweep chase $shape
echo '-- csv'
"$ASSAY" sweep chase $shape -x ';' | cut -d ';' -f 1-7
"$ASSAY" sweep chase $shape -x '\t' | cut -f 1-3
"$ASSAY" sweep chase $shape -x ',' -o sweep.txt
cut -d , -f 6-7 sweep.txt
echo '-- by suffix'
"$ASSAY" sweep chase $shape -o sweep.csv
cmp sweep.txt sweep.csv && echo same
"$ASSAY" sweep chase $shape -o sweep.md
cat sweep.md
# bars are no table
"$ASSAY" run chase --elements 64 --on sim:cortex-a72 -o run.md
sed -n '/^```/,/^```/p' run.md
"$ASSAY" sweep chase $shape -o sweep.jsonl
"$ASSAY" sweep chase $shape -j >sweep.json
cmp sweep.json sweep.jsonl && echo same
"$ASSAY" sweep chase $shape -j -o - | cmp - sweep.json && echo same
grep -c '^{"t":"record",.*}$' sweep.json
grep '"t":"pie"' sweep.json
echo '-- numbers that are tracked'
for format in github-action-benchmark bencher; do
	"$ASSAY" sweep chase $shape -r 2 --format $format
done
"$ASSAY" sweep chase $shape -o sweep.prom
grep -v timestamp sweep.prom
"$ASSAY" stat -r 2 -e page-faults --format google-benchmark -o stat.json -- true
"$ASSAY" import stat.json -q -j 2>/dev/null | grep -o '"name":"page-faults"'
rm stat.json
echo '-- files left'
ls
echo '-- colour and signs'
FORCE_COLOR=1 "$ASSAY" sweep chase $shape | grep -c "$(printf '\033')"
FORCE_COLOR=1 NO_COLOR=1 "$ASSAY" sweep chase $shape |
	grep -c "$(printf '\033')"
NO_COLOR=1 "$ASSAY" sweep chase $shape --color always |
	grep -c "$(printf '\033')"
TERM=xterm "$ASSAY" run chase $shape | grep -c '✓ agrees'
LC_ALL=C TERM=xterm "$ASSAY" run chase $shape | grep -c 'ok agrees'
LC_ALL=C TERM=xterm "$ASSAY" tour -q | LC_ALL=C grep -c '[^ -~]'
"$ASSAY" list signals l3_load -x ,
