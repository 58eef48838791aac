#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""assay's perf provider on an arm64 kernel, in QEMU.

    guest.py CASE ASSAY SOURCE KERNEL-DIR

Cases: exact variants. By hand, from a build folder:
tests/guest/guest.py exact assay .. tests/guest/kernel
Exits with 77 and a reason where a tool or the kernel cannot be got.
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

QEMU = ['qemu-system-aarch64', '-m', '512', '-cpu', 'cortex-a72', '-net',
        'none', '-display', 'none', '-serial', 'stdio', '-monitor', 'none',
        '-no-reboot']
ICOUNT = ['-icount', 'shift=0']
COMMAND_LINE = 'console=ttyAMA0 quiet loglevel=0 panic=-1'
failed = 0


def check(right, what):
    global failed
    if not right:
        failed += 1
        print('wrong:', str(what)[:2000])


def skip(why):
    print('skipped:', why)
    sys.exit(77)


# ---- what is booted ---------------------------------------------------------

def sources():
    picked = ['tests/guest/init.c', 'tests/guest/follow.c',
              'tests/guest/cycles.c', 'src/measure/time.c',
              'src/measure/time-arch-aarch64.c',
              'src/events/packing.c', 'src/events/hybrid.c',
              'src/base/cpulist.c', 'tests/unit/kernel-shape.c',
              'bare/line.c', 'src/measure/measure.c',
              'src/events/pmu.c', 'src/cpus/cores.c']
    picked += ['src/base/' + f for f in
               ['error.c', 'quantity.c', 'shape.c', 'sysfile.c', 'text.c']]
    picked += ['src/counters/' + f for f in
               ['arch-aarch64.c', 'perf.c', 'perf-attr.c', 'perf-follow.c',
                'perf-group.c', 'perf-limits.c', 'perf-user.c',
                'perf-why.c']]
    for folder, end in [('src/kernels', '.c'),
                        ('src/kernels/arch/aarch64', '.S')]:
        names = sorted(os.listdir(os.path.join(SOURCE, folder)))
        picked += [f'{folder}/{n}' for n in names if n.endswith(end)]
    return [os.path.join(SOURCE, p) for p in picked]


def compile_init():
    include = [f'-I{SOURCE}/{f}' for f in
               ['include', 'src', 'tests/unit', 'tests/guest', 'bare']]
    subprocess.run(['aarch64-linux-gnu-gcc', '-std=gnu11', '-O2', '-static',
                    '-DBOARD_NAME="guest"', *include, '-o', 'init',
                    *sources()], check=True)


def entry(name, mode, data=b''):
    """A member of a cpio archive in the "newc" format."""
    head = '070701' + ''.join(f'{n:08x}' for n in [
        entry.inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1,
        0])
    entry.inode += 1
    text = head.encode() + name.encode() + b'\0'
    text += b'\0' * (-len(text) % 4)
    return text + data + b'\0' * (-len(data) % 4)


entry.inode = 1


def make_initrd():
    with open('init', 'rb') as program, open('initrd', 'wb') as out:
        for folder in ['proc', 'sys', 'dev']:
            out.write(entry(folder, 0o40755))
        # init's messages go where the kernel's go
        out.write(entry('init', 0o100755, program.read()))
        out.write(entry('TRAILER!!!', 0))


