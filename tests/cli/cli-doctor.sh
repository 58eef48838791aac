# 0 where hardware events can be counted, 4 where not; both say why.
status=0
"$ASSAY" doctor >text || status=$?
case $status in
0 | 3) grep -q '^works here: *everything' text || echo 'says that it cannot' ;;
4) grep -q '^does not work:' text || echo 'says that it can' ;;
*) echo "status $status" ;;
esac
sed -n '1s/ count hardware events.*//p' text
sed -n 's/^\(assay [^ ]*\) on .*/\1/p' text
grep -c '^works here:' text
again=0
"$ASSAY" doctor -j >json || again=$?
[ "$status" = "$again" ] || echo "text exits with $status, -j with $again"
sed -n '1s/^\({"t":"machine","assay":"[^"]*\)".*/\1/p' json
grep -c '^{"t":"answer","answer":"This machine can' json
sed 1d json | grep -v '^{"t":"answer"' | grep -v '^{"t":"finding","part":"[^"]*","what":"[^"]*","state":"\(ok\|info\|warn\|bad\)",.*}$'
"$ASSAY" doctor -v -o kept.txt || true
grep -q '^counters$' kept.txt && echo kept
exit 0
