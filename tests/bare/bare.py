#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bare-metal image under QEMU.

    bare.py CASE ASSAY SOURCE

Cases: exact-el1 exact-el2 exact-el3 cycles import image model boards.
Exits with 77 and a reason where the cross compiler or QEMU is missing.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

CPUS = ['cortex-a53', 'cortex-a72', 'cortex-a76', 'neoverse-n1']
LENGTHS = [1, 2, 10, 100, 1000, 10000, 100000, 1000000]
failed = 0


def check(right, what):
    global failed
    if not right:
        failed += 1
        print('wrong:', what)


def assay(*args, status=0):
    done = subprocess.run([ASSAY, *args], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding='utf-8', errors='replace')
    if status is not None and done.returncode != status:
        check(False, f'{args}: status {done.returncode}, not {status}:\n'
              f'{done.stdout}')
    return done.stdout


def lines(log, kind):
    with open(log, encoding='utf-8') as text:
        found = [json.loads(line) for line in text if line.strip()]
    return [line for line in found if line['t'] == kind]


def options(record):
    return {o['name']: o['value'] for o in record['shape']['options']}


def around(record):
    words = dict(w.split('=') for w in
                 record['settings']['options'].split())
    return int(words['around'])


def counts(record, event):
    for e in record['events']:
        if e['name'] == event:
            return [c.get('value', c.get('absent')) for c in e['counts']]
    return []


def chase_instructions(record):
    """The loop as it is written: docs of chase, not its code."""
    o = options(record)
    n, i = o['elements'], o['passes']
    return 3 * n * i + 3 * i + 1


def exact(level):
    """Every length, every repeat, every core; also from a higher level."""
    passes = ','.join(map(str, LENGTHS))
    assay('bare', 'build', '--el', level, '--kernel', 'chase', '--elements',
          '1', '--passes', passes, '-r', '3', '-e',
          'INST_RETIRED,CPU_CYCLES,L1D_CACHE_REFILL', '-o', 'exact.elf')
    starts = [('cortex-a72', str(n)) for n in range(int(level) + 1, 4)]
    constants = set()
    for cpu, start in [(cpu, level) for cpu in CPUS] + starts:
        out = assay('bare', 'run', '--image', 'exact.elf', '--cpu', cpu,
                    '--el', level, '--from-el', start, '-o', 'uart.log')
        check('agrees' in out and 'disagrees' not in out, out)
        check(lines('uart.log', 'bare')[0]['cpu'] == cpu, 'core of ' + cpu)
        records = lines('uart.log', 'record')
        check(len(records) == len(LENGTHS), f'{len(records)} records')
        for r in records:
            want = [chase_instructions(r) + around(r)] * 3
            got = counts(r, 'INST_RETIRED')
            constants.add(around(r))
            check(got == want, f'{cpu} EL{level}: {options(r)}: {got}, '
                  f'not {want}')
            check(counts(r, 'CPU_CYCLES') == want, f'cycles of {cpu}')
            check(all('PMCEID' in str(c) for c in
                      counts(r, 'L1D_CACHE_REFILL')), 'refills not absent')
    check(len(constants) == 1 and 10 <= min(constants) <= 100,
          f'constants {constants}')
    print('constant', constants)
    mistakes(level)


def cycles():
    assay('bare', 'build', '--el', '3', '--kernel', 'random', '--accesses',
          '100,1000', '-e', 'INST_RETIRED,CPU_CYCLES,r11,SW_INCR,r40', '-o',
          'cycles.elf')
    for shift in range(4):
        assay('bare', 'run', '--image', 'cycles.elf', '--shift', str(shift),
              '-o', 'uart.log')
        for r in lines('uart.log', 'record'):
            want = [c << shift for c in counts(r, 'INST_RETIRED')]
            check(counts(r, 'CPU_CYCLES') == want, f'cycles at {shift}')
            check(counts(r, 'r11') == want, f'event 0x11 at {shift}')
            check(counts(r, 'SW_INCR') == [0], 'software increments')
            check('read 0' in counts(r, 'r40')[0], 'event 0x40 not absent')


