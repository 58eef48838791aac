# Our own CPU and formula files have no finding of high confidence; a planted
# mistake is one.
set -u

show() {
	"$ASSAY" audit "$@" -x, >out 2>err
	code=$?
	grep error: err
	grep ,high, out | sed 's/,[0-9]*,[0-9]*$//'
	echo "exit $code"
}

data=$ASSAY_SOURCE/data
echo "== all files"
show "$data/cpus" "$data/formulas"
"$ASSAY" audit "$data/cpus" "$data/formulas" |
	sed -n '1s/.* in \([0-9]*\) entries.*/\1/p' |
	{ read -r n; [ "$n" -gt 1500 ] && echo "more than 1500 entries"; }
show "$data/cpus" --against libpfm4

echo "== a formula with an event that the CPU's file lacks"
mkdir cpus
cp "$data/cpus/cortex-a72.yaml" cpus
sed 's/INST_RETIRED/INST_RETIERD/' "$data/formulas/cortex-a72.yaml" >wrong.yaml
show cpus wrong.yaml
echo "== a code that the vendor's table has otherwise"
mkdir -p perfmon/SKL/events
cat >perfmon/SKL/events/made_core.json <<'END'
{"Header":{},"Events":[
{"EventName":"L2_LINES_IN.ALL","EventCode":"0xF1","UMask":"0xF1"},
{"EventName":"L2_LINES_OUT.SILENT","EventCode":"0xF2","UMask":"0x01",
 "Deprecated":"1"}]}
END
cp "$data/cpus/i7-6700hq.yaml" cpus
show cpus/i7-6700hq.yaml --against perfmon
"$ASSAY" audit cpus "$data/formulas/skylake-l2.yaml" \
	--against perfmon -x, 2>err | grep withdrawn | sed 's/,[^,]*,[0-9]*,[0-9]*$//' |
	sort -u | sed -n 1,2p
echo "== files that cannot be read"
echo 'schema: assay-cpu/1' >bad.yaml
show bad.yaml
mkdir some
cp "$data/cpus/cortex-a72.yaml" bad.yaml some
show some
"$ASSAY" audit some | head -n 1
