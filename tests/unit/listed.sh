#!/bin/sh
# SPDX-License-Identifier: MIT
# Sources and tests are listed by hand; a file that no list names would be
# neither built nor run.
#
#	listed.sh SOURCE ROOM/FILE...
set -eu
cd "$1"
shift
sources=$(printf '%s\n' "$@" | sed 's/arch-[^/]*$/arch/' | tr '\n' ' ')
status=0

# file, list, how the list must name it
named() {
	[ -e "$1" ] || return 0
	if ! grep -qF -- "$3" "$2"; then
		echo "$1 is not named in $2"
		status=1
	fi
}

# What is for another ISA goes by the file for this one.
for file in src/*/*.c src/*/*/*.c src/*/arch/*/*.S; do
	[ -e "$file" ] || continue
	room=${file#src/}
	key=$(echo "$room" | sed 's#/arch/[^/]*/#/#; s/arch-[^/]*$/arch/')
	case " $sources " in
	*" $key "*) ;;
	*)
		echo "$file is not named in src/${room%%/*}/meson.build"
		status=1
		;;
	esac
done
for file in tests/unit/test-*.c; do
	name=${file##*/test-}
	named "$file" tests/unit/meson.build "'${name%.c}':"
done
for file in tests/unit/*.sh; do
	named "$file" tests/unit/meson.build "files('$(basename "$file")')"
done
for file in tests/cli/*.sh; do
	name=${file##*/}
	case $name in run-case*) continue ;; esac
	named "$file" tests/cli/meson.build "'${name%.sh}',"
done
for file in tests/fuzz/fuzz-*.c; do
	name=${file##*/fuzz-}
	case $name in main.c | planted.c) continue ;; esac
	named "$file" tests/fuzz/meson.build "'${name%.c}':"
done
exit $status