def boot(suites, machine='virt', more=()):
    """All objects that init sent."""
    append = ' '.join([COMMAND_LINE] + [f'assay.suite={s}' for s in suites])
    done = subprocess.run([*QEMU, '-M', machine, *more, '-kernel',
                           os.path.join(KERNEL, 'vmlinuz'), '-initrd',
                           'initrd', '-append', append],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    text = done.stdout.decode('utf-8', 'replace').replace('\r', '')
    with open('serial.log', 'w', encoding='utf-8') as log:
        log.write(text)
    told = []
    for line in text.splitlines():
        if line.startswith('@'):
            told.append(json.loads(line[1:]))
    check(told and told[-1]['t'] == 'end', f'{suites}: no end:\n'
          + text[-1500:])
    check(not [t for t in told if t['t'] in ('broken', 'note')],
          [t for t in told if t['t'] in ('broken', 'note')])
    return told


def runs(told, group=None):
    return [t for t in told if t['t'] == 'run' and
            (group is None or t['group'] == group)]


# ---- cases ------------------------------------------------------------------

def constants(told, group, event):
    """Per kernel: what is counted beyond the closed form, how often."""
    found = {}
    for run in runs(told, group):
        if run['event'] != event or run['want'] < 0:
            continue
        check(len(run['counts']) == 21, run)
        if not all(isinstance(c, int) for c in run['counts']):
            check(False, run)
            continue
        kernel = run['shape'].split()[0]
        for count in run['counts']:
            found.setdefault(kernel, collections.Counter())[
                int(count - run['want'])] += 1
    return found


def one_constant(seen, user):
    """
    Shapes of all lengths, 21 repeats each, and nothing but a constant. User
    space reads again where the timer came between: rare, and always the same.
    """
    usual, times = seen.most_common(1)[0]
    again = {count - usual for count in seen if count != usual}
    if not again:
        return 0 <= usual <= 600
    return (user and len(again) == 1 and 20 <= min(again) <= 60 and
            sum(seen.values()) - times <= sum(seen.values()) / 40)


def cycles(told):
    """Single loads: by the cycle counter while user space may read it."""
    tried = {t['access']: t for t in told if t['t'] == 'cycles'}
    check(sorted(tried) == ['kernel', 'kernel again', 'user'], tried)
    for access, seen in tried.items():
        # a cycle a nanosecond, the timer at 62.5 MHz; refused when closed
        user = access == 'user'
        rate = 1 if user else 0.0625
        check(seen['taken'] == user and seen['home'] == 1 and
              abs(seen['per_ns'] / rate - 1) < 0.1, seen)
        check((seen['closed'] == 2 ** 32 - 1) == user and
              seen['open'] < 2 ** 31, seen)
    check(0 < tried['user']['open'] and tried['user']['granule'] == 1, tried)
    print('single loads:', *tried.values())


def exact():
    told = boot(['exact', 'cycles'], more=ICOUNT)
    cycles(told)
    groups = {'generic': ['instructions'], 'raw': ['r08'],
              'group': ['r08', 'instructions'], 'name': ['inst_retired']}
    around = {}     # of "empty": from counting on to counting off
    wrappers = set()    # what each kernel's run() adds to its loop
    for access in ['kernel', 'user']:
        for group, events in groups.items():
            for event in events:
                found = constants(told, f'{access} {group}', event)
                where = f'{access} {group} {event}'
                check(len(found) >= 10 and 'empty' in found,
                      f'{where}: {sorted(found)}')
                for kernel, seen in found.items():
                    check(one_constant(seen, access == 'user'),
                          f'{where}: {kernel}: {seen.most_common(9)}')
                once = {k: min(v) for k, v in found.items()}
                around[where] = once.get('empty', 0)
                wrappers.add(tuple(sorted((k, v - around[where])
                                          for k, v in once.items())))
    # the same for every way to ask; and user space did read by itself
    check(len(wrappers) == 1, wrappers)
    check(around['user raw r08'] != around['kernel raw r08'], around)
    print('between the switches:', around)
    print('around the loops:', *wrappers)


def large(told):
    """More members than counters open, and never run: no number."""
    for members in ['6', '8', '10']:
        counts = [c for r in runs(told, members) for c in r['counts']]
        numbers = [c for c in counts if isinstance(c, int)]
        check(counts and 0 not in numbers, f'{members}: {counts[:3]}')
        if members == '6':
            check(len(numbers) == len(counts), counts)
        else:
            check(len(numbers) < len(counts), counts)
            check(any('counter' in c for c in counts if isinstance(c, str)),
                  counts)


def paranoid(told):
    """As uid 1000. 3 is Debian's own: nothing at all."""
    for level, user, kernel in [('3', False, False), ('2', True, False),
                                ('1', True, True), ('0', True, True),
                                ('-1', True, True)]:
        for scope, may in [('user', user), ('all', kernel)]:
            for run in runs(told, f'{level} {scope}'):
                got = [isinstance(c, int) for c in run['counts']]
                check(got == [may] * 3, f'{level} {scope}: {run}')
                if not may:
                    check('perf_event_paranoid' in run['counts'][0], run)
    check(len([r for r in runs(told) if r['group'].endswith('all')]) == 5,
          'runs as another user')


def follow(told):
    """Other programs: what fits is counted, totals are exact, shares add up."""
    packed = {t['events']: t for t in told if t['t'] == 'packed'}
    check(packed[4]['sets'] == 1, packed)
    # six counters
    for events, sizes in [(10, [6, 4]), (20, [6, 6, 6, 2])]:
        found = [packed[events]['set'].count(s) for s in range(len(sizes))]
        check(found == sizes, packed[events])
    trees = [t for t in told if t['t'] == 'tree']
    check(len(trees) == 9, trees)
    for t in trees:
        check(t['value'] and t['running'] == t['enabled'], t)
    # the loop twice, and always the same around it
    # The same through counters that it inherits at its exec: its own start
    # and end are in it, and are nearly the same each time.
    inherited = [t for t in told if t['t'] == 'inherited']
    check(len(inherited) == 9, inherited)
    for t in inherited:
        check(t['running'] == t['enabled'] > 0, t)
    rest = [t['value'] - 2 * (2 * t['n'] + 1) for t in inherited]
    check(min(rest) > 0 and max(rest) < 100000 and
          max(rest) - min(rest) < 1000, rest)
    around = {t['value'] - 2 * (2 * t['n'] + 1) for t in trees}
    check(len(around) == 1 and 0 < min(around) < 20000, around)
    shared = [t for t in told if t['t'] == 'shared']
    check(len(shared) == 12, shared)
    for t in shared:
        check(0 < t['running'] < t['enabled'], t)
        true = 2 * t['n'] + 1
        check(t['value'] < true, t)
        estimate = t['value'] * t['enabled'] / t['running']
        check(0.8 * true < estimate < 1.2 * true, (estimate, t))


def kinds(told):
    """A program on both kinds of core: each half in its own PMU's count."""
    check([t['kinds'] for t in told if t['t'] == 'cores'] == [2], told[-3:])
    moved = [t for t in told if t['t'] == 'moved']
    check(len(moved) == 4 and len({t['event'] for t in moved}) == 2, moved)
    for first, second in [moved[:2], moved[2:]]:
        check(first['enabled'] == second['enabled'], moved)
        missed = first['enabled'] - first['running'] - second['running']
        check(abs(missed) <= first['enabled'] / 1000, (missed, moved))
        for half in first, second:
            check(0 <= half['value'] - (2 * half['n'] + 1) <= 20000, half)


def device_tree(machine, more, edit):
    """QEMU's own tree, edited as text."""
    subprocess.run([*QEMU, '-M', f'{machine},dumpdtb=own.dtb', *more],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    tree = subprocess.run(['dtc', '-q', '-I', 'dtb', '-O', 'dts', 'own.dtb'],
                          stdout=subprocess.PIPE, encoding='utf-8',
                          check=True).stdout
    subprocess.run(['dtc', '-q', '-I', 'dts', '-O', 'dtb', '-o', 'edited.dtb'],
                   input=edit(tree), encoding='utf-8', check=True)
    return ['-dtb', 'edited.dtb']


def false_zeros():
    """Named PMU: events that the core lacks open, are scheduled, and read 0."""
    def edit(tree):
        return tree.replace('"arm,armv8-pmuv3"',
                            '"arm,cortex-a72-pmu", "arm,armv8-pmuv3"')
    tree = device_tree('virt', [], edit)
    told = boot(['zero'], more=[*tree, *ICOUNT])
    known = [t for t in told if t['t'] == 'implements'][0]
    check(known['r03'] == 0 and known['r08'] == 1, known)
    for event in ['L1D_CACHE_REFILL', 'L1D_CACHE', 'l1d-loads']:
        counts = [c for r in runs(told, 'zero') if r['event'] == event
                  for c in r['counts']]
        check(counts == [0] * 9, f'{event}: {counts}')
    judge_zeros()


def judge_zeros():
    """A 0 that cannot be true is no count: the event is found out."""
    subprocess.run([ASSAY, 'import', 'serial.log', '-o', 'zero.jsonl'],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    done = subprocess.run([ASSAY, 'verify', '--on', 'replay:zero.jsonl',
                           '-j'], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, encoding='utf-8')
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    check(done.returncode == 3, f'status {done.returncode}')
    said = {(r['from'], r['verdict']) for r in rows
            if r['t'] == 'comparison' and 'elements=65536' in r['shape']}
    check(('INST_RETIRED', 'agrees') in said, said)
    check(('L1D_CACHE_REFILL', 'disagrees') in said, said)
    events = {r['event']: r['verdict'] for r in rows if r['t'] == 'event'}
    print('events:', events)
    check(events.get('L1D_CACHE_REFILL', 'dead') == 'dead', events)
    check(events.get('L1D_CACHE') != 'exact', events)
    check(events.get('INST_RETIRED') != 'dead', events)


def phandles(tree):
    found = {}
    for node in re.findall(r'cpu@([01]) \{(.*?)\};', tree, re.S):
        found[node[0]] = re.search(r'phandle = <(\w+)>', node[1]).group(1)
    return found


def big_little():
    def edit(tree):
        cpu = phandles(tree)
        return subprocess.run(
            ['awk', '-v', f'cpu0={cpu["0"]}', '-v', f'cpu1={cpu["1"]}', '-f',
             os.path.join(SOURCE, 'tests/guest/bl.awk')], input=tree,
            stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
    tree = device_tree('virt,gic-version=3', ['-smp', '2'], edit)
    told = boot(['biglittle', 'kinds'], 'virt,gic-version=3',
                [*tree, '-smp', '2', *ICOUNT])
    for cpu, group, works in [(0, 'raw', True), (0, 'a53', True),
                              (0, 'a72', False), (1, 'raw', False),
                              (1, 'a53', False), (1, 'a72', True)]:
        for run in runs(told, f'cpu{cpu} {group}'):
            got = [isinstance(c, int) for c in run['counts']]
            check(got == [works] * 3, run)
            if works:
                check(len(set(run['counts'])) == 1 and
                      0 <= run['counts'][0] - run['want'] <= 600, run)
    check(len(runs(told)) == 6, 'runs of both core types')
    kinds(told)


def no_pmu():
    cpu = QEMU.index('cortex-a72')
    QEMU[cpu] = 'cortex-a72,pmu=off'
    told = boot(['nopmu'])
    QEMU[cpu] = 'cortex-a72'
    for run in runs(told):
        if run['event'] == 'page-faults':
            check(run['counts'] == [100] * 3, run)
        else:
            check(all(isinstance(c, str) and c for c in run['counts']), run)
    check(len(runs(told)) == 3, told)


def variants():
    if not shutil.which('dtc'):
        skip('dtc is not installed (device-tree-compiler)')
    told = boot(['large', 'paranoid', 'follow'], more=ICOUNT)
    large(told)
    follow(told)
    paranoid(told)
    no_pmu()
    false_zeros()
    big_little()


CASES = {'exact': exact, 'variants': variants}

if len(sys.argv) != 5 or sys.argv[1] not in CASES:
    sys.exit(__doc__)
ASSAY, SOURCE, KERNEL = map(os.path.abspath, sys.argv[2:])
for tool in ['aarch64-linux-gnu-gcc', 'qemu-system-aarch64']:
    if not shutil.which(tool):
        skip(f'{tool} is not installed')
if not os.path.exists(os.path.join(KERNEL, 'vmlinuz')):
    skip(f'no kernel in {KERNEL}; tests/guest/get-kernel {KERNEL}')
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    compile_init()
    make_initrd()
    CASES[sys.argv[1]]()
    os.chdir('/')
sys.exit(failed > 0)
