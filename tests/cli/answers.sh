# The first sentence of each command is its answer, and a screen follows; for
# every outcome, on a narrow terminal and on a wide one.
show() {
	for COLUMNS in 80 160; do
		export COLUMNS
		echo "== $COLUMNS: $*"
		status=0
		"$ASSAY" "$@" || status=$?
		echo "-> $status"
	done
}
# all that stands before the first blank line
answer() {
	echo "== $*"
	"$ASSAY" "$@" 2>&1 | sed -n '1,/^$/p'
}
sizes="--on sim:cortex-a76 --accesses 20000 --formulas arm-pies"
# shellcheck disable=SC2086
show sweep random --bytes 4K..1M $sizes
# shellcheck disable=SC2086
answer sweep random --bytes 4K,8K $sizes
# shellcheck disable=SC2086
answer sweep random --bytes 64M,128M $sizes
answer sweep random --bytes 4K,8K --accesses 1000 --on sim:cortex-a72 \
	--formulas arm-pies:reads,arm-pies
answer sweep random --bytes 4K,8K --accesses 1000 --on sim:k10 \
	--formulas k10-l2
show judge arm-pies --on sim:cortex-a76
answer judge k10-l2 --on sim:k10
answer judge k10-l2 --on replay:a72-branch
answer judge arm-pies --on 'sim:cortex-*'
# counts of a machine whose truth nobody knows
"$ASSAY" run random --on sim:cortex-a76 --bytes 1M --accesses 20000 \
	--formulas arm-pies -j | grep '"t":"record"' | python3 -c '
import json, sys
record = json.loads(sys.stdin.read())
record.pop("truth", None)
for event in record["events"]:
    event.pop("terms", None)
print(json.dumps(record, separators=(",", ":")))' >unknown.jsonl
answer judge arm-pies unknown.jsonl
answer sweep random --bytes 1M --accesses 20000 --formulas arm-pies \
	--on replay:unknown.jsonl
show recipe a72-data-access
answer recipe skylake-l2-evictions
show derive l1d_refills --on sim:k10
answer derive served_dram --on sim:neoverse-n1 \
	-e LL_CACHE_MISS_RD,LL_CACHE_RD,L2D_CACHE_REFILL,MEM_ACCESS,L1D_TLB
answer derive mispredicts --on sim:cortex-a76 \
	-e L1D_CACHE,L1D_CACHE_REFILL,BR_RETIRED
show stat -M k10 --on replay:k10-sample
"$ASSAY" stat -M linux -o linux.txt -- true
head -n 1 linux.txt | sed 's/^[0-9]* of/N of/; s/computed.*/computed .../'
echo '== what a model that is checked against itself says'
"$ASSAY" verify --on sim:cortex-a72 --quick -e INST_RETIRED | sed -n '/^F /,$p'
echo '== interrupted'
python3 - <<'END'
import os, signal, subprocess
for command in (['judge', 'arm-pies', '--on', 'sim:*'],
                ['derive', 'l1d_refills', '--on', 'sim:k10'],
                ['recipe', 'skylake-l2-evictions'],
                ['sweep', 'random', '--on', 'sim:cortex-a76', '--bytes', '64M',
                 '--accesses', '1M,2M', '--seed', '1..64', '-q',
                 '--formulas', 'arm-pies']):
    job = subprocess.Popen([os.environ['ASSAY'], *command],
        stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    asked = False
    while not asked:
        with open(f'/proc/{job.pid}/status', encoding='ascii') as status:
            caught = [l for l in status if l.startswith('SigCgt:')]
        asked = int(caught[0].split()[1], 16) >> signal.SIGINT - 1 & 1
    job.send_signal(signal.SIGINT)
    said = job.communicate()[0].split()
    print(command[0], job.returncode, said[0])
END
# no answer stands in what programs read
"$ASSAY" judge k10-l2 --on sim:k10 -x , | head -n 1 | cut -d , -f 1-6
"$ASSAY" derive l1d_refills --on sim:k10 -j | grep -c '"t":"note"'
exit 0
