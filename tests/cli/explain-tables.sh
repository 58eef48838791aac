# Events that the CPU file does not describe, from event tables (tests/tables,
# made up), and what may be denied.
set -u

tables=$ASSAY_SOURCE/tests/tables
for f in perfmon linux arm; do
	ln -s "$tables/$f" $f
done
unset ASSAY_EVENT_TABLES
# the answer alone, without the rows of the code and other CPUs
show() {
	"$ASSAY" explain "$@" -j 2>&1 |
		grep -v -e '"t":"field"' -e '"t":"elsewhere"'
}

echo "== by name, in any spelling, by code, in a PMU"
show MADE_UP.CYCLES --cpu skylake --event-tables perfmon
show made_up:cycles --cpu skylake --event-tables perfmon
show cpu/MADE_UP_CYCLES/u --cpu skylake --event-tables perfmon
show r2ac13e9 --cpu skylake --event-tables perfmon
show cpu/MADE_UP.CYCLES,umask=0x21,cmask=0,name=x/ --cpu skylake \
	--event-tables perfmon/MDE
show MADE_UP.RETIRED --cpu MDE --event-tables perfmon
show MADE_UP.REQUESTS_OF_A_KIND_WITH_A_NAME_OF_MORE_THAN_SIXTY_THREE_CHARACTERS \
	--cpu skylake --event-tables perfmon
show UNC_CHA_MADE_UP.ALL --cpu skylake --event-tables perfmon
echo "== Linux's names of AMD's events, Arm's"
ASSAY_EVENT_TABLES=linux:arm show ls_made_up.all --cpu zen3
show l3_made_up.slice --cpu zen3 --event-tables linux
show 0x1c7 --cpu zen3 --event-tables linux
show MADE_MANUAL --cpu cortex-a76 --event-tables arm
show armv8_cortex_a76/made_other_name/ --cpu cortex-a76 --event-tables linux
echo "== without a CPU: all that have the name"
"$ASSAY" explain made_up.cycles --event-tables perfmon:linux -j |
	grep -e elsewhere
echo "== a unit mask of 16 bits, a table with another code than the CPU file"
mkdir -p mine/SKL/events mine/zen3
cat >mine/SKL/events/mine_core.json <<-'EOF'
	{ "Events": [
	{ "EventCode": "0xE9", "UMask": "0x11", "UMaskExt": "0x01",
	  "EventName": "MADE_UP.WIDE", "BriefDescription": "of 16 bits" },
	{ "EventCode": "0xE9", "UMask": "0x11",
	  "EventName": "MADE_UP.NARROW", "BriefDescription": "of 8 bits" },
	{ "EventCode": "0x00", "UMask": "0x01", "Counter": "Fixed counter 0",
	  "EventName": "INST_RETIRED.ANY", "BriefDescription": "fixed" }
	] }
EOF
cat >mine/zen3/cache.json <<-'EOF'
	[ { "EventName": "ls_dmnd_fills_from_sys.near", "EventCode": "0x43", "UMask": "0xf" },
	  { "EventName": "ls_dmnd_fills_from_sys.far", "EventCode": "0x43", "UMask": "0x50" },
	  { "EventName": "made_up.one", "EventCode": "0x43", "UMask": "0x1" },
	  { "EventName": "made_up.two", "EventCode": "0x44", "UMask": "0x2" } ]
EOF
for event in MADE_UP.WIDE r100000011e9 r11e9 cpu/event=0xe9,umask=0x111/; do
	show $event --cpu skylake --event-tables mine
done
cp -R mine/SKL mine/ARL
show cpu/event=0xe9,umask=0x111/ --cpu arrow-lake-p --event-tables mine/ARL
rm -r mine/ARL
show INST_RETIRED.ANY --cpu skylake --event-tables mine |
	grep -e '"t":"event"' -e remark
echo "== likwid's bits of the register, and values of registers beside the code"
cat >mine/perfmon_skylake_events.txt <<-'EOF'
	EVENT_MADE_STALLS 0xE8 PMC
	UMASK_MADE_STALLS_BEGINNINGS 0x01 0xC5 0x02
	EVENT_MADE_FRONT 0xC6 PMC
	UMASK_MADE_FRONT_MISS 0x01 0x00 0x11
	EVENT_MADE_RESPONSE 0xB7 PMC
	UMASK_MADE_RESPONSE_ANY 0x01 0x01 0x10
