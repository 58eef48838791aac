# What an event or a code is, on CPUs that are not this machine's.
set -u

echo "== codes of a published script, and what was meant"
for code in rcf74e0 rcf74e1 rc47d rc80 r47d r40000f7e0; do
	"$ASSAY" explain $code --cpu k10
	echo
done
echo "== events that a CPU does not have"
for code in 0x32 0x33 0x06 0xA2; do
	"$ASSAY" explain $code --cpu cortex-a76 -j |
		grep -e '"event"' -e '"counts"' | grep -v elsewhere
done
echo "== names"
"$ASSAY" explain L2D_CACHE --cpu cortex-a76
echo
"$ASSAY" explain L2_LINES_OUT.NON_SILENT:u --cpu i7-6700hq
echo
"$ASSAY" explain L1D_CACHE_REFILL --cpu k10
echo
"$ASSAY" explain skl::L2_LINES_OUT:SILENT --cpu sapphire-rapids -j |
	grep -e '"event"' -e '"field"'
echo "== Linux's names"
for name in cache-misses LLC-load-misses L1-dcache-store-misses; do
	"$ASSAY" explain $name --cpu k10 -j | grep -e '"event"' -e '"here"' \
		-e '"what it counts"'
done
"$ASSAY" explain cycles --cpu neoverse-n1 -j | grep '"event"'
"$ASSAY" explain page-faults --cpu k10
"$ASSAY" explain mem:main/8:w --cpu k10
echo "== fields"
for code in cpu/event=0x4e0,umask=0xf7/ cpu/event=0x43,umask=0x1f,edge,cmask=2/ \
	rffffffffffffffff r000000000000007d; do
	"$ASSAY" explain $code --cpu k10 -j | grep -v '"elsewhere"'
done
"$ASSAY" explain r110016 --cpu cortex-a72 -j | grep -v '"elsewhere"'
"$ASSAY" explain rf0fff --cpu i7-6700hq -j
"$ASSAY" explain r47d:upp --cpu k10 -j | grep '"remark"'
echo "== lists"
"$ASSAY" list events L2_LINES --cpu i7-6700hq
"$ASSAY" list cpus k10 -j | grep -e '"unit"' -e '"generic"' | head -n 12
echo "== mistakes"
for name in L2D_CACH DATA_CACHE_REFILS "" "a,b" rxyz cpu/event=0x4e0,umsk=1/ \
	cpu/event=x/ cpu/event=0x100000000000/ "a b"; do
	"$ASSAY" explain "$name" --cpu k10
	echo "exit $?"
done
"$ASSAY" explain --cpu k10
echo "exit $?"
"$ASSAY" explain L2D_CACHE --cpu k100
echo "exit $?"
echo '* what the vendor says, and does not hold'
"$ASSAY" explain L2_TRANS.L2_WB --cpu i7-6700hq -x ';' |
	grep -e 'vendor says' -e 'adds up' -e 'non-silent;'
echo "== several names"
"$ASSAY" explain CPU_CYCLES MADE_NOWHERE L1D_CACHE --cpu cortex-a72 -j >out
echo "exit $?"
grep '"t":"event"' out
