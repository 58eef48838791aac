# CPU files from event tables (made up) and from recorded machines, and checked.
set -u

assay() { "$ASSAY" "$@"; }
mkdir -p perfmon/HYB/events perfmon/SKX/events arm
cat >perfmon/mapfile.csv <<'END'
Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-55-[01234],V1,/SKX/events/old_core.json,core,,,
GenuineIntel-6-F1,V1,/HYB/events/big_core.json,hybridcore,0x40,0x1,Core
GenuineIntel-6-F1,V1,/HYB/events/small_core.json,hybridcore,0x20,0x1,Atom
GenuineIntel-6-F3,V1,/HYB/events/big_core.json,hybridcore,0x40,0x1,Core
END
cat >perfmon/SKX/events/old_core.json <<'END'
{ "Events": [
  { "EventCode": "0xD1", "UMask": "0x01", "EventName": "MEM_LOAD_RETIRED.L1_HIT",
    "BriefDescription": "Loads that hit L1.", "Counter": "0,1,2,3" },
  { "EventCode": "0xD1", "UMask": "0x02", "EventName": "MEM_LOAD_RETIRED.L2_HIT",
    "BriefDescription": "Loads that hit L2.", "Counter": "0,1,2,3" }
] }
END
cat >perfmon/HYB/events/big_core.json <<'END'
{ "Events": [
  { "EventCode": "0x00", "UMask": "0x01", "EventName": "INST_RETIRED.ANY",
    "BriefDescription": "of a fixed counter", "Counter": "Fixed counter 0" },
  { "EventCode": "0xC0", "UMask": "0x00", "EventName": "INST_RETIRED.ANY_P",
    "BriefDescription": "Instructions.", "Counter": "0,1,2,3,4,5" },
  { "EventCode": "0xD1", "UMask": "0x01", "EventName": "MEM_LOAD_RETIRED.L1_HIT",
    "BriefDescription": "loads, that hit L1", "Counter": "0,1,2,3" },
  { "EventCode": "0xD1", "UMask": "0x02", "EventName": "MEM_LOAD_RETIRED.L2_HIT",
    "BriefDescription": "Another \"text\" \\ than | before: # long enough to need a second line of the file",
    "Counter": "0,1,2,3" },
  { "EventCode": "0xD1", "UMask": "0x09", "EventName": "MEM_LOAD_RETIRED.NEW",
    "BriefDescription": "\u0007no sibling has this", "Counter": "0,1,2,3,4,5" },
  { "EventCode": "0xD1", "UMask": "0x09", "EventName": "MEM_LOAD_RETIRED.OLD",
    "BriefDescription": "deprecated", "Counter": "0,1,2,3,4,5", "Deprecated": "1" },
  { "EventCode": "0xD1", "UMask": "0x0A", "EventName": "MEM_LOAD_RETIRED.CYCLES",
    "BriefDescription": "has a cmask", "Counter": "0", "CounterMask": "1" },
  { "EventCode": "0xD2", "UMask": "0x01", "EventName": "L1D bad name",
    "BriefDescription": "no name of an event", "Counter": "0" },
  { "EventCode": "0x14", "UMask": "0x01", "EventName": "ARITH.DIVIDERS",
    "BriefDescription": "off topic", "Counter": "0" }
] }
END
sed 's/0xD1/0xE1/' perfmon/HYB/events/big_core.json \
	>perfmon/HYB/events/small_core.json
cat >arm/made.json <<'END'
{ "_type": "Events", "cpuid": "0x41fff", "cpu": "Made", "events": [
  { "code": 3, "name": "L1D_CACHE_REFILL", "description": "Refills" },
  { "code": 8, "name": "INST_RETIRED", "description": "Instructions" },
  { "code": 16383, "name": "MADE_CACHE", "description": "something" } ] }
END

echo "== the P core: equal code, name and text; equal code and name; new"
assay cpu new --event-tables perfmon --cpu HYB --core P -o hyb-p.yaml \
	--like skylake-sp
cat hyb-p.yaml
echo "== all that a file can hold; the E core has no code in common"
assay cpu new --event-tables perfmon --cpu HYB --core E --all -q |
	grep -A3 -e '^name' -e ARITH -e L1_HIT
echo "== another sibling"
assay cpu new --event-tables perfmon --cpu HYB --core P --like amd-zen4 -q |
	grep -e like -e counts
