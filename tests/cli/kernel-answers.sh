# What kernels say of themselves, and what the software PMU then counts: flushes
# are refills from both sides, an update loads and stores.
for kernel in flush iflush; do
	"$ASSAY" run $kernel --lines 3 --iterations 20 --on sim:cortex-a72 |
		grep -E '^(l1[di]|l2)_refills'
done
"$ASSAY" run stride --op update --bytes 64K --offsets 2 --on sim:cortex-a72 \
	--page-map identity | grep -E '^(loads|stores|l1d_|rfos)'

# a narrow band shows the digits that tell its ends apart
"$ASSAY" run branch --chars 20000000 --passes 200 --ones 0.5 --predict |
	grep -E '^mispredicts +[0-9 ]+[0-9.]+G'

# shares of no accesses are no numbers
"$ASSAY" run icode --on sim:cortex-a72 | tail -n 3
"$ASSAY" run icode --on sim:cortex-a72 -j | grep '"pie"'

# saved shapes that no kernel has are judged as programs that nothing is known of
"$ASSAY" run chase --elements 64 --passes 2 --on sim:cortex-a72 \
	-e INST_RETIRED -j 2>/dev/null | head -n 1 >good.jsonl
for edit in 's/"value":64/"value":9223372036854775807/' \
	's/"elements"/"element"/' \
	's/"kernel":"chase"/"kernel":"matmul"/' 's/"value":128/"value":127/'; do
	sed "$edit" good.jsonl >bad.jsonl
	"$ASSAY" verify --on replay:bad.jsonl >bad.txt 2>&1
	echo "status $?"
	grep -A 1 -e '! inconclusive' bad.txt
done
"$ASSAY" verify --on replay:good.jsonl >good.txt
echo "status $?"

# the closed form with its numbers, for both instruction sets
"$ASSAY" list kernels matmul | grep -E '^(instructions|loads) ' | sed 's/  */ /g'

# wrong by the same share in every run: a bias, and no noise
"$ASSAY" run chase --elements 64 --passes 2 --on sim:cortex-a72 -r 2 \
	-e INST_RETIRED -j 2>/dev/null | head -n 1 >runs.jsonl
sed 's/"counts":\[{"value":391},{"value":391}\]/"counts":[{"value":395},{"value":395}]/' \
	runs.jsonl >biased.jsonl
"$ASSAY" run chase --elements 64 --passes 2 --on replay:biased.jsonl |
	grep 'biased'
"$ASSAY" run chase --elements 64 --passes 2 --on replay:biased.jsonl -j |
	grep -o '"remark".*'