def replan(image, out, *statements):
    """The image with another plan."""
    with open(image, 'rb') as elf:
        text = elf.read()
    begin = text.index(b'assay-plan 1\n')
    end = text.index(b'\0', begin)
    plan = '\n'.join(('assay-plan 1',) + statements).encode() + b'\n'
    check(len(plan) <= end - begin, 'no room for the plan')
    with open(out, 'wb') as elf:
        elf.write(text[:begin] + plan.ljust(end - begin, b'\n') + text[end:])


EVENTS = ('event INST_RETIRED 0x08', 'event L1D_CACHE_REFILL 0x03')
RUN = 'run chase elements=64 passes=100'
MISTAKES = {
    '3': [('spme-off', 'SPME off:'), ('overflow-lost', 'counter overflow:')],
    '2': [('nsh-missing', 'NSH missing:'), ('hpmn-0', 'HPMN 0:')],
    '1': [('overflow', None)],
}


def mistakes(level):
    """Each is named, and nothing of it is counted."""
    for plant, name in MISTAKES[level]:
        replan('exact.elf', 'plant.elf', f'plant {plant}', *EVENTS, RUN)
        out = assay('bare', 'run', '--image', 'plant.elf', '--el', level,
                    '-o', 'uart.log')
        r = lines('uart.log', 'record')[0]
        got = counts(r, 'INST_RETIRED')[0]
        if name:
            check(str(got).startswith(name), f'{plant}: {got}')
            check(name.rstrip(':') in out, f'{plant} is not said:\n{out}')
            check('0 agree, 0 disagree' in out, out)
        else:
            check(got == chase_instructions(r) + around(r), f'{plant}: {got}')
        check('not in PMCEID' in counts(r, 'L1D_CACHE_REFILL')[0], 'PMCEID')
    # of absent events only: neither passed nor failed, and no error
    replan('exact.elf', 'plant.elf', EVENTS[1], RUN)
    out = assay('bare', 'run', '--image', 'plant.elf', '--el', level)
    check('0 agree, 0 disagree' in out, out)
    # a wild pointer is printed, and ends the image
    replan('exact.elf', 'plant.elf', 'plant fault', RUN)
    out = assay('bare', 'run', '--image', 'plant.elf', '--el', level, '-o',
                'uart.log', status=1)
    check('data abort' in out and '"far":"0x10"' in out, out)
    check(lines('uart.log', 'fault')[0]['level'] == int(level), 'level')
    # a wrong plan is said, and nothing is run
    for plan, what in [('run chase elements=0', "'elements' must be from 1"),
                       ('run chese', "unknown kernel 'chese'"),
                       ('run chase passes=99999999999999999999', 'passes'),
                       ('events x', "unknown statement 'events'"),
                       ('event x', "an event needs a name and a code"),
                       ('run chase elements=40M passes=1', 'bytes of memory')]:
        replan('exact.elf', 'plant.elf', plan)
        out = assay('bare', 'run', '--image', 'plant.elf', '--el', level,
                    status=1 if 'memory' in what else 2)
        check(what in out or what == 'passes', f'{plan}: {out}')


def damage(text, rng):
    """(damaged log, was anything of the image's touched)"""
    kind = rng.randrange(4)
    at = rng.randrange(len(text))
    if kind == 0:
        return text[:at]
    if kind == 1:
        flipped = bytes([text[at] ^ 1 << rng.randrange(8)])
        return text[:at] + flipped + text[at + 1:]
    noise = rng.choice([b'[ 12.3] usb 1-1: new device\n', b'\0\xff\r\n',
                        b'{"t":"', b'"crc32":"', b'\n\n', b'}'])
    if kind == 2:
        return text[:at] + noise + text[at:]
    end = rng.randrange(at, min(len(text), at + 200))
    return text[:at] + text[end:]


