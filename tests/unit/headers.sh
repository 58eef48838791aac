#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone: the public ones as strict C11, those of the
# rooms as the project's own C. Left out are those in arch/, which are for the
# assembler, and pieces that are compiled once per ISA, engine or kernel over
# what the including file defines.
#
#	headers.sh SOURCE COMPILER...
set -eu
source=$1
shift
cd "$source"
list=$(find include src -name '*.h' ! -path '*/arch/*' \
	! -path 'src/sim/ways.h' ! -path 'src/sim/engine-*.h' \
	! -path 'src/*-loops.h' ! -path 'src/kernels/list-kernel.h' \
	! -path 'src/sim/lean-lower.h' ! -path 'src/sim/lean-train.h' | sort)
n=0
echo "1..$(echo "$list" | wc -l)"

compile() {
	header=$1
	shift
	# The second time, its guard must hold.
	printf '#include "%s"\n#include "%s"\nextern int unused;\n' \
		"${header#*/}" "${header#*/}" |
		"$@" -Wall -Wextra -Werror -fsyntax-only -x c -Iinclude -
}

for header in $list; do
	n=$((n + 1))
	case $header in
	include/*) flags='-std=c11 -pedantic' ;;
	*) flags='-std=gnu11 -Isrc' ;;
	esac
	# shellcheck disable=SC2086
	if said=$(compile "$header" "$@" $flags 2>&1); then
		echo "ok $n - $header"
	else
		echo "not ok $n - $header"
		echo "$said" | sed 's/^/# /'
	fi
done
