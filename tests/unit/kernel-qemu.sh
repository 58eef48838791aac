#!/bin/sh
# SPDX-License-Identifier: MIT
# The AArch64 loops, executed by QEMU one instruction per block: instructions,
# branches and taken branches of every small shape equal the closed form.
#
#	kernel-qemu.sh CROSS-CC SOURCE-DIR WORK-DIR
set -eu

cc=$1
source=$2
work=$3

skip() {
	echo "skipped: $1"
	exit 77
}

command -v "$cc" >/dev/null || skip "$cc is not installed"
command -v qemu-aarch64 >/dev/null || skip "qemu-aarch64 is not installed"
objdump=${cc%gcc}objdump
command -v "$objdump" >/dev/null || skip "$objdump is not installed"

mkdir -p "$work"
probe=$work/probe-aarch64
(
	cd "$source"
	"$cc" -std=gnu11 -O2 -static -Iinclude -Isrc -Itests/unit -o "$probe" \
		tests/unit/kernel-probe.c tests/unit/kernel-shape.c \
		src/kernels/*.c src/kernels/arch/aarch64/*.S src/base/text.c \
		src/base/error.c src/base/shape.c src/base/quantity.c
)

# the addresses of all branches among the counted code
"$objdump" -d -j assay_kernels "$probe" | awk '
	$3 ~ /^(b|b\..*|bl|blr|br|cbn?z|tbn?z|ret)$/ {
		sub(":", "", $1)
		print $1
	}' >"$work/branches"
[ -s "$work/branches" ]

step=-one-insn-per-tb
qemu-aarch64 -help | grep -q -- "$step" || step=-singlestep

# instructions, branches, taken of one run
count() {
	awk -v low="$2" -v high="$3" '
		function number(hex,  i, n) {
			hex = tolower(hex)
			sub("^0x", "", hex)
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef",
					substr(hex, i, 1)) - 1
			return n + 0
		}
		BEGIN { low = number(low); high = number(high) }
		FNR == NR { branch[number($1)] = 1; next }
		!/^Trace/ { next }
		{
			split($0, part, "/")
			at = number(part[2])
			if (last && branch[last] && at != last + 4)
				taken++
			# the log holds counted code only: a return is where
			# it ends, or where the next function begins
			last = at
			instructions++
			branches += branch[at]
		}
		END {
			if (branch[last])
				taken++
			print instructions + 0, branches + 0, taken + 0
		}' "$work/branches" "$1"
}

failed=0
shapes=0
qemu-aarch64 "$probe" shapes >"$work/shapes"
while read -r shape; do
	# word splitting is meant: a shape is a list of words
	# shellcheck disable=SC2086
	set -- $(qemu-aarch64 "$probe" run $shape | sed -n 's/^code //p')
	low=$1
	high=$2
	size=$(printf '0x%x' $((high - low)))
	# shellcheck disable=SC2086
	qemu-aarch64 $step -d exec,nochain -dfilter "$low+$size" \
		-D "$work/log" "$probe" run $shape >/dev/null
	got=$(count "$work/log" "$low" "$high")
	# shellcheck disable=SC2086
	want=$(qemu-aarch64 "$probe" expect-aarch64 $shape |
		cut -d' ' -f1-3)
	shapes=$((shapes + 1))
	if [ "$got" != "$want" ]; then
		echo "$shape: counted $got, expected $want"
		failed=$((failed + 1))
	fi
done <"$work/shapes"
echo "$shapes shapes, $failed wrong (instructions, branches, taken)"
[ "$shapes" -gt 0 ] && [ "$failed" -eq 0 ]
