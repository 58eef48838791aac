#!/bin/sh
# SPDX-License-Identifier: MIT
# The comparison itself: what it accepts, refuses, skips and rewrites.
set -eu
run=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset ASSAY_UPDATE
n=0

# status, name; the case is $dir/t.*
want() {
	n=$((n + 1))
	status=0
	"$run" "$dir/t.sh" >"$dir/said" 2>&1 || status=$?
	if [ "$status" = "$1" ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2: status $status"
		sed 's/^/# /' "$dir/said"
	fi
	rm -f "$dir"/t.exact "$dir"/t.glob
}

echo 1..12
echo 'echo one; echo two 2 >&2; echo [3]' >"$dir/t.sh"
printf 'one\ntwo 2\n[3]\n' >"$dir/t.exact"
want 0 'the same text'
printf 'one\ntwo 2\n[3]' >"$dir/t.exact"
want 1 'a missing line end'
printf 'one\ntwo 3\n[3]\n' >"$dir/t.exact"
want 1 'another text'
want 1 'nothing to compare with'
printf 'o*\ntwo *\n[3]\n' >"$dir/t.glob"
want 0 'a pattern'
printf '...\n[3]\n...\n' >"$dir/t.glob"
want 0 'any number of lines'
printf 'one\n...\n[4]\n' >"$dir/t.glob"
want 1 'a pattern that does not match'
printf 'one\n*\n[3]\ntwo\n' >"$dir/t.glob"
want 1 'a pattern with a line too many'
echo 'echo one; exit 3' >"$dir/t.sh"
echo one >"$dir/t.exact"
want 1 'a script that fails'
echo 'echo "$ASSAY_NOTHING"' >"$dir/t.sh"
echo >"$dir/t.exact"
want 1 'a variable that is not set'
echo 'echo no reason; exit 77' >"$dir/t.sh"
want 77 'a skip'
echo 'echo new' >"$dir/t.sh"
echo old >"$dir/t.exact"
ASSAY_UPDATE=1 "$run" "$dir/t.sh"
want 0 'a rewritten expectation'
