# Saved counts that lie, and counts that only look as if they did: what the
# judge of a real machine's counts must never say.
records=$ASSAY_SOURCE/tests/cli/records
events() {
	grep '"t":"event"' rows |
		grep -o '"\(event\|verdict\|explains\)":"[^"]*"'
}
verify() {
	status=0
	"$ASSAY" verify --on "$1" -q -j >rows || status=$?
	echo "-> $status"
}
for name in r1 r1b r2; do
	echo "* $name"
	verify "$records/$name.jsonl"
	events | grep -v 'nothing is claimed' | grep -B 1 -A 1 \
		'"\(biased\|proportional\)"'
done
echo '* laws between events, whatever is claimed of them'
python3 -c '
import json, sys
r = json.loads(open(sys.argv[1]).readline())
more = {"BR_MIS_PRED": 50063348550, "CPU_CYCLES": 59010851}
for e in r["events"]:
    e["counts"][0]["value"] = more.get(e["name"], e["counts"][0]["value"])
print(json.dumps(r))' "$records/r2.jsonl" >law.jsonl
verify law.jsonl
events | grep -A 2 '"law:'
# a bound without an upper end proves nothing
for name in r6a r6b; do
	echo "* $name"
	verify "replay:$records/$name.jsonl"
	events | grep -A 1 '"L2D_CACHE_\(REFILL_\)*LD"'
done
echo '* in the first line'
"$ASSAY" verify --on "$records/r2.jsonl" -q | sed -n 1,3p
"$ASSAY" verify --on "$records/r6a.jsonl" -q | sed -n 1p
# The table's loops with other counts: of 4 runs each.
cat >make.py <<'END'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
for number, r in enumerate(lines):
    loads = {o['name']: o.get('value') for o in r['shape']['options']}
    n = (3 * loads['elements'] + 5) * loads['passes']
    said = eval(sys.argv[2])
    r['events'] = [e for e in r['events'] if e['name'] == 'INST_RETIRED']
    r['events'][0]['counts'] = [{'value': int(said(n, i))} for i in range(4)]
    r['ns'] = r['ns'] * 4
    for revision in sys.argv[3:]:
        r['machine']['microcode'] = revision
        r['events'][0]['counts'] = [{'value': n * int(revision, 16)}] * 4
        print(json.dumps(r))
    if not sys.argv[3:]:
        print(json.dumps(r))
END
chase=$ASSAY_SOURCE/data/records/a72-chase.jsonl
made() {
	echo "* $1"
	python3 make.py "$chase" "$1" >made.jsonl
	verify made.jsonl
	events | tail -n +2
	# an agreement has no error above its margin, and no "+0.00 %"
	"$ASSAY" verify --on made.jsonl -q | grep -F -e '+0.00 %' -e '-0.00 %' \
		-e ' 0 %' -e nan -e inf.
}
made 'lambda n, i: n'
made 'lambda n, i: n + 1'
made 'lambda n, i: 2 * n'
made 'lambda n, i: 0'
made 'lambda n, i: 1'
made 'lambda n, i: n * 1.08 * (1 + 0.005 * (i - 1.5))'
made 'lambda n, i: n * (1 + 0.5 * (i - 1.5))'
made 'lambda n, i: n * (1 + 0.002 * (i - 1.5))'
made 'lambda n, i: n * 7 / 11'
made 'lambda n, i: 2 ** 63 - 1 - n'
made 'lambda n, i: n * (1 + 1e-7 * number)'
echo '* a microcode that counts twice, and one that does not'
python3 make.py "$chase" 'lambda n, i: n' 0x2 0x1 >made.jsonl
verify made.jsonl
events | tail -n +2
