#!/bin/sh
# Breakpoints on symbols of the counted program: exact, wherever it is loaded.
#
#     stat-symbols.sh ASSAY PROGRAM...
set -eu
assay=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "1..$#"
n=0
for program; do
	n=$((n + 1))
	"$assay" stat -e mem:counter/8:w,mem:hidden/8:w,mem:step:x,mem:nosuch \
		-r 2 -j -o "$work/out" -- "$program" 2>"$work/err" || :
	if ! grep -q '"value":' "$work/out" 2>/dev/null; then
		echo "ok $n - $program # SKIP no breakpoints or no ptrace here"
		continue
	fi
	status=ok
	for event in mem:counter/8:w mem:hidden/8:w mem:step:x; do
		grep -q "\"t\":\"count\",\"event\":\"$event\",\"count\":1000,\"error\":0,\"runs\":2" \
			"$work/out" || status="not ok"
	done
	grep -q '"event":"mem:nosuch","count":null,.*has no symbol' \
		"$work/out" || status="not ok"
	echo "$status $n - $program"
	[ "$status" = ok ] || sed 's/^/# /' "$work/out" "$work/err"
done
