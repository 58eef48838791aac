# Counting programs: what a shell sees of it. No PMU is needed; the breakpoint
# at an odd address is one that no CPU has.
export XDG_DATA_HOME="$PWD"
try() {
	status=0
	"$ASSAY" stat "$@" 2>&1 || status=$?
	echo "-> $status"
}
bad=mem:0x10000001/8:w
# exit codes
try -q -e page-faults -o count.txt -- sh -c 'exit 3'
try -q -e page-faults -o count.txt -- sh -c 'kill -9 $$'
try -q -e page-faults -o count.txt -- ./missing
>data
try -q -e page-faults -o count.txt -- ./data
try -e "$bad" -- echo not started
try -e page-falts -- echo not started
try -e '{page-faults' -- echo not started
try -e page-faults
try -e page-faults -r 0 true
try -e page-faults -D soon true
try -e page-faults -I 0 true
try -e page-faults --append true
try -e page-faults --per-thread -C 0
try -e page-faults --on sim:cortex-a72 true
try -g l9 true
try -e page-faults --on replay:k10-sample
# the program keeps its output and its arguments
try -q -e page-faults -o count.txt echo -e a b
# and no descriptor of ours
ls /proc/self/fd >alone
"$ASSAY" stat -q -e page-faults -- ls /proc/self/fd 2>count.txt >counted
cmp alone counted && echo same
# a list, braces, one that is not counted; perf's fields, in its order
numbers() { try "$@" | sed '/^->/!s/[0-9][0-9.]*/N/g'; }
numbers -x , -q -e "page-faults,{minor-faults,task-clock},$bad" -- true
numbers -x ';' -q -r 2 -e page-faults,minor-faults -- true
numbers -x , -q -e page-faults -I 60000 -- true
numbers -r 3 -e "page-faults,$bad" -- true | grep -E -o '^[a-z]+, N runs|^- .*'
# the threads of each run; why one is missing is said in each
numbers -x , -q -r 2 --per-thread -e "page-faults,$bad" -- true
try -r 2 --per-thread -j -e "page-faults,$bad" -- true |
	grep -o '"t":"thread","run":[12]\|"count_why":"a breakpoint needs'
# metrics of several runs have an error, as events have
numbers -x , -q -r 3 -M linux -- true | grep page_faults
try -r 3 -M linux -- true | tr -s ' ' | grep '^metric '
"$ASSAY" stat -r 3 -M linux -j -o three.jsonl -- true
grep -c '"metric":"page_faults".*"error":[0-9]' three.jsonl
# what cannot be written has a code that is no program's
try -e page-faults -o missing/count.txt true
# -o and --append
"$ASSAY" stat -x , -e page-faults -o kept.csv -- true
"$ASSAY" stat -x , -e page-faults -o kept.csv --append -- true
grep -c ',,page-faults,' kept.csv
# what -j prints is read again and is the same
"$ASSAY" stat -j -e page-faults -r 2 -o run.jsonl -- true
cut -c 1-20 run.jsonl
"$ASSAY" stat -j --on replay:./run.jsonl -o again.jsonl
grep '"t":"count"' run.jsonl >a
grep '"t":"count"' again.jsonl >b
cmp a b && echo same
# published counts: metrics, reasons in a chain, a law that they break
"$ASSAY" stat --on replay:k10-sample -M k10 | grep -E \
	'^(dc_miss|ic_miss)[a-z_]*  |violated|^law|^doubt'
COLUMNS=400 "$ASSAY" stat --on replay:k10-sample -M k10 -v | grep -E \
	'^(RETIRED_INST|CPU_CLK|cpi|l2_dtlb)' | cut -c 1-70
COLUMNS=400 "$ASSAY" stat --on replay:k10-sample -g tlb,l3 -v |
	grep -E '^(l3|dtlb)[a-z0-9_]* ' | cut -c 1-60
# without counters: the command that simulates; with counters, the same line
hand_over() {
	if "$ASSAY" stat -q -e cycles -o /dev/null -- true 2>/dev/null; then
		echo "  try: assay sim --by none -- true 'a b' 'it'\\''s'"
	else
		"$ASSAY" stat -e cycles -- true 'a b' "it's" 2>&1 | sed -n '$p'
	fi
}
hand_over
