# Pictures and pages of saved runs: terminal, SVG, gnuplot, HTML.
TERM=xterm
export TERM
run() {
	echo "* $*"
	"$ASSAY" "$@" 2>&1
	echo "-> $?"
}
# a page without its rules and scripts
body() {
	sed -e '/^<style>/,/^<\/style>/d' -e '/^<script/,/^<\/script>/d' "$1"
}
"$ASSAY" sweep chase --on sim:cortex-a72 --elements 256..1024 \
	-e L1D_CACHE_LD,L1D_CACHE_REFILL_LD -j -o run.jsonl
COLUMNS=80 run plot run.jsonl -v
COLUMNS=160 run plot run.jsonl --figure events
COLUMNS=80 LC_ALL=C run plot run.jsonl --figure served
COLUMNS=80 run plot run.jsonl --figure events --color always
run plot run.jsonl --figure events -x ,
run plot run.jsonl --figure events -o events.svg
cat events.svg
run plot run.jsonl --figure served -o served.gp
cat served.gp
run report run.jsonl --figure events --title 'A <title> & more' -o run.html
body run.html
# the same straight from the command
run sweep chase --on sim:cortex-a72 --elements 256..1024 \
	-e L1D_CACHE_LD,L1D_CACHE_REFILL_LD -o straight.svg
"$ASSAY" plot run.jsonl -o saved.svg
cmp straight.svg saved.svg && echo same picture
# pies, instructions per cycle, misses, changes
"$ASSAY" recipe arm-cache-pies -j -o pies.jsonl
run plot pies.jsonl --figure pies
run plot a72-matmul
"$ASSAY" plot pies.jsonl --figure pies -o pies.svg
grep -c '<path class="part' pies.svg
"$ASSAY" compare sim:cortex-a72 sim:cortex-a76 --kernel chase --elements 2048 \
	-j -o change.jsonl
run plot change.jsonl
# other commands' own pages: the first sentence of each
page() {
	name=$1
	run "$@" -o "$name.html"
	sed -n 's/^<p class="answer">//p' "$name.html"
}
page compare sim:cortex-a72 sim:cortex-a76 --kernel chase --elements 2048
page recipe arm-cache-pies
page explain L1D_CACHE --cpu cortex-a72
page list cpus cortex-a72
page judge arm-pies --on sim:cortex-a76
# another tool's counts
cp "$ASSAY_SOURCE/tests/fuzz/corpus/foreign/law.csv" perf.csv
run plot perf.csv
# several runs, standard input, a run of the database
"$ASSAY" sweep chase --on sim:cortex-a76 --elements 256..1024 \
	-e CPU_CYCLES -j -o other.jsonl
run plot a72-chase other.jsonl --figure latency
run plot - --figure served <run.jsonl
ASSAY_DB=$PWD/runs.db "$ASSAY" db import run.jsonl
ASSAY_DB=$PWD/runs.db run plot 1 --figure served
# what cannot be done
run plot
run plot none.jsonl
run plot run.jsonl --figure pies
run plot run.jsonl --figure pie
run report run.jsonl
run report run.jsonl -o run.csv
run list kernels -o kernels.svg
run sweep chase -o run.html --append
echo '{"t":"event","event":' >torn.jsonl
run plot torn.jsonl
echo '{"t":7}' >wrong.jsonl
run report wrong.jsonl -o wrong.html
ls wrong.html 2>&1
true
