# SPDX-License-Identifier: MIT
# Certificates of many hosts in one folder; telemetry of one host.
unset SLURM_PROCID SLURM_JOB_ID
export ASSAY_DB=
save() {	# node, fault
	SLURMD_NODENAME=$1 SLURM_PROCID=0 SLURM_JOB_ID=4 "$ASSAY" verify \
		--on "sim:cortex-a72$2" --quick --save --cert-dir certificates \
		-q -j -o 'verify-%h.jsonl'
	echo "-> $?"
}
save a ''
save e ,fault=dead:L1D_CACHE_REFILL
for node in b c d; do
	for form in json jsonl; do
		sed "s/\"node\": *\"a\"/\"node\": \"$node\"/" \
			certificates/*-a.$form >certificates/x-$node.$form
	done
	sed "s/\"node\": *\"a\"/\"node\": \"$node\"/" verify-a.jsonl \
		>verify-$node.jsonl
done

echo '* the table of all hosts'
"$ASSAY" list events --fleet --cert-dir certificates -x , | grep -E '^event|L1D_CACHE'
"$ASSAY" list events --fleet --cert-dir certificates | head -n 2
echo '* a newer certificate of the host counts, the old one does not'
sed 's/"dead"/"exact"/; s/"created": "20/"created": "21/' \
	certificates/*-e.json >certificates/y.json
"$ASSAY" list events --fleet --cert-dir certificates >/dev/null
echo "-> $?"
rm certificates/y.json

echo '* fleet check'
"$ASSAY" fleet check certificates/*.json
echo "-> $?"
"$ASSAY" fleet check verify-*.jsonl | head -n 1

echo '* mistakes'
"$ASSAY" list kernels --fleet
echo "-> $?"
"$ASSAY" list events --fleet --cert-dir nowhere
echo "-> $?"
echo '{"schema":"assay-certificate/2"' >bad.json
"$ASSAY" fleet check bad.json
echo "-> $?"

echo '* telemetry'
events=L1D_CACHE,L1D_CACHE_REFILL,INST_RETIRED,EXC_TAKEN
export_to() {
	"$ASSAY" export --textfile . --cert-dir certificates "$@"
	echo "-> $?"
	grep -v '^assay_export_timestamp' assay.prom |
		grep -vE '^assay_event_quotable.event="(BR|BUS|CPU|L1I|L2|LD|ST|TTBR|MEM|UNAL|DTLB|EXC)'
}
export_to --on sim:cortex-a72 -e $events,TTBR_WRITE_RETIRED
echo '* a certificate says exact, and the counter is dead now'
sed -i 's/"dead"/"exact"/' certificates/*-e.json
export_to --on sim:cortex-a72,fault=dead:L1D_CACHE_REFILL \
	-e L1D_CACHE,L1D_CACHE_REFILL | grep -v quotable
echo '* nobody has certified this machine'
export_to --on sim:k10 | grep -v '^#'
"$ASSAY" export
echo "-> $?"
"$ASSAY" export --textfile nowhere --cert-dir certificates
echo "-> $?"
