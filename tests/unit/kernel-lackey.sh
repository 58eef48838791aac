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

command -v valgrind >/dev/null || skip "valgrind is not installed"
mkdir -p "$work"
valgrind --tool=lackey --log-file="$work/log" "$probe" shapes \
	>"$work/shapes" 2>"$work/errors" ||
	skip "the probe does not run under valgrind (sanitized build?)"

# where.txt first, then lackey's trace: the arena's accesses by counted code,
# as the probe prints its trace
cat >"$work/native.awk" <<'EOF'
function padded(hex) {
	sub("^0x", "", hex)
	while (length(hex) < 8)
		hex = "0" hex
	return hex
}
function number(hex,  i, n) {
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n + 0
}
# a >= b for hexadecimal numbers as lackey writes them
function reaches(a, b) {
	if (length(a) != length(b))
		return length(a) > length(b)
	return (a "") >= (b "")
}
FNR == NR {
	if ($1 == "code") {
		low = padded($2)
		high = padded($3)
	} else if ($1 == "mark") {
		mark = padded($2)
	} else if ($1 == "arena") {
		base[++arenas] = number(padded($2))
		end[arenas] = base[arenas] + number(padded($3))
	}
	next
}
$1 == "I" {
	sub(",.*", "", $2)
	counted = reaches($2, low) && !reaches($2, high)
	next
}
$1 != "L" && $1 != "S" && $1 != "M" { next }
$1 == "S" && index($2, mark ",") == 1 { shape++ }
counted {
	split($2, part, ",")
	at = number(part[1])
	if (at < base[shape] || at >= end[shape])
		next
	if ($1 != "S")
		printf "%d L %x %d\n", shape, at - base[shape], part[2]
	if ($1 != "L")
		printf "%d S %x %d\n", shape, at - base[shape], part[2]
}
EOF

valgrind --tool=lackey --trace-mem=yes --log-file="$work/log" "$probe" run \
	>"$work/where"
awk -f "$work/native.awk" "$work/where" "$work/log" >"$work/native"
rm "$work/log"
"$probe" trace >"$work/traced"
"$probe" expect-x86-64 >"$work/expected"

status=0
if ! cmp "$work/native" "$work/traced"; then
	echo "the traced stream is not the native one, first at:"
	diff "$work/native" "$work/traced" | head -n 5
	status=1
fi

# loads and stores of each shape, where the closed form gives them
awk '
	FILENAME ~ /shapes$/ { shape[FNR] = $0; shapes = FNR; next }
	FILENAME ~ /expected$/ { loads[FNR] = $4; stores[FNR] = $5; next }
	$2 == "L" { l[$1]++ }
	$2 == "S" { s[$1]++ }
	END {
		for (i = 1; i <= shapes; i++) {
			if (loads[i] == "inexact")
				continue
			checked++
			if (l[i] + 0 == loads[i] && s[i] + 0 == stores[i])
				continue
			wrong++
			printf "%s: %d loads and %d stores, expected %s, %s\n",
				shape[i], l[i], s[i], loads[i], stores[i]
		}
		printf "%d shapes, %d wrong (loads and stores)\n", checked,
			wrong
		exit wrong > 0 || checked == 0
	}' "$work/shapes" "$work/expected" "$work/native" || status=1
exit $status