def imported():
    assay('bare', 'run', '--kernel', 'chase', '--elements', '1,2,3,4',
          '--passes', '2', '-r', '2', '-e', 'INST_RETIRED,L1D_CACHE', '-o',
          'uart.log')
    with open('uart.log', 'rb') as log:
        text = log.read()
    assay('import', 'uart.log', '-o', 'whole.jsonl')
    with open('whole.jsonl', encoding='utf-8') as whole:
        good = [line.rstrip('\n') for line in whole]
    check(len(good) == 4, 'records of the whole log')
    # whole in spite of noise before, behind and between
    with open('noisy.log', 'wb') as log:
        log.write(b'U-Boot 2023\n\xff\xfe' + text.replace(
            b'{"t":"record"', b'[ 1.0] eth0: up {"t":"record"').replace(
            b'\r\n', b' login:\r\nrandom: crng\r\n'))
    out = assay('import', 'noisy.log', '-o', 'noisy.jsonl')
    with open('noisy.jsonl', encoding='utf-8') as noisy:
        check([line.rstrip('\n') for line in noisy] == good, 'noise')
    check('noisy.log:1: noise' in out, out)
    rng = random.Random(1)
    lost = 0
    for n in range(60):
        bad = text
        for _ in range(rng.randrange(1, 4)):
            bad = damage(bad, rng) or b'x'
        with open('bad.log', 'wb') as log:
            log.write(bad)
        if os.path.exists('bad.jsonl'):
            os.unlink('bad.jsonl')
        done = subprocess.run([ASSAY, 'import', 'bad.log', '-o', 'bad.jsonl'],
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        check(done.returncode in (0, 2, 3), f'{n}: {done.returncode}')
        got = []
        if os.path.exists('bad.jsonl'):
            with open('bad.jsonl', encoding='utf-8') as records:
                got = [line.rstrip('\n') for line in records]
        check(all(line in good for line in got), f'{n}: an untrue record')
        if len(got) < len(good):
            lost += 1
            check(done.returncode in (2, 3), f'{n}: a loss is not told')
    check(lost > 8, f'only {lost} logs lost a record')
    # a flipped digit is no record, and no verdict
    with open('flip.log', 'wb') as log:
        log.write(text.replace(b'"value":', b'"value":1', 1))
    check('flip.log:3: damaged' in assay('import', 'flip.log', status=3),
          'flipped digit')
    assay('verify', '--on', 'replay:flip.log', status=2)
    # a wrong count with a right checksum is a verdict
    wrong = good[0].replace('"value":', '"value":1')
    check(wrong != good[0], 'nothing to make wrong')
    record = json.loads(good[0])
    record['events'][0]['counts'] = [
        {'value': c['value'] + 1} for c in record['events'][0]['counts']]
    with open('high.jsonl', 'w', encoding='utf-8') as out:
        out.write(json.dumps(record) + '\n')
    check('1 disagree' in assay('verify', '--on', 'replay:high.jsonl',
                                status=3), 'one too many')
    record['events'][0]['counts'] = [
        {'value': c['value'] - 2} for c in record['events'][0]['counts']]
    with open('low.jsonl', 'w', encoding='utf-8') as out:
        out.write(json.dumps(record) + '\n')
    check('1 disagree' in assay('verify', '--on', 'replay:low.jsonl',
                                status=3), 'one too few')


# Small shapes of kernels whose defaults take long.
SMALL = {
    'chase': 'elements=64 passes=10', 'random': 'bytes=4096 accesses=1000',
    'pages': 'pages=8', 'stream': 'ints=1024', 'stride': 'bytes=16384',
    'store': 'bytes=16384', 'matmul': 'n=8', 'branch': 'chars=1000',
    'icode': 'lines=8192 passes=3',
}


def hosted(name):
    with open(os.path.join(SOURCE, f'src/kernels/{name}.c'),
              encoding='utf-8') as source:
        return '.hosted = true' in source.read()


def every_kernel():
    """All kernels are in one image, and count what they say."""
    def_file = os.path.join(SOURCE, 'src/kernels/kernels.def')
    with open(def_file, encoding='utf-8') as rows:
        names = re.findall(r'^X\((\w+)\)', rows.read(), re.M)
    names = [n for n in names if not hosted(n)]
    check(len(names) >= 13, names)
    for name in ['touch', 'chese']:
        out = assay('bare', 'build', '--kernel', name, '-o', 'no.elf',
                    status=2)
        check('system calls' in out or name != 'touch', out)
    runs = [f'run {n} {SMALL.get(n, "")}' for n in names]
    replan('image.elf', 'every.elf', EVENTS[0], *runs)
    out = assay('bare', 'run', '--image', 'every.elf', '--el', '3', '-o',
                'uart.log')
    check('disagrees' not in out, out)
    check(re.search(f'{len(names)} agree, 0 disagree', out), out)
    ran = [r['shape']['kernel'] for r in lines('uart.log', 'record')]
    check(ran == names, f'{ran}, not {names}')
    # and QEMU's view of that code is the closed form's, caches included
    replan('image.elf', 'every.elf', *EVENTS, 'event L1D_CACHE 0x04',
           'event L1I_CACHE_REFILL 0x01', *runs)
    out = assay('bare', 'run', '--image', 'every.elf', '--el', '3', '--model',
                'cortex-a76')
    out = out[out.index('judged by themselves'):]
    check('disagrees' not in out and out.count('agrees') > 150, out)


def loaded(elf):
    """Bytes that the file gives to the memory."""
    out = subprocess.run(['aarch64-linux-gnu-readelf', '-lW', elf],
                         stdout=subprocess.PIPE, encoding='utf-8', check=True)
    return sum(int(line.split()[4], 16) for line in
               out.stdout.splitlines() if line.split()[:1] == ['LOAD'])


def image():
    """Small, complete, and from the host's own sources."""
    said = assay('bare', 'build', '--cpu', 'cortex-a72', '--el', '3', '-o',
                 'image.elf')
    check(not said, f'warnings, some of which are errors in GCC 14: {said}')
    for what, size in [('file', os.path.getsize('image.elf')),
                       ('loaded', loaded('image.elf'))]:
        check(1000 < size < 65536, f'{size} bytes {what}')
        print(what, size, 'bytes')
    missing = subprocess.run(['aarch64-linux-gnu-nm', '-u', 'image.elf'],
                             stdout=subprocess.PIPE, check=True).stdout
    check(missing == b'', missing)
    every_kernel()
    tree = os.path.join(os.path.dirname(ASSAY), 'bare', 'tree')
    with open(os.path.join(tree, 'sources'), encoding='utf-8') as names:
        names = names.read().split()
    for room in ['kernels', 'measure', 'base', 'counters']:
        check(any(n.startswith(f'src/{room}/') for n in names), room)
    for name in names:
        with open(os.path.join(tree, name), 'rb') as copy, \
                open(os.path.join(SOURCE, name), 'rb') as original:
            check(copy.read() == original.read(), name)
    print(len(names), 'sources')


def simulated(name, event):
    """From the model's records of that kernel: its counts of the event."""
    with open('model.jsonl', encoding='utf-8') as text:
        records = [json.loads(line) for line in text]
    return [counts(r, event) for r in records if r['shape']['kernel'] == name]


def model():
    """The software PMU beside the image: what working sets do to caches."""
    sizes = {64: 0, 512: 0, 4096: 8 * 4096}     # L1D: 32 KiB
    out = assay('bare', 'run', '--el', '3', '--kernel', 'chase', '--elements',
                ','.join(map(str, sizes)), '--passes', '8', '-r', '2', '-e',
                'INST_RETIRED,L1D_CACHE,L1D_CACHE_REFILL,r4321', '--model',
                'cortex-a72', '--model-output', 'model.jsonl', '-o',
                'uart.log')
    check(simulated('chase', 'L1D_CACHE') ==
          [[8 * n] * 2 for n in sizes], 'accesses')
    check(simulated('chase', 'L1D_CACHE_REFILL') ==
          [[n] * 2 for n in sizes.values()], 'refills')
    check(all('no such event' in c[0] for c in simulated('chase', 'r4321')),
          'an event that no file describes')
    image = lines('uart.log', 'record')
    check(all('PMCEID' in counts(r, 'L1D_CACHE')[0] for r in image), 'mixed')
    check(simulated('chase', 'INST_RETIRED') ==
          [[chase_instructions(r)] * 2 for r in image], 'instructions')
    check('disagrees' not in out, out)
    # the whole plan on a core with an L3; flushes cannot be seen
    out = assay('bare', 'run', '--el', '1', '--cpu', 'cortex-a76', '--model',
                'cortex-a76', '--model-output', 'model.jsonl')
    check('disagrees' not in out, out)
    check('not modelled' in out, out)
    for name in ['flush', 'iflush']:
        check(all('not modelled' in c[0] for c in
                  simulated(name, 'L1D_CACHE_REFILL')), name)
        check(all(isinstance(c[0], int) for c in
                  simulated(name, 'INST_RETIRED')), name)
    for wrong, what in [
            (('--model', 'k10'), 'no AArch64'),
            (('--model', 'cortex-a99'), 'cortex-a99'),
            (('--model-output', 'x'), 'needs --model'),
            (('--model', 'cortex-a72', '-x', ','), 'CSV')]:
        out = assay('bare', 'run', *wrong, status=2)
        check(what in out, f'{wrong}: {out}')
    assay('bare', 'build', '--kernel', 'empty', '-o', 'small.elf')
    subprocess.run(['aarch64-linux-gnu-strip', '-o', 'bare.elf', 'small.elf'],
                   check=True)
    out = assay('bare', 'run', '--image', 'bare.elf', '--model', 'cortex-a72',
                status=2)
    check('does not say where its kernels are' in out, out)


def boards():
    for board, level in [('rpi4', '1'), ('pl011', '3')]:
        assay('bare', 'build', '--board', board, '--el', level, '-o',
              f'{board}.elf')
        check(1000 < os.path.getsize(f'{board}.elf') < 65536, board)
        subprocess.run(['aarch64-linux-gnu-objcopy', '-O', 'binary',
                        f'{board}.elf', f'{board}.bin'], check=True)
        check(1000 < os.path.getsize(f'{board}.bin') < 65536, board)
    with open('my.board', 'w', encoding='utf-8') as out:
        out.write('load 0x40100000\nram 0x40000000 0x8000000\n'
                  'uart 0x09000000\nuart-clock 24000000\n'
                  'semihosting maybe\n')
    out = assay('bare', 'build', '--board', './my.board', '-o', 'x.elf',
                status=2)
    check('./my.board:5:1: error:' in out, out)
    # a level above the board's is said, not hung
    out = assay('bare', 'run', '--el', '3', '--from-el', '2', status=2)
    check('only go down' in out, out)
    out = assay('bare', 'run', '--board', 'rpi4', status=2)
    check('qemu-virt' in out, out)
    env = dict(os.environ, PATH='/nowhere')
    done = subprocess.run([ASSAY, 'bare', 'build', '-o', 'x.elf'], env=env,
                          stderr=subprocess.PIPE, encoding='utf-8')
    check(done.returncode == 4 and 'gcc-aarch64-linux-gnu' in done.stderr,
          done.stderr)


CASES = {
    'exact-el1': lambda: exact('1'), 'exact-el2': lambda: exact('2'),
    'exact-el3': lambda: exact('3'), 'cycles': cycles,
    'import': imported, 'image': image, 'model': model, 'boards': boards,
}

if len(sys.argv) != 4 or sys.argv[1] not in CASES:
    sys.exit(__doc__)
ASSAY, SOURCE = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
for tool in ['aarch64-linux-gnu-gcc', 'qemu-system-aarch64']:
    if not shutil.which(tool):
        print(f'skipped: {tool} is not installed')
        sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    CASES[sys.argv[1]]()
    os.chdir('/')
sys.exit(failed > 0)
