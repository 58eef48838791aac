#!/bin/sh
# SPDX-License-Identifier: MIT
# The driver finds each planted mistake, the same way with the same seed, keeps
# the input that shows it, and shows it again with that input alone.
#
#	driver.sh TARGET [leaks]
set -eu
target=$(readlink -f "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
n=0

report() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		sed 's/^/# /' said
	fi
}

# name, seeds
finds() {
	kind=$1
	shift
	rm -rf seeds
	mkdir seeds
	for seed in "$@"; do printf '%s' "$seed" >"seeds/$seed"; done
	status=0
	"$target" -s 1 -n 2000 -o "$kind.1" seeds >said 2>&1 || status=$?
	report "$([ $status -gt 127 ] && [ -s "$kind.1" ]; echo $?)" \
		"$kind is found"
	"$target" -s 1 -n 2000 -o "$kind.2" seeds >/dev/null 2>&1 || true
	report "$(cmp "$kind.1" "$kind.2" >said 2>&1; echo $?)" \
		"$kind is found the same way again"
	status=0
	"$target" "$kind.1" >said 2>&1 || status=$?
	report "$([ $status -gt 127 ]; echo $?)" "$kind fails with its input alone"
}

[ "${2:-}" = leaks ] && echo 1..20 || echo 1..16
finds flip flip00000000
finds cut cut:00000000
finds insert more00000000
finds splice joinA otherB
if [ "${2:-}" = leaks ]; then
	finds leak leak00000000
	printf 'kept' >seeds/leak00000000
	status=0
	"$target" -n 100 seeds >said 2>&1 || status=$?
	report $status 'what is kept is no leak'
fi
mkdir empty good
status=0
"$target" -n 10 empty >said 2>&1 || status=$?
report "$([ $status = 1 ]; echo $?)" 'no seeds: refused'
printf 'x' >good/x
status=0
"$target" -n 3000 good >said 2>&1 || status=$?
report "$([ $status = 0 ] && grep -q '1 seeds, 3000 mutations' said; echo $?)" \
	'no mistake: told how much was tried'
for again in 1 2; do
	"$target" -n 1 good | head -1 >"drawn.$again"
done
report "$(grep -q '^seed [0-9]' drawn.1 && ! cmp -s drawn.1 drawn.2; echo $?)" \
	'without -s each run draws another seed and prints it'
status=0
"$target" -n 10 /nowhere >said 2>&1 || status=$?
report "$([ $status = 1 ]; echo $?)" 'no such folder: refused'
