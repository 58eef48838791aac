# Wrong input: what it says, and exit status 2 (or what stands there).
try() {
	status=0
	"$ASSAY" "$@" || status=$?
	echo "-> $status"
}
try runn
try -j run
try help swep
try completion tcsh
try list
try list evnts
try list kernels chas
try run
try run chas
try run chase extra
try run chase --elemets 5
try sweep chase --bytes 4K
try run matmul --size 300
try run chase --elements
try run chase --elements 4x
try run chase --elements ''
try run chase --elements 0
try run chase --elements 8..4
try run chase --elements 1..4..8
try run chase --elements 1..4,
try run chase --elements 1..2 --elements 3
try run chase --elements 99999999999999999999
try run chase --order shufled
try run chase --json=1
try run chase -j -x ,
try run chase -x ab
try run chase -x
try run chase -q -r 0
try run chase -q -r x
try run chase --color red
try run random --bytes 3000
try run random --generator maybe
try run --generator maybe
try run chase --on sim:cortex-a27
try run chase --on simm
try run chase --on replay:missing.jsonl
try run chase --on sim:cortex-a72 -e L1D_CACHE_REFIL
try run chase -o missing/folder/x.csv
printf '{"t":"record",\n' >broken.jsonl
try run chase --on replay:./broken.jsonl
printf 'name: x\n  y: [\n' >broken.yaml
try run chase --on sim:./broken.yaml
try run chase --on sim:cortex-a72 --formulas ./broken.yaml
try doctor --sysroot missing
mkdir empty
try doctor --sysroot empty
try topo --cpu 0
try list faults doubl
try list quantities l1d_refils
try list signals l3_lod
try list providers simm
try list identities k100
try run chase --data missing
try run chase --color atuo
try run chase --on sim:dir
try verify --on sim:cortex-a72 --fault ''
try verify --on sim:cortex-a72 -e L1D_CACHE_REFIL
try sim --cpu cortex-a72 --trace x.din -- true
try sim --cpu cortex-a72 --trace missing.din
echo '0 1000' > unnamed.din
try sim --cpu cortex-a72 ./unnamed.din
try sim --cpu cortex-a72 ./ -l
try bare bulid
try import missing.log
try formulas imprt
try stat -t 999999999
mkdir folder
: >nothing.jsonl
try compare nothing.jsonl nothing.jsonl
try diff nothing.jsonl nothing.jsonl
try sim --cpu cortex-a72 --trace nothing.jsonl
# what a terminal would act on is not printed
printf '{ \033[31m \302\233 \177 \303\244\n' >colour.jsonl
try compare colour.jsonl colour.jsonl
try import folder
try compare folder folder
try recipe ./folder
full() {
	status=0
	"$ASSAY" "$@" >/dev/full || status=$?
	echo "-> $status"
}
# an option that would do nothing is a mistake
try run chase --on null --no-fast-forward
try run chase --on time --warmup 2
try run chase --on sim:cortex-a72 --cpu 0
try run chase --on sim:cortex-a72 --page-size thp
try run chase --predict --slope
try sim --cpu cortex-a72 --trace nothing.jsonl --by line
try sim --cpu cortex-a72 --trace nothing.jsonl --most 3
try sim --cpu cortex-a72 --format din -- true
try sim --cpu cortex-a72 --trace-format din -- true
try sim --trace nothing.jsonl
try sim --by none --source -- true
try sim --sort l1_misses -- true
try list cpus -j --format csv
try sim --cpu cortex-a72 --no-fast-forward -- true
try sim --cpu cortex-a72 --most 3 --by none -- true
try sim --cpu cortex-a72 --why --by data -- true
try sim --cpu cortex-a72 --why -x , -- true
try sim --cpu cortex-a72 --plain --page-map identity -- true
try sim --plain --by function -- true
try sim --plain -e cycles -- true
try list cpus --cpu k10
try judge nosuch --on sim:cortex-a72
try recipe nosuch
try list kernels --on sim:k10
try list events --on sim:k10 --cpu cortex-a72
try sim --cpu -- true
try sim --cpu cortex-a72 --page-map random:x -- true
try sweep chase --on sim:cortex-a72 --elements 16..
try sim --cpu cortex-a72,fault=double:L1D_CACHE -- true
try sweep chase --on replay:a72-chase --elements 32 -r 2
try doctor --record --restore
try doctor --record -j
full list kernels
full help run
full run chase --elements 64 --on sim:cortex-a72 -j
full run chase --elements 64 --on sim:cortex-a72 -x ,
full list cpus -j
full explain r01 --cpu k10 -j
full run chase -o /dev/full --elements 64 --on sim:cortex-a72
try run chase --prefetchers offf
# parts of names are found; case does not matter; CSV has one kind of rows
try list cpus a72
"$ASSAY" list cpus CORTEX-A72 -j | head -n 1 | cut -c1-60
try sim --cpu cortex-a72 --by line -e L1D_CACHE -x , -- true
# what would do harm or make no sense
try list cpus -x 1
try list cpus -x .
try list cpus -x e
try list cpus -x "$(printf '\033')"
try stat -C nan -- true
try stat --pin nan -- true
try run chase -r '1 '
"$ASSAY" run chase --elements 64 --on sim:cortex-a72 -o in.jsonl
ln in.jsonl same.jsonl
try import in.jsonl -o same.jsonl
try verify --on replay:in.jsonl -o in.jsonl
# ... by whatever word of the command names the file, or a folder with it
mkdir read
cp in.jsonl read/a.csv
for file in both both.csv; do : >$file; done
try stat -M both:set -o both -- true
try run chase --on sim:./both -o both
try run chase --on sim:cortex-a72 --page-map recorded:in.jsonl -o same.jsonl
try run chase --formulas other,both -o both
try sim --trace both.csv -o both.csv
try verify --table in.csv --experiment both -o both
try verify --on in.jsonl --truth both.csv -o both.csv
try list cpus --data read -o read/a.csv
try list events --event-tables nowhere:read -o read/a.csv
ASSAY_EVENT_TABLES=read try list events -o read/a.csv
try import read -o read/a.csv
try audit libpfm4 --against read -o read/a.csv
try bare run --image both -o both
try bare run --image in.jsonl --model cortex-a72 --model-output in.jsonl
try bare build --board ./both -o both
try stat -o both -- ./both
for verb in check report; do try fleet $verb in.jsonl both -o both; done
try cpu check ./both -o both
try cpu new --cpu SKL --like ./both -o both
try db import both -o both
try db ls --db both -o both
ASSAY_DB=both try run chase --on null -o both
try plot both in.jsonl -o both
cp in.jsonl read/a.html
try report read/a.html -o read/a.html
try export --textfile read --cert-dir read -o read/a.csv
echo '{}' >assay-ci.baseline.json
try ci check -o assay-ci.baseline.json
"$ASSAY" list kernels chase -o chase
try list kernels chase -o chase >/dev/null
cmp in.jsonl read/a.csv
# ... by a link in a folder, as standard input, and as a file of the user's
mkdir links
ln -s ../both links/in
try list cpus --data links -o both
try import - -o in.jsonl <in.jsonl
mkdir -p .data/assay/certificates
for file in assay.db assay.db-wal certificates/c.json; do
	: >.data/assay/$file
	(unset ASSAY_DB; try list cpus -o .data/assay/$file --format csv)
