#!/bin/sh
# SPDX-License-Identifier: MIT
# `make run` builds the target "command": is all in it that the command needs?
#	command-target.sh BUILD MAKEFILE
echo 1..2
inputs=$(ninja -C "$1" -t query command)
for part in assay bare-sources.stamp assay-qemu.so; do
	echo "$inputs" | grep -q "[ /]$part\$" || missing="$missing $part"
done
echo "${missing:+not }ok 1 - command, image and plugin${missing:+: no$missing}"
if sed -n '/^run:/,/^$/p' "$2" | grep -q 'ninja .* command '; then
	echo 'ok 2 - make run builds it'
else
	echo 'not ok 2 - make run builds it'
fi
