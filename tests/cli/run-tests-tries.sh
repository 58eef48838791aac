#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/run-tests on a project of tests: one good, one that fails the first time
# it is run in each folder, one that always fails, one that hangs; and one that
# ends, but leaves somebody behind who does not.
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
printf '#!/bin/sh\necho $$ >"$0.pid"; while :; do sleep 1; done\n' >hung
printf '#!/bin/sh\nsleep 1000 & exit 0\n' >left
chmod +x good flaky bad hung left

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

echo 1..4
python3 "$runner" --werror=false plain sane >out 2>&1
status=$?
check 'what fails once is tried again and named' 0 \
	'passed at the second try only: flaky (plain)' \
	'passed at the second try only: flaky (sane)' \
	'4 passed, 0 failed'
sed -i "/'left'/s/false/true/" meson_options.txt
rm -rf plain sane
python3 "$runner" --werror=false --slept=8 plain sane >out 2>&1
status=$?
grep -q 'S .*: sleep 1000' out && echo '(named)' >>out
check 'who is left behind is found' 0 \
	'---- has slept for 8 s, and is killed:' '(named)' '6 passed, 0 failed'
sed -i "/'left'/s/true/false/; /'broken'/s/false/true/" meson_options.txt
rm -rf plain sane
python3 "$runner" --werror=false --slept=8 plain sane >out 2>&1
status=$?
check 'what fails twice has failed, and so has what hangs' 1 \
	'FAILED: bad (plain)' 'FAILED: bad (sane)' \
	'FAILED: hung (plain)' 'FAILED: hung (sane)' \
	'passed at the second try only: flaky (plain)' \
	'---- has slept for 8 s, and is killed:' \
	'4 passed, 4 failed'
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
