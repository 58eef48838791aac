# What the shells' scripts ask: the last word's candidates.
try() {
	echo "== $*"
	"$ASSAY" --complete "$@"
}
try s
try list k
try help d
try run chase --no-f
try run random --byte
try run chase --color ''
try run chase --color=a
try completion ''
try cpu ''
try cpu new --core ''
try cpu new --like neoverse-v
try cpu check amd-k
try cpu new --cpu amd-k
try run chase --on sim:cortex-a72 -e INST_RETIRED,L1D_CACHE_WB_
try verify --on sim:cortex-a72 --fault dead:L1D_CACHE_WB_
try judge arm-pies:
try run chase --formulas arm-pies
try run chase --page-map r
try run chase --on replay:a72-b
try stat ''
try stat -- ls ''
try run chase --data=x
try fleet run -- sweep ran
try fleet check ''
try ci ab old new -- ''
try sweep chase --format ''
try help --format ''
try db export 1 --format ''
try ci check --format gi
try list formats swe
# nothing
try no-such x
try db ls ''
try run chase --elements ''
try explain --cpu 9
"$ASSAY" --complete
