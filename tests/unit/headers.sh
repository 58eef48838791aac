#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone: the public ones as strict C11, and as C++ where
# there is a compiler; those of the rooms as the project's own C. Left out are
# those in arch/, which are for the assembler, and pieces that are compiled once
# per ISA, engine or kernel over what the including file defines.
#
#	headers.sh SOURCE COMPILER...
set -eu
. "$(dirname "$0")/../tap.sh"
source=$1
shift
cd "$source"
list=$(find include src -name '*.h' ! -path '*/arch/*' \
	! \( -path 'src/sim/engine/*' ! -name engine.h \) \
	! -path 'src/*-loops.h' ! -path 'src/kernels/list-kernel.h' | sort)
public=$(echo "$list" | grep '^include/')
n=0
echo "1..$(printf '%s\n' "$list" "$public" | wc -l)"

compile() {
	header=$1 language=$2
	shift 2
	# The second time, its guard must hold.
	printf '#include "%s"\n#include "%s"\nextern int unused;\n' \
		"${header#*/}" "${header#*/}" |
		"$@" -Wall -Wextra -Werror -fsyntax-only -x "$language" \
			-Iinclude -
}

for header in $list; do
	n=$((n + 1))
	case $header in
	include/*) flags='-std=c11 -pedantic' ;;
	*) flags='-std=gnu11 -Isrc' ;;
	esac
	# shellcheck disable=SC2086
	empty $n "$header" "$(compile "$header" c "$@" $flags 2>&1)"
done

for header in $public; do
	n=$((n + 1))
	if command -v c++ >/dev/null; then
		empty $n "$header, C++" \
			"$(compile "$header" c++ c++ -std=c++11 -pedantic 2>&1)"
	else
		echo "ok $n - $header, C++ # SKIP c++ is not installed"
	fi
done
