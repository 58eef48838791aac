# SPDX-License-Identifier: MIT
"""Faults planted into real groups that are exact, with their real noise.

A group is one event of one machine, in one program or one region of it. Each
fault is planted into all groups; a group comes with copies of all rows of its
machine, because another event may matter to its verdict. Faults:
  none    as measured
  factor  twice
  dead    0
  wrap    one reading ran below 0
  noise   20 to 60 % up and down, where a shape has 3 readings
  bias    2 to 8 margins, mostly 2 to 4, another number in each shape, away
          from the truth; where a count ran a part of the time only, what that
          leaves open is added to the margin; drawn anew while whole numbers of
          interrupts and page faults would explain it
A group is accused by a verdict that fails within its own scope, or by a law
that its event violates anywhere.
"""
import collections
import random

import draws
import score

FAULTS = ['none', 'factor', 'dead', 'wrap', 'noise', 'bias']
# least share of the planted that is accused, most that is called exact
LIMITS = {'factor': (1, 0), 'dead': (1, 0), 'wrap': (1, 0), 'noise': (1, 0),
          'bias': (0.95, 0)}


def group_rows(rows, key):
    """Rows of the machine; and which of them the key is about."""
    program, low, high = score.scope_of(key['scope'])
    beside = [r for r in rows if r['machine'] == key['machine']]

    def own(r):
        if r['event'] != key['event']:
            return False
        if program is not None and r['program'] != program:
            return False
        name = key['scope'].partition(';')[2].partition('=')[0]
        value = dict(p.split('=', 1) for p in r['shape'].split(';') if p)
        return not name or (name in value and
                            low <= float(value[name]) <= high)
    return beside, [own(r) for r in beside]


def shape_of(row):
    return row['program'], row['shape']


def draw_bias(rows, side, rng):
    """What is added to each reading of one shape."""
    r = rows[0]
    t, share = float(r['expected']), float(r['scaled'] or 1)
    m = draws.margin(r['truth'], t, len(rows), float(r['resolution'] or 1))
    step = m + 2.6 * 0.05 * (1 - share) / share * t
    off, irq, flt = [sum(float(x[c] or 0) for x in rows) / len(rows)
                     for c in ('count', 'interrupts', 'page_faults')]
    off -= t
    return draws.redrawn(
        lambda: (2 + 6 * rng.random() ** 3) * step,
        lambda b: all(abs(off + side * b - i * irq - f * flt) > 1.2 * m
                      for i in (0, 1) for f in (0, 1, 2)))


def planted(rows, fault, rng):
    """Copies of the rows of one group with the fault, or None."""
    live = [r for r in rows if float(r['expected'] or 0) > 0]
    runs = collections.Counter(shape_of(r) for r in live)
    if not live or fault == 'noise' and max(runs.values()) < 3:
        return None
    off = sum(float(r['count']) - float(r['expected']) for r in live)
    side = (off > 0) - (off < 0) or rng.choice([-1, 1])
    bias = {s: side * draw_bias([r for r in live if shape_of(r) == s], side,
                                rng) for s in runs if fault == 'bias'}
    out = []
    for i, r in enumerate(rows):
        c, t = float(r['count']), float(r['expected'] or 0)
        step = float(r['resolution'] or 1)
        if t > 0 and fault == 'factor':
            c *= 2
        elif fault == 'dead':
            c = 0
        elif fault == 'wrap' and r is live[0]:
            c = 2.0 ** 64 - 2048
        elif fault == 'noise':
            c *= 1 + (1 if i % 2 else -1) * rng.uniform(0.2, 0.6)
        elif t > 0 and fault == 'bias':
            c += bias[shape_of(r)]
        if fault != 'none':
            places = max(0, len(f'{step:.9f}'.rstrip('0').partition('.')[2]))
            r = dict(r, count=f'{max(0, c):.{places}f}')
        out.append(r)
    return out


def tables(real, keys, fault, seed=1):
    """(table -> its rows, groups), with the fault in every exact group."""
    out, groups = collections.defaultdict(list), []
    for i, key in enumerate(keys):
        if key['class'].split('|')[0] not in draws.EXACT:
            continue
        beside, own = group_rows(real[key['table']], key)
        new = planted([r for r, o in zip(beside, own) if o], fault,
                      random.Random(f'{seed}/{i}/{fault}'))
        if new is None:
            continue
        name, new = f'g{i}', iter(new)
        out[key['table']] += [dict(next(new) if o else r, machine=name)
                              for r, o in zip(beside, own)]
        groups.append(dict(key, machine=name))
    return out, groups


def verdict(group, rows):
    """What is said of the group: its regions, else its program, else all."""
    p, low, high = score.scope_of(group['scope'])
    by = collections.defaultdict(list)
    for r in rows:
        q, first, last = score.scope_of(r['scope'])
        if r['event'] != group['event'] or last < low or first > high:
            continue
        if r['class'] == 'law violated' and q in (None, p):
            return r['class']
        if p is None or q is None or q == p:
            by[q is not None, first > float('-inf')].append(r)
    order = [(True, True)] if low > float('-inf') else []
    order += [(False, False)] if p is None else []
    for which in order + [(True, False), (False, False)]:
        if by[which]:
            return score.worst(by[which])['class']
    return ''


def count(groups, rows):
    """outcome -> groups: accused, exact, open."""
    by = collections.defaultdict(list)
    machines = collections.defaultdict(list)
    for r in rows:
        machines[r['machine']].append(r)
    for g in groups:
        got = verdict(g, machines[g['machine']])
        by['accused' if got in draws.FAILS else 'exact' if got in draws.EXACT
           else 'open'].append((g, got))
    return by


def breaks(fault, by):
    """Limits that are broken."""
    total = sum(map(len, by.values()))
    accused = len(by['accused'])
    if fault == 'none':
        return [f'accused though nothing was planted: {accused}'] * (
            accused > 0)
    least, most = LIMITS[fault]
    out = []
    if accused < least * total:
        out.append(f'{fault}: {accused} of {total} accused')
    if len(by['exact']) > most * total:
        out.append(f'{fault}: {len(by["exact"])} of {total} called exact')
    return out
