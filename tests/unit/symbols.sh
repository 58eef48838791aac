#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports assay_* only, all of it, which is what the public
# headers declare, and needs no executable stack.
#
#	symbols.sh LIBRARY.so LIBRARY.a INCLUDE COMPILER...
set -eu
. "$(dirname "$0")/../tap.sh"
shared=$1 static=$2 include=$3
shift 3
list=$(mktemp)
trap 'rm -f "$list" "$list.declared"' EXIT

# The names that a sanitizer adds are not ours.
exported() { nm -D --defined-only "$shared" | awk '{ print $NF }' |
	grep -v -E '^(__asan_|__ubsan_|__odr_asan|_init$|_fini$)' | sort -u; }
defined() { nm -g --defined-only "$static" 2>/dev/null |
	awk 'NF == 3 && $3 ~ /^assay_/ { print $3 }' | sort -u; }

declared() { (cd "$include" && find . -name '*.h' -exec printf \
		'#include "%s"\n' '{}' +) |
	"$@" -E -P -x c -I"$include" - | tr '\n' ' ' | tr ';}' '\n\n' |
	sed -n 's/.*visibility("default").*[ *]\(assay_[a-z_0-9]*\) *(.*/\1/p' |
	sort -u; }

echo 1..5
empty 1 'only assay_* is exported' "$(exported | grep -v '^assay_' || true)"
exported >"$list"
empty 2 'every assay_* function is exported' \
	"$(defined | comm -23 - "$list")"
empty 3 'no executable stack' \
	"$(readelf -lW "$shared" | grep GNU_STACK | grep 'RWE' || true)"
some=$(grep -c . "$list" || true)
empty 4 'something is exported' "$([ "$some" -gt 0 ] || echo nothing)"
declared "$@" >"$list.declared"
differ=$(exported | comm -3 - "$list.declared")
empty 5 'what is exported is declared, and the reverse' "$differ"
