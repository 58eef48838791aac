# SPDX-License-Identifier: MIT
"""One machine with two microcodes: the same shapes, the same event.

A third each: both right; right with one and a factor with the other; a factor
without any truth. The factor is 1.3 to 4, far above the scatter. Microcodes
that differ are a known deviation, one verdict for each; those that agree are
not.
"""
import random

import draws

CODES = ['0x10', '0x2f']


def two_microcodes(seed, number):
    rng = random.Random(f'{seed}/microcode/{number}')
    case = draws.Case(f'u{number}', 'microcode')
    f = draws.Frame(rng, False, truths=['unit', 'model'], rates=False, reps=3,
                    shapes=2, step=2, hardships=())
    f.truth_error = lambda: 0
    f.draw_sigma(min(f.room(p, lambda _, t: t) for p in f.programs))
    kind = number % 3
    b = rng.uniform(1.3, 4)
    for code, times in zip(CODES, (1, b if kind else 1)):
        first = len(case.rows)
        for p in f.programs:
            case.fill(f, p, lambda _, t: times * t, truth=kind < 2)
        for row in case.rows[first:]:
            row['microcode'] = code
        accept = ({'inconclusive'} if kind == 2 else
                  {'exact'} if times == 1 else {'proportional'})
        add_key(case, f'@{code}', accept, '' if times == 1 else 'factor')
    for p in f.programs:
        add_key(case, '', {'known deviation by microcode'} if kind else {''},
                '', program=p)
    return case


def add_key(case, suffix, accept, fault, **more):
    case.key(accept, fault, kind='two microcodes', **more)
    case.keys[-1]['machine'] += suffix
