#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/check-rooms must refuse: each case is a small tree with one mistake,
# and one without.
set -eu
check=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
case_number=0

# A correct tree: two rooms, a file row, one third-party header.
plant() {
	rm -rf "$tree"/*
	mkdir -p "$tree/tools" "$tree/include/assay" "$tree/src/base" \
		"$tree/src/sim" "$tree/src/kernels" "$tree/plugin"
	printf '%s\n' 'base:' 'sim: base' 'kernels: base' \
		'kernels/trace.c: sim' 'plugin: sim' 'plugin/feed.c: base' \
		>"$tree/tools/rooms.txt"
	echo '#include "assay/error.h"' >"$tree/include/assay.h"
	echo '#include <stdint.h>' >"$tree/include/assay/error.h"
	echo '#include "assay/error.h"' >"$tree/src/base/text.h"
	printf '%s\n' '#include <jansson.h>' '#include "base/text.h"' \
		'#include "sim/sim.h"' >"$tree/src/sim/sim.c"
	echo '#include <sys/mman.h>' >"$tree/src/sim/sim.h"
	echo '#include "sim/sim.h"' >"$tree/src/kernels/trace.c"
	echo '#include "base/text.h"' >"$tree/src/kernels/chase.c"
	printf '%s\n' '#include "feed.h"' '#include "base/text.h"' \
		>"$tree/plugin/feed.c"
	echo '#include "sim/sim.h"' >"$tree/plugin/feed.h"
}

# want ok|refused TEXT: the text must be in what is said.
want() {
	case_number=$((case_number + 1))
	if said=$("$check" "$tree"); then got=ok; else got=refused; fi
	case "$got:$said" in
	"$1:"*"$2"*) echo "ok $case_number - $3" ;;
	*)
		echo "not ok $case_number - $3"
		echo "# wanted $1 '$2', got $got '$said'"
		;;
	esac
}

echo 1..18
plant
want ok '' 'a tree without mistakes'
plant
echo '#include "sim/sim.h"' >>"$tree/src/base/text.h"
want refused 'src/base/text.h:2: base may not include sim' \
	'a forbidden include'
plant
echo '	#  include "sim/sim.h"' >>"$tree/src/kernels/chase.c"
want refused 'src/kernels/chase.c:2: kernels may not include sim' \
	'a right of one file is not a right of its room'
plant
echo 'base: kernels' | cat - "$tree/tools/rooms.txt" | sed '2d' >"$tree/new"
mv "$tree/new" "$tree/tools/rooms.txt"
want refused 'rooms make a cycle: base -> kernels -> base' 'a cycle'
plant
sed -i 's/^sim: base/sim: base kernels/' "$tree/tools/rooms.txt"
want refused 'rooms make a cycle: kernels -> sim -> kernels' \
	'a cycle through the row of one file'
plant
echo '#include <jansson.h>' >>"$tree/src/kernels/chase.c"
want refused '<jansson> is included in more than one room' \
	'a third-party header in two rooms'
plant
echo '#include <linux/perf_event.h>' >>"$tree/src/sim/sim.c"
echo '#include <linux/perf_event.h>' >>"$tree/src/base/text.h"
want refused '<linux/perf_event.h> is included in more than one room' \
	'a kernel header in two rooms'
plant
echo '#include "text.h"' >>"$tree/src/base/text.h"
want refused 'is not written "room/x.h"' 'an include without its room'
plant
echo '#include "base/text.h"' >>"$tree/include/assay.h"
want refused 'include/assay.h:2: a public header includes "base/text.h"' \
	'a public header that includes a room'
plant
mkdir "$tree/src/attic"
want refused 'no row for src/attic' 'a room without a row'
plant
echo 'sim: base' >>"$tree/tools/rooms.txt"
want refused 'rooms.txt:7: not one new "room: rooms"' 'two rows for one room'
plant
echo '#include "kernels/chase.h"' >>"$tree/plugin/feed.c"
want refused 'plugin/feed.c:3: plugin may not include kernels' \
	'a forbidden include beside src'
plant
echo '#include "base/text.h"' >>"$tree/plugin/feed.h"
want refused 'plugin/feed.h:2: plugin may not include base' \
	'a right of one file beside src is not a right of its room'
plant
echo '#include "plugin/feed.h"' >>"$tree/src/sim/sim.c"
want refused 'src/sim/sim.c:4: sim may not include plugin' \
	'a room of src that includes one beside it'
plant
echo '#include <jansson.h>' >>"$tree/plugin/feed.h"
want refused 'more than one room: plugin/feed.h:2, src/sim/sim.c:1' \
	'a third-party header in a room of src and one beside it'
plant
mkdir "$tree/bare"
want refused 'no row for bare' 'a room beside src without a row'
plant
for n in $(seq 41); do : >"$tree/src/kernels/k$n.h"; : >"$tree/src/base/b$n.h"; done
want refused 'src/base: 42 files, more than 40' 'a crowded folder'
plant
yes '/* */' | head -6001 >"$tree/src/base/long.c"
want refused 'src/base: 6002 lines, more than 6000' 'a folder of many lines'
