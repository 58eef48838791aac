# The slope of what is exact is exact: 3 instructions for each of 512 elements
# and 3 for the pass; the return is the overhead. One page, one fault.
"$ASSAY" run chase --elements 512 --passes 10 --on sim:cortex-a72 \
	--page-map identity --slope -e INST_RETIRED,L1D_CACHE_LD -x , |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ for (n in at) if (n ~ /^(INST|L1D_CACHE_LD).*\./) print n, $at[n] }' |
	sort
"$ASSAY" run touch --pages 100 -e page-faults --slope -x , |
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ for (n in at) if (n ~ /^page-faults/) print n, $at[n] }' | sort
"$ASSAY" run empty --slope; echo "status $?"

# a slope that is right says so; the overhead is the function around the rounds
"$ASSAY" run callret --rounds 10 --on sim:cortex-a72 --slope |
	grep '^instructions' | sed 's/  */ /g'

# verify shows slopes beside its verdicts; what is exact rises as predicted
"$ASSAY" verify --quick --slope --on sim:cortex-a72 -j >rows
grep '"t":"slope"' rows | grep -E '"slope_of":"(instructions|loads|stores|branches)"' |
	grep -o '"verdict":"[a-z]*"' | sort -u
grep -c '"t":"slope".*"verdict":"disagrees"' rows || :