done
try run chase --on sim:cortex-a72 -o both --dump-trace both
try run chase --on sim:cortex-a72 -o new.jsonl --dump-trace new.jsonl
try run chase --on sim:cortex-a72 -o ./new.jsonl --dump-trace links/../new.jsonl
# The name after -o, and another format; a command without that format.
try list cpus -j -o cpus.csv
try list cpus -x , -o cpus.CSV.md
try list cpus --format json -x ,
try list cpus -o cpus.prom
try list cpus -o cpus.callgrind
try list cpus --format prometheus
try help run -j
try version -o version.html
try cpu new --from host -o host.csv
try completion bash -o bash.json
try bare build -o image.svg
try bare run -o uart.csv
try db export 1 -o run.csv
try doctor -o machine.tree
try run chase --on sim:cortex-a72 --format google-benchmark -o times.json
try report in.jsonl -o page
try sweep chase -o
try list cpus -o read
try list cpus -o no-folder/cpus.csv
ls | grep -c '^cpus\|^times\|^version'
# A range that takes days is refused, a list is not asked about.
try run chase --passes 1..1000000000
try sweep chase --elements 64..1M/16 --passes 1K..1M --on null
try run chase --passes 1..1000000000 --on sim:cortex-a72 --no-fast-forward
try sweep watch --accesses 1..1T --on time
try sweep chase --passes 1..32M --slope
try sweep chase --elements 9223372036854775807..9223372036854775807
