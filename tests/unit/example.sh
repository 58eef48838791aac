#!/bin/sh
# SPDX-License-Identifier: MIT
# The program in libassay(3), compiled against the public headers and the shared
# library alone, prints what the page says.
#
#	example.sh PROGRAM PAGE.scd
set -eu
said=$("$1")
wanted=$(awk '/^prints$/ { on = 1 } /^```/ { on += on > 0 } on == 2' "$2" |
	tail -n +2)
echo 1..1
if [ -n "$said" ] && [ "$said" = "$wanted" ]; then
	echo 'ok 1 - the example of the manual'
else
	echo 'not ok 1 - the example of the manual'
	printf 'the page:\n%s\nprinted:\n%s\n' "$wanted" "$said" | sed 's/^/# /'
fi
