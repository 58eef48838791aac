#!/bin/sh
# Breakpoints on symbols of the counted program: exact, wherever it is loaded.
#
#     stat-symbols.sh ASSAY PROGRAM...
set -eu
assay=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "1..$(($# + 2))"
n=0
stopped=
for program; do
	n=$((n + 1))
	"$assay" stat -e mem:counter/8:w,mem:hidden/8:w,mem:step:x,mem:nosuch \
		-r 2 -j -o "$work/out" -- "$program" 2>"$work/err" || :
	if ! grep -q '"value":' "$work/out" 2>/dev/null; then
		echo "ok $n - $program # SKIP no breakpoints or no ptrace here"
		continue
	fi
	stopped=yes
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

# a program that cannot be run is said to be so, before any event is
: >"$work/plain"
for program in nosuch-program "$work/plain"; do
	n=$((n + 1))
	code=0
	"$assay" stat -e mem:main:x -- "$program" 2>"$work/err" || code=$?
	expected=127
	[ "$program" = nosuch-program ] || expected=126
	if [ -z "$stopped" ]; then
		echo "ok $n - $expected # SKIP no breakpoints or no ptrace here"
	elif [ $code = $expected ] && grep -q 'cannot run' "$work/err"; then
		echo "ok $n - $expected"
	else
		echo "not ok $n - $expected, but $code"
		sed 's/^/# /' "$work/err"
	fi
done
