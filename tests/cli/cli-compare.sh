# Two runs beside each other: what changed, by how much, and where.
say() {
	echo "* compare $*"
	"$ASSAY" compare "$@"
	echo "-> $?"
}
# old.jsonl adds up a matrix by rows, new.jsonl by columns (sim, i7-6700hq)
for file in old new; do
	cp "$ASSAY_SOURCE/tests/cli/records/matrix-$file.jsonl" "$file.jsonl"
done
say old.jsonl new.jsonl
say new.jsonl old.jsonl
say old.jsonl old.jsonl
say old.jsonl new.jsonl old.jsonl
say old.jsonl new.jsonl -x , -q
say old.jsonl new.jsonl -j --fail-if 'l1d_refills > +1%' | cut -c 1-230 |
	grep -v '"t":"place"'
# limits
code() {
	echo "* compare $*"
	"$ASSAY" compare "$@" >/dev/null
	echo "-> $?"
}
code old.jsonl new.jsonl --fail-if 'instructions>+0.1%' \
	--fail-if 'l1d_misses@add > +245758'
code old.jsonl new.jsonl --fail-if 'instructions>+0.1%' \
	--fail-if 'l1d_misses@add > +245759'
limit() {
	echo "* --fail-if '$1'"
	"$ASSAY" compare old.jsonl "${2:-new.jsonl}" --fail-if "$1" \
		-j 2>&1 | grep -e '"t":"limit"' -e 'assay'
}
limit 'l1d_refills>+1%'
limit 'l1d_refills>+743.6%'
limit 'l1i_fetches < - 10 %'
limit 'l1d_refills@add > +1000'
limit 'l1d_refills@fill > 0'
limit 'l1d_writes@fill > 0'
limit 'l1d_refills@sum > 0'
limit 'l1d_refils > 0'
limit 'dram_writes > +1%'
limit 'l1d_refills > 1e3'
limit 'l1d_refills > 0x10'
limit 'l1d_refills > nan'
limit 'l1d_refills'
limit '> 3'
limit 'l1d_refills > +1%' old.jsonl
code old.jsonl new.jsonl --fail-if 'ipc<-1%'
# repeated counts of a PMU: a record of events a and b, times as given
counts() {
	awk -v ns="$1" -v a="$2" -v b="$3" 'function list(text) {
		gsub(/[0-9]+/, "{\"value\":&}", text)
		return text
	}
	BEGIN {
		printf "{\"t\":\"record\",\"schema\":1,\"provider\":\"perf\","
		printf "\"shape\":{\"kernel\":\"program\"},\"ns\":[%s],", ns
		printf "\"events\":[{\"name\":\"cycles\",\"counts\":[%s]},", list(a)
		printf "{\"name\":\"instructions\",\"counts\":[%s]}]}\n", list(b)
	}'
}
counts 100,101,102,103,104 900,901,902,903,904 800,800,800,800,800 >a.jsonl
counts 200,201,202,203,204 900,903,901,904,902 800,800,800,800,800 >b.jsonl
counts 100,200 900,901 800,800 >few.jsonl
say a.jsonl b.jsonl
say a.jsonl b.jsonl -v
say b.jsonl a.jsonl
code a.jsonl b.jsonl --fail-if 'ns > +98%' --fail-if 'cycles > 0'
code a.jsonl b.jsonl --fail-if 'ns > +99%' --fail-if 'cycles > 0'
# refused
say a.jsonl few.jsonl
say a.jsonl few.jsonl --fail-if 'ns > 0'
say a.jsonl old.jsonl
say a.jsonl a72-chase
say a.jsonl
say missing.jsonl a.jsonl
say sim:cortex-a72 sim:cortex-a76
say old.jsonl new.jsonl --kernel chase
echo '{"t":"record"' >bad.jsonl
say a.jsonl bad.jsonl
sed '2s/"l1d_misses":[0-9]*/"l1d_misses":-1/' old.jsonl >bad.jsonl
say old.jsonl bad.jsonl 2>&1 | sed 's/\(.\{60\}\).*/\1/'
# records of one shape in one file are its repetitions
for ns in 100 101 102 103 104; do counts $ns 900 800; done >pooled.jsonl
say pooled.jsonl b.jsonl | head -n 2
# three simulations each, which differ: no exact counts, and too few
for add in 1 2 3; do
	sed "s/\(\"l1d_read_misses\":\)/\1$add/" new.jsonl | head -n 1
done >threads.jsonl
say old.jsonl threads.jsonl -v | grep -e l1d_read -e instructions
# one kernel on two models, and two shapes at once
say sim:cortex-a72 sim:cortex-a76 --kernel chase --elements 4096 --passes 2
say sim:cortex-a72 sim:cortex-a72 --kernel chase --elements 64,4096 \
	--passes 2 -e L1D_CACHE
# shapes that only one of them has
"$ASSAY" run chase --elements 64,4096 --passes 2 --on sim:cortex-a72 -j \
	-o both.jsonl -q
head -n 1 both.jsonl >one.jsonl
say both.jsonl one.jsonl --fail-if 'l1d_refills > 0'
say one.jsonl both.jsonl --fail-if 'l1d_refills > 0'
# no rows by line
grep '"record"' old.jsonl >bare.jsonl
say bare.jsonl new.jsonl | tail -n 3