EOF
for event in MADE_STALLS_BEGINNINGS MADE_FRONT_MISS MADE_RESPONSE_ANY; do
	show $event --cpu skylake --event-tables mine |
		grep -e '"t":"event"' -e remark
done
echo "== a name for all where the CPU's table has the parts alone"
for event in ls_dmnd_fills_from_sys.all made_up.all; do
	show $event --cpu zen3 --event-tables mine:linux
done
echo "== many names at once, answered as one by one"
set -- MADE_UP.WIDE ls_made_up.all r11e9 INST_RETIRED.ANY MADE_NOWHERE LLC-loads \
	ls_made_up.all MADE_UP.WIDE
for event; do
	"$ASSAY" explain "$event" --cpu skylake --event-tables mine:linux -j
done >one-by-one 2>&1
"$ASSAY" explain "$@" --cpu skylake --event-tables mine:linux -j >at-once 2>&1
sort one-by-one >1; sort at-once | diff 1 - && wc -l <1
echo "== denied only where a complete list is at hand"
for tables in perfmon linux nothing; do
	"$ASSAY" explain ls_made_up.all --cpu skylake --event-tables $tables \
		>out 2>err
	echo "exit $?"
	grep -o '"here".*' out
	cat err
done
for name in MADE_NOWHERE_AT_ALL MADE_UP.CYCELS; do
	"$ASSAY" explain $name --cpu skylake --event-tables perfmon
	echo "exit $?"
done
echo "== modifiers of perf"
show cycles:GDu --cpu skylake | grep remark
"$ASSAY" stat -e page-faults:G true
echo "exit $?"
"$ASSAY" stat -e page-faults:P true >/dev/null 2>&1
echo "exit $?"
echo "== cache names"
for name in LLC-loads L1-dcache-loads; do
	for cpu in zen3 skylake neoverse-v1 apple-m1; do
		show $name --cpu $cpu | grep -e '"t":"event"' -e '"here"'
	done
done
echo "== a file that breaks off takes only its own events away"
mkdir -p broken/aaa
printf '[ { "EventName": "made_up.lost",' >broken/aaa/cache.json
cp -R mine/zen3 broken
show made_up.one --cpu cortex-a76 --event-tables broken
"$ASSAY" explain made_up.one --cpu cortex-a76 --event-tables broken -j |
	grep -c elsewhere
show made_up.lost --cpu cortex-a76 --event-tables broken
show made_up.one --cpu zen3 --event-tables broken
echo "== Linux has an extract of Arm's list, Arm has the list"
cp -R "$ASSAY_SOURCE/tests/tables/linux" extract
arm64=extract/tools/perf/pmu-events/arch/arm64
mv $arm64/maker $arm64/arm
sed -i s/maker/arm/ $arm64/mapfile.csv
show made_up.absent --cpu cortex-a76 --event-tables extract
show made_up.absent --cpu cortex-a76 --event-tables linux
show made_up.absent --cpu cortex-a76 --event-tables arm
echo "== without a CPU the sentence names one that has the event; a long text"
mkdir -p old/pdp11
python3 - >old/pdp11/cache.json <<'EOF2'
import json
print(json.dumps([{'EventName': 'made_up.odd', 'EventCode': '0x5',
                   'BriefDescription': 'of words ' * 300}]))
EOF2
"$ASSAY" explain made_up.odd --event-tables old | head -n 2
show made_up.odd --cpu pdp11 --event-tables old | grep -o 'words.\{1,12\}known.*'
echo "== a CPU with several kinds of core"
mkdir -p kinds/ADL/events
cat >kinds/mapfile.csv <<-'EOF2'
	Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
	GenuineIntel-6-97,V1,/ADL/events/made_e.json,hybridcore,0x20,0x000001,Atom
	GenuineIntel-6-97,V1,/ADL/events/made_p.json,hybridcore,0x40,0x000001,Core
EOF2
cat >kinds/ADL/events/made_p.json <<-'EOF2'
	{ "Events": [
	{ "EventName": "MADE_P.ALONE", "EventCode": "0xE8", "UMask": "0x01", "BriefDescription": "of P" },
	{ "EventName": "MADE.BOTH", "EventCode": "0xE9", "UMask": "0x01", "BriefDescription": "of both" },
	{ "EventName": "MADE.DIFFERS", "EventCode": "0xEA", "UMask": "0x01", "BriefDescription": "P's" }
	] }
EOF2
sed -e 's/MADE_P/MADE_E/; s/of P/of E/' -e "/DIFFERS/s/0x01/0x02/; s/P's/E's/" \
	kinds/ADL/events/made_p.json >kinds/ADL/events/made_e.json
