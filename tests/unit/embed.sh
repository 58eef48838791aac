#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/embed: any bytes survive, the table is sorted, and the dependency file
# names all that was read.
#
#	embed.sh EMBED SOURCE COMPILER...
set -eu
embed=$1 source=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

report() {
	if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2"; fi
}

mkdir -p data/cpus "data/for mulas"
# all 256 bytes, then what C could misread
awk 'BEGIN { for (i = 0; i < 256; i++) printf "\\%03o", i }' >octal
# shellcheck disable=SC2059
printf "$(cat octal)" >data/cpus/b.yaml
# shellcheck disable=SC1003
printf '??=??/"\\" 1\0%s\r\n%%d\\' 23 >>data/cpus/b.yaml
: >data/cpus/a.yaml
echo x >"data/for mulas/c.yaml"
echo no >data/cpus/notes.txt
echo no >data/cpus/.yaml

"$embed" out.c out.d data cpus:.yaml 'for mulas:.yaml' absent:.jsonl
cat >main.c <<-END
	#include <stdio.h>
	#include "base/data.h"
	int main(void)
	{
		for (const struct data_file *f = data_files; f->path; f++) {
			FILE *out = fopen(f->path, "wb");
			if (!out || f->text[f->bytes])
				return 1;
			fwrite(f->text, 1, f->bytes, out);
			fclose(out);
			puts(f->path);
		}
		return 0;
	}
END
"$@" -std=gnu11 -Wall -Wextra -Werror -I"$source/src" -o main main.c out.c
mkdir -p copy/cpus "copy/for mulas"
(cd copy && ../main >../names)

echo 1..5
printf '%s\n' cpus/a.yaml cpus/b.yaml 'for mulas/c.yaml' >wanted
report "$(cmp -s names wanted; echo $?)" '1 - the files, in order'
report "$(cmp -s data/cpus/b.yaml copy/cpus/b.yaml; echo $?)" \
	'2 - every byte survives'
report "$([ ! -s copy/cpus/a.yaml ]; echo $?)" '3 - an empty file is empty'
echo 'out.c: data data/cpus data/for\ mulas data/cpus/a.yaml' \
	'data/cpus/b.yaml data/for\ mulas/c.yaml' >wanted.d
report "$(cmp -s out.d wanted.d; echo $?)" '4 - all is named as read'
if "$embed" /nowhere/out.c out.d data cpus:.yaml 2>said; then
	report 1 '5 - a mistake is told'
else
	report "$(grep -q "cannot create '/nowhere/out.c'" said; echo $?)" \
		'5 - a mistake is told'
fi
