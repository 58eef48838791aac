#!/bin/sh
# SPDX-License-Identifier: MIT
# The native kernels under valgrind's lackey: every load and store of the arena
# by counted code equals the traced stream, one by one, and their numbers equal
# the closed form.
#
#	kernel-lackey.sh PROBE WORK-DIR
set -eu

probe=$1
work=$2

skip() {
	echo "skipped: $1"
	exit 77
}

command -v valgrind >/dev/null || skip "no valgrind"
mkdir -p "$work"
valgrind --tool=lackey --log-file="$work/log" "$probe" shapes \
	>"$work/shapes" 2>"$work/errors" ||
	skip "the probe does not run under valgrind (sanitized build?)"

# the arena's accesses by counted code, as the probe prints its trace
relative() {
	awk -v where="$1" '
		function number(hex,  i, n) {
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef",
					substr(hex, i, 1)) - 1
			return n + 0
		}
		# a >= b for hexadecimal numbers as lackey writes them
		function reaches(a, b) {
			if (length(a) != length(b))
				return length(a) > length(b)
			return (a "") >= (b "")
		}
		function padded(hex) {
			sub("^0x", "", hex)
			while (length(hex) < 8)
				hex = "0" hex
			return hex
		}
		BEGIN {
			split(where, w, " ")
			low = padded(w[1])
			high = padded(w[2])
			base = number(padded(w[3]))
			end = base + number(padded(w[4]))
		}
		$1 == "I" {
			sub(",.*", "", $2)
			counted = reaches($2, low) && !reaches($2, high)
		}
		!counted || $1 !~ /^[LSM]$/ { next }
		{
			split($2, part, ",")
			at = number(part[1])
			if (at < base || at >= end)
				next
			if ($1 != "S")
				printf "L %x %d\n", at - base, part[2]
			if ($1 != "L")
				printf "S %x %d\n", at - base, part[2]
		}' "$2"
}

failed=0
shapes=0
while read -r shape; do
	# word splitting is meant: a shape is a list of words
	# shellcheck disable=SC2086
	valgrind --tool=lackey --trace-mem=yes --log-file="$work/log" \
		"$probe" run $shape >"$work/where"
	where=$(awk '/^code/ { c = $2 " " $3 } /^arena/ { a = $2 " " $3 }
		END { print c " " a }' "$work/where")
	relative "$where" "$work/log" >"$work/native"
	# shellcheck disable=SC2086
	"$probe" trace $shape >"$work/traced"
	if ! cmp "$work/native" "$work/traced"; then
		echo "$shape: the traced stream is not the native one"
		failed=$((failed + 1))
	fi
	got=$(awk '{ n[$1]++ } END { print n["L"] + 0, n["S"] + 0 }' \
		"$work/native")
	# shellcheck disable=SC2086
	want=$("$probe" expect x86-64 $shape | awk '
		/^loads/ { l = $2 } /^stores/ { s = $2 } END { print l, s }')
	if [ "$got" != "$want" ]; then
		echo "$shape: $got loads and stores, expected $want"
		failed=$((failed + 1))
	fi
	shapes=$((shapes + 1))
done <"$work/shapes"
echo "$shapes shapes, $failed wrong (every access; loads and stores)"
[ "$shapes" -gt 0 ] && [ "$failed" -eq 0 ]