for event in MADE_E.ALONE MADE_P.ALONE MADE.BOTH MADE.DIFFERS r1e8 r2ea \
	cpu_atom/MADE_E.ALONE/ cpu_atom/event=0xea,umask=1/ MADE.ABSENT; do
	for cpu in alder-lake-p alder-lake-e ADL; do
		"$ASSAY" explain $event --cpu $cpu --event-tables kinds 2>&1 |
			sed '/^$/,$d'
	done
done
"$ASSAY" explain cpu_core/MADE_E.ALONE/ --cpu skylake
show MADE_E.ALONE --cpu ADL --event-tables kinds | grep remark
show MADE_E.ALONE --cpu alder-lake-p --event-tables kinds
mkdir -p one-kind/ADL/events
cp kinds/mapfile.csv one-kind
cp kinds/ADL/events/made_e.json one-kind/ADL/events
show MADE_E.ALONE --cpu alder-lake-p --event-tables one-kind | grep here
echo "== a product of one core, with a table of its own"
mkdir -p product/CLX/events
echo 'GenuineIntel-6-55-[56789ABCDEF],V1,/CLX/events/made.json,core' >product/mapfile.csv
cp kinds/ADL/events/made_p.json product/CLX/events/made.json
show MADE_P.ALONE --cpu CLX --event-tables product | head -n 1
echo "== a bad entry ends no answer that does not need it"
mkdir -p bad/SKL/events bad/zen3
cat >bad/SKL/events/a.json <<-'EOF2'
	{ "Events": [
	{ "EventCode": "0xE9", "UMask": "0x11", "EventName": "MADE_UP.GOOD" },
	{ "EventCode": "zz", "UMask": "0x11", "EventName": "MADE_UP.BAD" },
	{ "EventCode": "0xE9", "UMask": "0x12", "EventName": "MADE_UP.BEHIND" } ] }
EOF2
printf '[ { "EventName": "made_up.lost",' >bad/zen3/c.json
for event in MADE_UP.GOOD MADE_UP.BEHIND L1D.REPLACEMENT MADE_UP.BAD \
	MADE_NOWHERE_AT_ALL; do
	for cpu in skylake zen3; do
		"$ASSAY" explain $event --cpu $cpu --event-tables bad >out 2>err
		echo "exit $?"
		cat err
		sed '/^$/,$d' out
	done
done
"$ASSAY" explain MADE_UP.GOOD L1D.REPLACEMENT --cpu skylake --event-tables bad \
	-j 2>&1 >/dev/null
ln -s nowhere kinds/lost
"$ASSAY" explain MADE.BOTH --cpu alder-lake-p --event-tables kinds 2>&1 |
	sed '/^$/,$d'
"$ASSAY" explain MADE_NOWHERE_AT_ALL --cpu alder-lake-p --event-tables kinds
echo "exit $?"
echo "== an event of libpfm4's table without its unit mask; two events; no mask"
"$ASSAY" explain snb::L2_LINES_IN --cpu skylake
"$ASSAY" explain snb::L2_LINES_INN --cpu skylake
"$ASSAY" explain L1D.REPLACEMENT,r1 --cpu skylake
for code in r0d1 r7f00d1 r00d0; do
	"$ASSAY" explain $code --cpu skylake | sed '/^$/,$d'
done
echo "== the code of another unit, as explain writes it"
for code in CHA/event=0x135,umask=0x5,umask_ext=0xc8,ch_mask=0x1,fc_mask=0x7,filter=0x40033/ \
	cha/umask=5,event=0x135,umask_ext=0xC8,fc_mask=7,ch_mask=1,filter=0x40033,edge=0/ \
	CHA/event=0x135,umask=0x5/; do
	show $code --cpu skylake --event-tables perfmon
done
echo "== perf's names on Apple's cores"
for cpu in apple-m1 apple-m2 apple-m3; do
	for name in LLC-loads branch-misses cache-references page-faults; do
		"$ASSAY" explain $name --cpu $cpu | sed '/^$/,$d'
	done
done
echo "== a list of the tables' events"
for cpu in skylake MDE; do
	"$ASSAY" list events made_up --cpu $cpu --event-tables perfmon -j
done
"$ASSAY" list events made --cpu MDE --event-tables perfmon
"$ASSAY" list events made --cpu MDA --event-tables perfmon
"$ASSAY" list events made --cpu skylake --event-tables bad
"$ASSAY" list events made --cpu skylake --event-tables nowhere
echo "== a text with a NUL, pipes"
mkdir -p nul/SKL/events pipes
printf '{ "Events": [ { "EventName": "A\\u0000", "EventCode": "0x1" } ] }' \
	>nul/SKL/events/a.json
