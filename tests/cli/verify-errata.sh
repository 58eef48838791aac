# An event that counts what an erratum says and not what its vendor says: known,
# and no failure. A fault on it is another matter.
for fault in '' ,fault=double:L2_LINES_OUT.NON_SILENT; do
	echo "* i7-6700hq$fault"
	status=0
	"$ASSAY" verify --quick -q --on "sim:i7-6700hq$fault" -x ';' \
		-e L2_LINES_OUT.NON_SILENT,INST_RETIRED.ANY >out 2>&1 ||
		status=$?
	grep -E '^(L2_LINES_OUT|INST_RETIRED)' out | cut -d ';' -f 1-5,9
	echo "-> $status"
done
echo '* a text without an erratum'
sed '/errata: \[non-silent, ht-silent\]/d' \
	"$ASSAY_SOURCE/data/cpus/i7-6700hq.yaml" >mute.yaml
"$ASSAY" verify --quick -q --on sim:./mute.yaml >said 2>&1
status=$?
sed 's,yaml:[0-9]*:,yaml:LINE:,' said
echo "-> $status"
