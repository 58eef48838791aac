# What a record saw of noise is kept, replayed, and a mark where it is beyond a
# limit; live runs say more or less of it, but always the same columns.
head='{"t":"record","schema":1,"provider":"perf","machine":{"cpu":"some CPU"}'
count='"ns":[1000,1200],"events":[{"name":"page-faults","counts":[{"value":3},{"value":3}]}]}'
shape() {
	printf '"shape":{"kernel":"chase","options":[{"name":"elements","kind":"count","value":%s}]}' $1
}
cat >runs.jsonl <<END
$head,$(shape 64),"noise":{"off":{"share":0.011,"limit":0.05},"drift":{"share":0.002,"limit":0.05},"preempted":2,"repeated":1,"disturbed":false},$count
$head,$(shape 128),"noise":{"off":{"share":0.41,"limit":0.05},"steal":{"share":0.003,"limit":0.05},"preempted":9,"moved":1,"repeated":3,"disturbed":true},$count
END
on="--on replay:runs.jsonl -e page-faults"
"$ASSAY" run chase --elements 64 $on
"$ASSAY" run chase --elements 64 $on -v | grep -A 2 '^noise'
"$ASSAY" run chase --elements 128 $on
"$ASSAY" sweep chase --elements 64,128 $on
"$ASSAY" sweep chase --elements 64,128 $on -x , | sed 's/.*page-faults,/.../; s/.*shuffled,1,1,/.../'
"$ASSAY" sweep chase --elements 64,128 $on -j | grep -o '"noise":{.*"ns":\['
sed 's/"chase"/"program"/; 1d' runs.jsonl >program.jsonl
"$ASSAY" stat --on replay:program.jsonl -e page-faults 2>&1 | grep -A 2 '^disturbed'
"$ASSAY" stat --on replay:program.jsonl -e page-faults -j 2>&1 | grep -o '"disturbed":true'

live() {
	verb=$1
	shift
	"$ASSAY" $verb -j "$@" 2>&1 | grep -o '"noise":{.*"ns":\[' |
		grep -o '"[a-z]*":' |
		grep -e preempted -e moved -e repeated -e disturbed |
		tr -d '\n'
	echo
}
live run chase --elements 64
live run chase --elements 64 -e page-faults -r 3
live run chase --elements 64 --on time -r 1
live stat -e page-faults -r 2 true
"$ASSAY" run chase --elements 64 --on sim:cortex-a72 -j | grep -c '"noise"'
exit 0
