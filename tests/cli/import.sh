# Other tools' counts: what is read, what is refused, and what is said of them.
# Most files were made by the tools; docs/unverified.md names the others.
cp "$ASSAY_SOURCE"/tests/fuzz/corpus/foreign/* .
say() {
	echo "* $*"
	"$ASSAY" "$@"
	echo "-> $?"
}
for file in plain.csv repeated.csv intervals.csv cpus.csv cores.csv \
	threads.csv cgroup.csv mixed.csv commas.csv colons.csv \
	german-semicolon.csv hybrid.csv old-3.csv old-4.csv plain.json \
	repeated.json intervals.json cores.json cachegrind.out callgrind.out \
	likwid.csv toplev.csv nanobench.txt benchmark.json \
	L1D_REPL.data.reads FP_DP.vec FP.flops
do
	say import "$file"
done
say import BR.branch --from papi-cat -q
say import hybrid.csv -j -q
say import mixed.csv -j -q
say import likwid.csv -j -q
say import toplev.csv -x ,
{ printf '\357\273\277'; cat hybrid.csv; } >marked.csv
say import marked.csv -q
say import german.csv
say import german.json
say import BR.branch
cp "$ASSAY_SOURCE/README.md" .
say import README.md
say import --from perf hardware.csv
say import --from likwid hardware.csv
cat >counts.csv <<-'END'
	name,value,n
	INST,21,10
	INST,42,20
	INST,42,20
END
say import counts.csv
say import counts.csv --map 'event=name;count=k*value;expected=2*n' --set k=2
say import - -q <plain.json
# a folder: the same record once, files of other content left out
mkdir folder
cp plain.csv folder/a.csv
cp plain.csv folder/b.csv
cp "$ASSAY_SOURCE/LICENSE" folder/c.txt
cp hardware.csv folder/d.csv
say import folder
say import folder missing.csv -q -o records.jsonl
say import records.jsonl hardware.csv -q
# what can be said of counts
say verify --on plain.csv
say verify --on hardware.csv
say verify --on law.csv
say verify --on hardware.csv --truth 'instructions=2*n+1' --set n=1000000
say verify --on hardware.csv --truth 'instructions=2*n+1' --set n=900000 \
	-e instructions:u
say verify --on hardware.csv --truth 'instructions=2*n+1' --set n=1100000 \
	-e instructions:u
say verify --on FP_DP.vec --truth 'FP_DP=2*expected'
say verify --on hardware.csv --truth cachegrind.out -e instructions:u
say verify --on cpus.csv --truth 'page-faults=1'
say verify --on hardware.csv --truth 'instruction=1'
say verify --on hardware.csv --truth 'instructions=2*n'
say verify --on hardware.csv --truth 'instructions=2*'
say verify --on hardware.csv --truth hardware.csv
say verify --truth 'instructions=1'
"$ASSAY" run chase --elements 64 --on sim:cortex-a72 -e L1D_CACHE -j \
	 -o kernel.jsonl
say verify --on kernel.jsonl --truth 'L1D_CACHE=1'
say verify --on hardware.csv --set n=1
printf '%s\n' '9223372036854775807,,cycles,1000,100.00,,' >beyond.csv
say verify --on beyond.csv
# names with modifiers: none is taken for another
cat >modifiers.csv <<-'END'
	1000,,instructions:u,1000000,100.00,,
	900,,cycles:u,1000000,100.00,,
	5000000,,cycles:k,1000000,100.00,,
	7000000,,branches,1000000,100.00,,
END
say verify --on modifiers.csv -e branches
say stat -M linux --on modifiers.csv
sed '/:k/d; s/,branches,/,branches:u,/' modifiers.csv >alike.csv
say verify --on alike.csv -e branches:u
say stat -M linux --on alike.csv
printf '5,,page-faults:u,9,100.00,,\n6,,page-faults:k,9,100.00,,\n' >twins.csv
say stat -M linux --on twins.csv
# -v: raw counts, of which each is used once
cat >raw.csv <<-'END'
	page-faults: 1001 2000 1000
	page-faults: 7 2000 2000
	2002,,page-faults,1000,50.00,,
	7,,page-faults,2000,100.00,,
END
say import raw.csv -jq
say stat -M linux --on hardware.csv
say judge linux hardware.csv
