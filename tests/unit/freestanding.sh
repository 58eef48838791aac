#!/bin/sh
# SPDX-License-Identifier: MIT
# The rooms that also run on bare metal, compiled for AArch64 with no C library
# at all: no header of one, and no symbol that they do not define themselves.
#
#	freestanding.sh SOURCE FILE...
#
# The assembly of this machine's ISA in the list stands for AArch64's.
set -eu
source=$1
shift
cc=aarch64-linux-gnu-gcc
if ! command -v $cc >/dev/null; then
	echo "$cc is not installed"
	exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
headers=$($cc -print-file-name=include)
failed=0
n=0

for file in "$@"; do
	case $file in
	*/arch/*/*.S)
		file=${file%/arch/*}/arch/aarch64/${file##*/}
		;;
	esac
	n=$((n + 1))
	$cc -std=gnu11 -O2 -g0 -Wall -Wextra -ffreestanding -nostdinc \
		-isystem "$headers" -I"$source/include" -I"$source/src" \
		-fno-stack-protector -fno-pie -c "$file" -o "$out/$n.o" ||
		failed=1
done
[ $failed = 0 ] || exit 1

aarch64-linux-gnu-ld -r -o "$out/all.o" "$out"/[0-9]*.o
missing=$(aarch64-linux-gnu-nm -u "$out/all.o" | awk '{ print $NF }')
for symbol in $missing; do
	failed=1
	for object in "$out"/[0-9]*.o; do
		aarch64-linux-gnu-nm -u "$object" | grep -qw "$symbol" &&
			users="$(aarch64-linux-gnu-nm "$object" |
				awk '$2 == "T" { print $3 }' | tr '\n' ' ')" &&
			echo "undefined: $symbol, used beside: $users"
	done
done
echo "$n files"
exit $failed
