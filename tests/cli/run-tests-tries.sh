#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/run-tests on a project of three tests: one good, one that fails the
# first time it is run in each folder, one that always fails.
#	run-tests-tries.sh RUN-TESTS
set -u
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
runner=$(realpath "$1")
cd "$scratch" || exit 1
cat >meson.build <<'END'
project('tries', 'c')
test('good', find_program('good'))
test('flaky', find_program('flaky'), workdir: meson.current_build_dir())
if get_option('tests').enabled() and get_option('broken')
  test('bad', find_program('bad'))
endif
END
cat >meson_options.txt <<'END'
option('tests', type: 'feature')
option('broken', type: 'boolean', value: false)
END
printf '#!/bin/sh\n' >good
printf '#!/bin/sh\n[ -e tried ] || { touch tried; exit 1; }\n' >flaky
printf '#!/bin/sh\necho broken; exit 1\n' >bad
chmod +x good flaky bad

n=0
check() { # WHAT STATUS WANTED-LINE...
	n=$((n + 1))
	what=$1 wanted=$2
	shift 2
	[ "$status" = "$wanted" ] || what="$what: status $status"
	for line; do
		grep -qxF -- "$line" out || what="$what: no '$line'" wanted=-1
	done
	if [ "$status" = "$wanted" ]; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what"
		sed 's/^/# /' out
	fi
}

echo 1..2
python3 "$runner" --werror=false plain sane >out 2>&1
status=$?
check 'what fails once is tried again and named' 0 \
	'passed at the second try only: flaky (plain)' \
	'passed at the second try only: flaky (sane)' \
	'4 passed, 0 failed'
sed -i 's/value: false/value: true/' meson_options.txt
rm -rf plain sane
python3 "$runner" --werror=false plain sane >out 2>&1
status=$?
check 'what fails twice has failed' 1 \
	'FAILED: bad (plain)' 'FAILED: bad (sane)' \
	'passed at the second try only: flaky (plain)' \
	'4 passed, 2 failed'
