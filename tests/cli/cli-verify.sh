# The simulator agrees with the closed forms, in every format.
status=0
"$ASSAY" verify --on sim:cortex-a72 >text || status=$?
echo "-> $status"
head -n 1 text
grep -c 'FAIL disagrees' text
tail -n 1 text
"$ASSAY" verify --on sim:cortex-a72 -j >json || echo "-> $?"
grep -c '"t":"verdict"' json >verdicts
[ "$(grep -c ' of ' text)" -ge "$(cat verdicts)" ] || echo 'text lacks verdicts'
grep '"t":"comparison"' json | head -n 1 |
	grep -o '"\(kernel\|shape\|quantity\|from\|verdict\)"'
