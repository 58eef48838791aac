# What the record of a trace says, and what is said beside it.
awk 'BEGIN { for (i = 0; i < 34; i++) printf "0 %x0000000\n", i * 4 }' >far.din
on=cortex-a72,prefetchers=off
"$ASSAY" sim --cpu $on --page-map identity --trace far.din -j >far.jsonl
grep -oE '"(isa|options|loads)":("[^"]*"|[0-9]+)' far.jsonl
grep '"t":"not-modelled"' far.jsonl
# what din has no place for is not 0
"$ASSAY" sim --cpu $on --trace far.din -e BR_PRED,INST_RETIRED,L1D_CACHE -q |
	grep -E '^(branches|instructions|BR_|INST|L1D_CACHE)|^- '
"$ASSAY" sim --cpu cortex-a72 --trace far.din -j | grep -o '"options":"[^"]*"'
# each format's row: what it has no place for, and its words
printf '0 1000\n' >x.din
printf ' L 1000,8\n' >x.lackey
{ printf '\1'; head -c 63 /dev/zero; } >x.champsim
"$ASSAY" run chase --elements 64 --passes 1 --on sim:cortex-a72 -q \
	--dump-trace x.atr >/dev/null
for ending in din lackey champsim atr; do
	"$ASSAY" sim --cpu cortex-a72 --trace x.$ending -j | grep -oE \
		-e 'format=[a-z]*' -e '"(branches|split_lines)":[^,}]*' \
		-e '"[^"]*this (format|trace)[^"]*"' -e '"instructions":[0-9]*'
done | uniq
"$ASSAY" help sim | sed -n '/Trace formats are/,+1p;/--trace-format/,+2p'
"$ASSAY" sim --cpu cortex-a72 --trace x.din --trace-format dim 2>&1
# fewer counters than events: each has them for a part of the time
"$ASSAY" run chase --elements 64 --on sim:cortex-a72,fault=counters=2 -j -q \
	-e L1D_CACHE_LD,L1D_CACHE_ST,INST_RETIRED >shared.jsonl
grep -c '"terms"' shared.jsonl
grep -o '"counts":.[^]]*' shared.jsonl
# direct jumps of ChampSim: taken, whatever the trace says, and never mispredicted
for i in 1 2 3 4; do
	printf "\\$i"'\0\0\0\0\0\0\0\0\0\32\0\32\0\0\0'
	head -c 48 /dev/zero
done >jumps.champsim
"$ASSAY" sim --cpu skylake --trace jumps.champsim -j |
	grep -oE '"(branches|branches_taken|mispredicts)":[0-9]*'
