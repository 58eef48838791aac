# SPDX-License-Identifier: MIT
"""Verdicts against the key.

A key asks for an event as such, for a program, or for one shape of a program.
The row of that scope answers; else the worst of the narrower rows, where
inconclusive ones do not outvote others; else the row of a wider scope.

right             a class that the key accepts, with its factor and constant
neighbour         proportional and biased, biased and one-sided, kinds of exact
abstained         inconclusive, unavailable or no verdict; the key is definite
wrong             any other
false exact       a kind of exact where a fault was planted
false accusation  a class that fails where nothing was planted, also in a row
                  that no key asks for
One case counts once, with the worst of its keys.
"""
import collections
import csv
import fnmatch

from draws import EXACT, FAILS

OPEN = {'inconclusive', 'unavailable', ''}
WORST = ['law violated', 'dead', 'unstable', 'proportional', 'biased',
         'one-sided', 'known deviation by microcode', 'exact less a constant',
         'exact less interrupts/faults', 'within bounds', 'exact',
         'inconclusive', 'unavailable', '']
NEAR = [{'proportional', 'biased'}, {'biased', 'one-sided'}]
KINDS = ['right', 'neighbour', 'abstained', 'wrong', 'false accusation',
         'false exact']      # from the best to the worst
EACH = 0.9      # least share that is right, in each kind of case and half
LIMITS = {'right': 0.97, 'false exact': 0.001, 'false accusation': 0.001}


def scope_of(text):
    """(program, low, high); no program: all, no parameter: all shapes."""
    program, low, high = None, float('-inf'), float('inf')
    if text.startswith('program='):
        program, _, region = text[len('program='):].partition(';')
        if region:
            ends = region.partition('=')[2].split('..')
            low, high = float(ends[0]), float(ends[1])
    elif text != 'all':
        raise ValueError(f'no scope: {text!r}')
    return program, low, high


def worst(rows):
    return min(rows, key=lambda r: WORST.index(r['class']), default=None)


def answer(rows, key):
    """The row of one event that answers the key, or None."""
    at = float(key['at']) if key['at'] else None
    program = key['program'] or None
    same, narrower, wider = [], [], []
    for row in rows:
        p, low, high = scope_of(row['scope'])
        region = low > float('-inf')
        if at is not None:
            if p == program and low <= at <= high:
                (same if region else wider).append(row)
            elif p is None:
                wider.insert(0, row)
        elif p == program and not region:
            same.append(row)
        elif program is None or p == program:
            narrower.append(row)
        elif p is None:
            wider.append(row)
    return worst(same) or worst(narrower) or (wider[-1] if wider else None)


def number_wrong(key, row):
    """A factor or a constant that is not the planted one."""
    if key['factor'] and row['class'] == 'proportional':
        want = float(key['factor'])
        return (not row['factor'] or
                abs(float(row['factor']) - want) > 0.1 * want)
    if key['constant'] and row['class'] == 'exact less a constant':
        want = float(key['constant'])
        return (not row['constant'] or
                abs(float(row['constant']) - want) > 0.2 * want + 3)
    return False


def outcome(key, row):
    accept = set(key['accept'].split('|'))
    got = row['class'] if row else ''
    if got in accept:
        return 'wrong' if row and number_wrong(key, row) else 'right'
    if got in EXACT and key['fault']:
        return 'false exact'
    if got in FAILS and not key['fault']:
        return 'false accusation'
    if got in EXACT and accept & EXACT:
        return 'neighbour'
    if any({got, a} in NEAR for a in accept):
        return 'neighbour'
    return 'abstained' if got in OPEN else 'wrong'


def judge_cases(keys, verdicts):
    """For each case: (kind, outcome, key, row), with the worst outcome."""
    rows, cases = collections.defaultdict(list), {}
    for row in verdicts:
        rows[row['table'], row['machine']].append(row)
    for key in keys:
        beside = rows[key['table'], key['machine']]
        row = answer([r for r in beside
                      if fnmatch.fnmatchcase(r['event'], key['event'])], key)
        name = key['table'], key['machine'].partition('@')[0]
        note(cases, name, key, outcome(key, row), row)
        if not key['fault']:
            for r in beside:
                if r['event'] != key['event'] and r['class'] in FAILS:
                    note(cases, name, key, 'false accusation', r)
    return cases


def note(cases, name, key, got, row):
    old = cases.get(name)
    if not old or KINDS.index(got) > KINDS.index(old[1]):
        cases[name] = (key['kind'], got, key, row)


def breaks(cases):
    """Limits that are broken, one sentence each."""
    counts = collections.Counter(c[1] for c in cases.values())
    out = []
    for kind, limit in LIMITS.items():
        share = counts[kind] / len(cases)
        if share < limit if kind == 'right' else share > limit:
            out.append(f'{kind}: {100 * share:.2f} %, the limit is '
                       f'{100 * limit:g} %')
    for line, by in by_kind(cases).items():
        if by['right'] < EACH * by.total():
            out.append(f'{line}: {by["right"]} of {by.total()} are right')
    return out


def by_kind(cases):
    """Outcomes by kind of case and half, and of all."""
    by = collections.defaultdict(collections.Counter)
    for name, case in cases.items():
        for line in (f'{case[0]}, {name[0]}', 'all'):
            by[line][case[1]] += 1
    return by


def table(cases):
    by = by_kind(cases)
    width = max(map(len, by))
    out = [' ' * width + ''.join(f'{k:>18}' for k in KINDS)]
    for line in sorted(by, key=lambda k: (k == 'all', k)):
        out.append(f'{line:{width}}' + ''.join(f'{by[line][k]:18}'
                                               for k in KINDS))
    return out


def confusion(cases):
    """(kind, half, accepted, got): how often, for all that is not right."""
    seen = collections.Counter()
    for name, (kind, got, key, row) in cases.items():
        if got != 'right':
            seen[got, kind, name[0], key['accept'],
                 row['class'] if row else 'no verdict'] += 1
    return seen.most_common()


def read(path):
    with open(path, newline='', encoding='utf-8') as text:
        return list(csv.DictReader(text))