echo "== the sibling with the most events in common"
assay cpu new --event-tables perfmon --cpu SKX | grep -e '^  like' -e models
echo "== Arm"
assay cpu new --event-tables arm --cpu made | sed -n '/^match/,/^$/p;/^pmu/,$p'
echo "== what cannot be made"
assay cpu new --event-tables perfmon --cpu HYB
echo "exit $?"
assay cpu new --event-tables perfmon --cpu SKX --core P
assay cpu new --event-tables perfmon --cpu none
assay cpu new --event-tables perfmon --cpu SKX --like none
assay cpu new --event-tables "$ASSAY_SOURCE/tests/tables/perfmon" --cpu MDE
assay cpu new --cpu HYB
assay cpu new
assay cpu new --from host --cpu HYB
assay cpu check
assay cpu chekc

echo "== the new file is used, and checked"
assay run touch --on sim:./hyb-p.yaml -q | grep -A1 guesses
assay run touch --on sim:./hyb-p.yaml -e INST_RETIRED.ANY_P -x , -q | tail -1 |
	cut -d, -f1-4
assay explain MEM_LOAD_RETIRED.OLD --cpu ./hyb-p.yaml | head -2
assay cpu check ./hyb-p.yaml --event-tables perfmon
echo "exit $?"
sed '/^core:/d' hyb-p.yaml >one-kind.yaml
assay cpu check ./one-kind.yaml --event-tables perfmon | grep core
sed '/^core:/s/P/E/' hyb-p.yaml >other-kind.yaml
assay cpu check ./other-kind.yaml --event-tables perfmon | grep -c table
sed -e 's/umask: 0x01/umask: 0x11/' -e 's/counters: 0 1 2 3/counters: 1/' \
	-e 's/l2-hit: 14/l2-hit: 4/' -e 's/models: 0xf1 0xf3/models: 0x55/' \
	-e 's/l1d: {size: 32 KiB/l1d: {size: 2 MiB/' hyb-p.yaml >bad.yaml
assay cpu check ./bad.yaml --event-tables perfmon -j >out
echo "exit $?"
grep -v stand-in out
sed 's/counters: 0 1 2 3/counters: 0 6/' hyb-p.yaml >worse.yaml
assay cpu check ./worse.yaml
echo "exit $?"

echo "== a table finds its file again: more models than a file names, steppings"
mkdir -p linux/amdzen4 linux/made perfmon/CLX/events
cat >linux/mapfile.csv <<'END'
Family-model,Version,Filename,EventType
AuthenticAMD-25-[[:xdigit:]]+,v1,amdzen4,core
AuthenticAMD-99-[[:xdigit:]]+,v1,made,core
END
cat >linux/amdzen4/cache.json <<'END'
[ { "EventName": "ls_dispatch.ld_dispatch", "EventCode": "0x29",
    "UMask": "0x01", "BriefDescription": "Loads dispatched." },
  { "EventName": "ls_l1_d_tlb_miss.all", "EventCode": "0x45",
    "UMask": "0xff", "BriefDescription": "L1 TLB misses." } ]
END
cp linux/amdzen4/cache.json linux/made
sed s/D1/D2/ perfmon/SKX/events/old_core.json >perfmon/CLX/events/new_core.json
echo 'GenuineIntel-6-55-[56789ABCDEF],V1,/CLX/events/new_core.json,core,,,' \
	>>perfmon/mapfile.csv
again() {
	assay cpu new --event-tables "$@" -o again.yaml
	sed -n '/^match/,/^$/p' again.yaml
	assay cpu check ./again.yaml --event-tables "$1" | sed -n '1,2p;/^known/,$p'
}
again linux --cpu amdzen4
again linux --cpu made
again perfmon --cpu CLX
again perfmon --cpu HYB --core E
echo "== no CPU of these instruction sets, no CPU at all"
sed 's/41fff/41c07/' arm/made.json >arm/cortex-a7.json
sed '/cpuid/s/"cpuid": "0x41fff", //; s/Made/All/' arm/made.json >arm/all.json
assay cpu new --event-tables arm --cpu cortex-a7
assay cpu new --event-tables arm --cpu all

echo "== from a machine"
for m in hybrid-laptop skylake-laptop neoverse-n1; do
	"$ASSAY_SOURCE"/tests/machines/unpack \
		"$ASSAY_SOURCE"/tests/machines/$m.tree $m
	assay cpu new --from host --sysroot $m -o $m.yaml
	sed -n '/^name/,/^isa/p;/^match/,/^line/p;/^  l2:/,/policy/p' $m.yaml
	assay cpu check ./$m.yaml | head -2
done
echo "== the files that are built in"
for cpu in $(assay list cpus -j | sed 's/.*"name":"\([^"]*\).*/\1/'); do
	assay cpu check $cpu >out || { echo "exit $?"; cat out; }
done
