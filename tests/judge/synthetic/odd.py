# SPDX-License-Identifier: MIT
"""Tables whose messages are read, and whose verdicts are not: no key.

Programs of which some shapes have a number as truth and others a lower bound,
an upper bound or both; counts from 0 to far above all of these, below 0, and
so large or small that a careless message shows an exponent.
"""
import random

import draws

TIMES = [0, 1e-6, 2e-5, 0.03, 0.5, 0.96, 1, 1, 1, 1.04, 1.3, 2, 40, 3e7]
QUANTITIES = draws.UNIT + draws.SEEN + draws.HIDDEN + ['bandwidth_mb']
NEGATIVE = 2 ** 64 - 5


def truth_of(rng, t):
    """Cells that say what is expected, around t."""
    kind = rng.choice(['number', 'low', 'high', 'both', 'none'])
    if kind == 'number':
        return {'expected': t}
    if kind == 'none':
        return {}
    return {'expected_' + side: t * times for side, times in
            (('low', 0.7), ('high', 1.3)) if kind in (side, 'both')}


def odd(seed, number):
    rng = random.Random(f'odd {seed}/{number}')
    case = draws.Case(f'm{100000 + number}', 'odd')
    rate = rng.random() < 0.2
    quantity, truth = rng.choice(QUANTITIES), rng.choice(list(draws.MARGIN))
    times = rng.choice(TIMES)
    for program in range(rng.choice([1, 1, 2])):
        for shape in range(rng.randint(1, 4)):
            t = float(f'{10 ** rng.uniform(0, 1 if rate else 16):.5g}')
            expected = truth_of(rng, t)
            own = rng.choice([times, times, rng.choice(TIMES)])
            for run in range(rng.choice([1, 1, 2, 4])):
                count = t * own * rng.choice([1, 1, rng.uniform(0.9, 1.1)])
                if rng.random() < 0.03:
                    count = NEGATIVE
                case.add(program=f'p{program}', shape=f'n={shape + 1}',
                         event='e', run=run,
                         count=f'{count:.3f}' if rate else f'{count:.0f}',
                         quantity=quantity, truth=truth,
                         resolution=0.001 if rate else 1, **expected)
    return case


def cases(seed, count):
    return [odd(seed, i) for i in range(count)]