show MADE_NOWHERE --cpu skylake --event-tables nul
mkfifo pipe pipes/mapfile.csv pipes/a.json
show MADE_NOWHERE --cpu skylake --event-tables pipe
show MADE_NOWHERE --cpu skylake --event-tables pipes
echo "== offcore responses: by code and config1, else not known"
mkdir -p offcore/SPR/events
cat >offcore/SPR/events/mine_core.json <<-'EOF2'
	{ "Events": [
	{ "EventCode": "0x2A,0x2B", "UMask": "0x01", "MSRIndex": "0x1a6,0x1a7",
	  "MSRValue": "0x10004", "EventName": "MADE.CODE_READS", "BriefDescription": "of code" },
	{ "EventCode": "0x2A,0x2B", "UMask": "0x01", "MSRIndex": "0x1a6,0x1a7",
	  "MSRValue": "0x3FBFC00001", "EventName": "MADE.L3_MISSES", "BriefDescription": "misses" }
	] }
EOF2
for name in LLC-load-misses node-load-misses cpu/event=0x2a,umask=1,offcore_rsp=0x10004/; do
	show $name --cpu sapphire-rapids --event-tables offcore
done
for cpu in granite-rapids ice-lake-sp skylake alder-lake-p alder-lake-e; do
	show LLC-loads --cpu $cpu --event-tables offcore
done
echo "== generic names that Linux lacks, or has"
for cpu in zen2 zen3 zen4 zen5 skylake neoverse-n1; do
	for name in ref-cycles bus-cycles stalled-cycles-frontend \
		stalled-cycles-backend; do
		"$ASSAY" explain $name --cpu $cpu | head -n 1
	done
done
echo "== the modifier p, and where modifiers count"
for event in cycles:p@skylake cycles:ppp@skylake r3c:pp@sapphire-rapids \
	instructions:p@skylake cycles:pp@zen4 cycles:ppp@zen4 instructions:p@zen4 \
	cycles:p@cortex-a76 page-faults:p@skylake instructions:ukh@skylake; do
	show ${event%@*} --cpu ${event#*@} | grep -e remark
done
echo "== PMUs outside the cores"
for name in amd_l3/event=0x4,umask=0xff/ AMD_L3_0/event=0x4,umask=0xff/ \
	amd_made_up/event=0x4,umask=0xff/ power_made_up/energy/ \
	uncore_made_up/read/; do
	show $name --cpu zen3 --event-tables linux
	"$ASSAY" explain $name --cpu zen3 --event-tables linux >out 2>&1
	echo "exit $?"
done
for name in rFFFFFFFFFFFFFFFFF 0xFFFFFFFFFFFFFFFFF; do
	show $name --cpu zen3
done
echo "== fields that are too small"
show r2000000000d1 --cpu skylake
for code in cpu/event=0xd1,umask=0x2000/@skylake cpu/event=0x100ff/@skylake \
	cpu/event=0x1000/@zen3 cpu/event=0x10000/@cortex-a72; do
	show ${code%@*} --cpu ${code#*@}
	"$ASSAY" explain ${code%@*} --cpu ${code#*@} >out 2>&1
	echo "exit $?"
done
echo "== libpfm4's modifiers; no name as its own meaning"
for name in L2_RQSTS.MISS:c=1 L2_RQSTS:MISS:c=0x2:i:e=1 L2_RQSTS.MISS:u:k \
	L2_RQSTS.MISS:c=x MADE_NOWHERE:c=1; do
	show $name --cpu skylake
done
for name in r1f60@zen3 r13c@granite-rapids STALL_FRONTEND@neoverse-n1; do
	"$ASSAY" explain ${name%@*} --cpu ${name#*@} | sed '/^$/,$d'
done
mkdir -p text
echo '{ "_type": "Events", "cpuid": "0x41d0c", "cpu": "Neoverse N1", "events": [
  { "code": 35, "name": "STALL_FRONTEND", "description": "of a table" } ] }' \
	>text/a.json
"$ASSAY" explain STALL_FRONTEND --cpu neoverse-n1 --event-tables text | head -n 1
"$ASSAY" explain L1D.REPLACEMENT MADE_NOWHERE --cpu skylake -j 2>err |
	grep '"t":"event"'
cat err
