#!/bin/sh
# SPDX-License-Identifier: MIT
# What an optimized build installs is hardened.
#
#	hardened.sh yes|no FILE...
#
# yes: libc has checked copies. Each FILE, a program or a shared object, must
# resolve everything at its start and keep the results read-only, have no
# executable stack, and use canaries and checked copies.
set -eu
checked=$1
shift
n=0
# what, pattern that must match, input
has() {
	n=$((n + 1))
	if printf '%s\n' "$3" | grep -Eq "$2"; then
		echo "ok $n - ${file##*/}: $1"
	else
		echo "not ok $n - ${file##*/}: $1"
	fi
}

command -v readelf >/dev/null || {
	echo '1..0 # SKIP readelf is not installed'
	exit
}
echo "1..$(($# * 4))"
for file in "$@"; do
	segments=$(readelf -lW "$file")
	symbols=$(readelf -sW --dyn-syms "$file")
	has 'read-only relocations' GNU_RELRO "$segments"
	has 'bound at its start' '\(FLAGS(_1)?\).*NOW' "$(readelf -dW "$file")"
	has 'no executable stack' 'GNU_STACK.* RW ' "$segments"
	if [ "$checked" = yes ]; then
		has 'canaries, checked copies' '__[a-z]+_chk@' "$(
			printf '%s\n' "$symbols" | grep -q __stack_chk_fail &&
			printf '%s\n' "$symbols" | grep -v __stack_chk_fail)"
	else
		has canaries __stack_chk_fail "$symbols"
	fi
done
