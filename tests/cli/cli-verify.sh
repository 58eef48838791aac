# The simulator agrees with the closed forms, in every format.
status=0
"$ASSAY" verify --on sim:cortex-a72 -v >text || status=$?
echo "-> $status"
grep -c 'FAIL' text
tail -n 2 text
"$ASSAY" verify --on sim:cortex-a72 --quick -j >json || echo "-> $?"
for type in plan comparison verdict event; do
	grep "\"t\":\"$type\"" json | head -n 1 | grep -o '"[a-z ]*":' |
		tr '\n' ' '
	echo
done
"$ASSAY" verify --on sim:cortex-a72 --quick -e INST_RETIRED,EXC_TAKEN
"$ASSAY" verify --on sim:cortex-a72 --quick -e INST_RETIRE 2>&1 ||
	echo "-> $?"
"$ASSAY" verify --quick --thorough 2>&1 || echo "-> $?"
# other data, other mispredicts, the same verdict
for seed in 1 7; do
	"$ASSAY" verify --on sim:cortex-a72 --quick --seed $seed \
		--fault double:BR_MIS_PRED -e BR_MIS_PRED -x ';' 2>/dev/null |
		grep '^BR_MIS_PRED' || true
done
echo '* CPU files by a pattern'
"$ASSAY" verify --on 'sim:cortex-a7*' --quick -q -e INST_RETIRED |
	grep -E '^sim:|INST_RETIRED|CPUs'
echo "-> $?"
"$ASSAY" verify --on 'sim:none*' --quick 2>&1
echo "-> $?"
