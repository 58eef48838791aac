#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/run-tests on a project of tests: one good, one that fails the first time
# it is run in each folder, one that always fails, one that hangs, one that skips,
# one of the suite "long"; and one that ends, but leaves a process behind.
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
test('skips', find_program('skips'))
test('once', find_program('bad'), suite: 'long')
add_test_setup('short', exclude_suites: 'long', is_default: true)
if get_option('tests').enabled() and get_option('broken')
  test('bad', find_program('bad'))
  test('hung', find_program('hung'), timeout: 0)
endif
if get_option('left')
  test('left', find_program('left'), timeout: 0)
endif
END
cat >meson_options.txt <<'END'
option('tests', type: 'feature')
option('broken', type: 'boolean', value: false)
option('left', type: 'boolean', value: false)
END
printf '#!/bin/sh\n' >good
printf '#!/bin/sh\n[ -e tried ] || { touch tried; exit 1; }\n' >flaky
printf '#!/bin/sh\necho broken; exit 1\n' >bad
printf '#!/bin/sh\necho no room; exit 77\n' >skips
printf '#!/bin/sh\necho $$ >"$0.pid"; while :; do sleep 1; done\n' >hung
printf '#!/bin/sh\nsleep 1000 & exit 0\n' >left
chmod +x good flaky bad hung left skips

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

echo 1..6
python3 "$runner" --werror=false plain sane >out 2>&1
status=$?
check 'what fails once is tried again and named' 0 \
	'passed at the second try only: tries / flaky (plain)' \
	'passed at the second try only: tries / flaky (sane)' \
	'4 passed, 0 failed, 2 skipped'
cat plain/skipped >>out
check 'what is skipped is named with its reason' 0 \
	'skipped 2: no room' 'each skipped test and why: cat plain/skipped' \
	'tries / skips (plain): no room' 'tries / skips (sane): no room'
python3 "$runner" --suite=long plain >out 2>&1
status=$?
check 'a suite runs by itself, and once' 1 'FAILED: tries:long / once (plain)' \
	'0 passed, 1 failed'
sed -i "/'left'/s/false/true/" meson_options.txt
rm -rf plain sane
python3 "$runner" --werror=false --slept=4 plain sane >out 2>&1
status=$?
grep -q 'S .*: sleep 1000' out && echo '(named)' >>out
check 'who is left behind is found' 0 \
	'---- has slept for 4 s, and is killed:' '(named)' \
	'6 passed, 0 failed, 2 skipped'
sed -i "/'left'/s/true/false/; /'broken'/s/false/true/" meson_options.txt
rm -rf plain sane
python3 "$runner" --werror=false --slept=4 plain sane >out 2>&1
status=$?
check 'what fails twice has failed, and so has what hangs' 1 \
	'FAILED: tries / bad (plain)' 'FAILED: tries / bad (sane)' \
	'FAILED: tries / hung (plain)' 'FAILED: tries / hung (sane)' \
	'passed at the second try only: tries / flaky (plain)' \
	'---- has slept for 4 s, and is killed:' \
	'4 passed, 4 failed, 2 skipped'
rm -rf plain sane hung.pid
python3 "$runner" --werror=false plain sane >out 2>&1 &
until [ -s hung.pid ]; do
	sleep 0.1
done
kill $!
wait $!
status=$?
grep -q "S .*: /bin/sh $scratch/hung" out && echo '(named)' >>out
check 'who is told to end says what was at work' 143 \
	'---- told to end; at work:' '(named)'
kill "$(cat hung.pid)" 2>/dev/null
exit 0
