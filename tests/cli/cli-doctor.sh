# 0 where hardware events can be counted, 4 where not; both say why.
status=0
"$ASSAY" doctor >text || status=$?
case $status in
0) grep -q '^works here: *everything' text || echo 'says that it cannot' ;;
4) grep -q '^does not work:' text || echo 'says that it can' ;;
*) echo "status $status" ;;
esac
head -n 1 text
grep -c '^works here:' text
again=0
"$ASSAY" doctor -j >json || again=$?
[ "$status" = "$again" ] || echo "text exits with $status, -j with $again"
grep -v '^{"t":"finding","part":"[^"]*","what":"[^"]*","state":"\(ok\|warn\|bad\)",.*}$' json
"$ASSAY" doctor -o kept.txt || true
[ "$(head -n 1 kept.txt)" = counters ] && echo kept
exit 0
