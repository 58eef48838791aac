# SPDX-License-Identifier: MIT
"""The eleven classes of cases. Each function plants one, and says what is then
provable: the classes that a right judge may reach. `fault` in a key names what
was planted; an empty one says that nothing was.

One rule holds for all: where the key has several classes, the readings allow
several explanations. With one shape, a share and a factor are the same, and so
are a share and a constant. A part of what a prefetcher can take over may be
called one-sided.
"""
import draws
from draws import Frame, chances, clean_classes, redrawn

FREE = 0.15     # of the cases: any scatter


def draw_size(f, least=2.0, most=1.0):
    """A relative size of at least `least` margins in every shape, half of the
    time at most twice as much."""
    low = least * f.relative_margin()
    high = 2 * low if f.rng.random() < 0.5 else max(most, 2 * low)
    return low * (high / low) ** f.rng.random()


def clean(case, f, program, free=False, set_sigma=True):
    """A program in which the event is right."""
    error = f.truth_error()

    def mean_of(_, t):
        return t * (1 + error)
    if set_sigma:
        f.draw_sigma(f.room(program, mean_of), free)
    case.fill(f, program, mean_of)
    accept = clean_classes(f, program, mean_of)
    case.key(accept, '', program=program)
    return accept


def faulty(case, f, program, mean_of, accept, fault, **numbers):
    """A program with a planted fault; doubt where the scatter leaves it."""
    ts = f.programs[program]
    each = [chances(f, t, mean_of(i, t)) for i, t in enumerate(ts)]
    missed = 1.0
    for c in each:
        missed *= 1 - c[2]
    accept = set(accept) | ({'inconclusive'} if missed > draws.POSSIBLE
                            else set())
    case.fill(f, program, mean_of)
    case.key(accept, fault, program=program, **numbers)
    return accept


def plant(case, f, mean_of, accept_of, fault, **numbers):
    """The fault in all programs, or in the first while the second is right."""
    names = list(f.programs)
    bad = names[:1] if f.rng.random() < 0.5 else names
    free = f.n > 2 and f.rng.random() < FREE
    room = min(f.room(p, mean_of) for p in bad) / 2
    f.draw_sigma(room if f.n > 2 else min(room, f.least_margin()), free)
    if free:    # the scatter may hide which fault it is
        plain_of = accept_of
        accept_of = lambda p: plain_of(p) | {'biased', 'proportional'}
    for p in names:
        if p not in bad and not free:   # the one scatter has to suit both
            f.sigma = min(f.sigma, max(0, f.room(p, lambda _, t: t)) /
                          draws.reach(f.n))
    everything = set()
    for p in names:
        if p in bad:
            everything |= faulty(case, f, p, mean_of, accept_of(p), fault,
                                 **numbers)
        else:
            f.truth_error = lambda: 0
            clean(case, f, p, set_sigma=False)
    if len(bad) < len(names) and 'inconclusive' in everything:
        everything.add('exact')     # of what is judged
    case.key(everything, fault, **numbers)


def exact(case, rng, hard):
    """Nothing is planted. Some cases have a covariate that adds nothing."""
    f = Frame(rng, hard)
    if not hard and rng.random() < 0.08:
        return near_bounds(case, f)
    if f.truth != 'unit' and rng.random() < 0.2:
        f.scaled = round(rng.uniform(0.95, 0.999), 4)
    free = rng.random() < FREE
    both = [clean(case, f, p, free, p == 'p0') for p in f.programs]
    if rng.random() < 0.3:
        for row in case.rows:
            row['interrupts'] = rng.randint(50, 5000)
    case.key(join(both), '')


def join(accepts):
    """The event's own verdict over programs without a fault."""
    every = set().union(*accepts)
    if any('inconclusive' not in a for a in accepts):
        every.discard('inconclusive')
    return every


def near_bounds(case, f):
    """Two bounds, at most 6 % apart, with the count in their middle."""
    f.truth, f.quantity = 'model', 'l1d_accesses'
    f.scaled, f.programs = 1.0, {'p0': f.programs['p0']}
    accept = clean(case, f, 'p0') | {'within bounds'}
    for row in case.rows:
        t, row['expected'] = float(row['expected']), ''
        row['expected_low'] = f'{t * 0.975:.10g}'
        row['expected_high'] = f'{t * 1.025:.10g}'
    case.keys.clear()
    case.key(accept, '')


PAIRS = [(1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]


def less(case, rng, hard):
    """Interrupts and page faults are counted with the rest, by whole numbers.

    The scatter is at most a hundredth of what they add. Drawn anew while
    another pair of whole numbers adds nearly the same.
    """
    f = Frame(rng, hard, truths=['unit'], rates=False, reps=4, lowest=2e4,
              hardships=('spikes', 'single'))
    f.measured = 'process'
    least = least_truth(f)

    def draw():
        irq, flt = [min(1e6, max(30, least * 10 ** rng.uniform(-3, -1)))
                    for _ in range(2)]
        return irq, flt, rng.choice(PAIRS)

    def alone(drawn):
        irq, flt, d = drawn
        adds = d[0] * irq + d[1] * flt
        return adds < least and all(
            abs(a * irq + b * flt - adds) > 0.2 * adds
            for a, b in PAIRS if (a, b) != d)
    irq, flt, d = redrawn(draw, alone)
    adds = d[0] * irq + d[1] * flt
    top = max(t for ts in f.programs.values() for t in ts)
    f.draw_sigma(f.relative_margin())
    f.sigma = min(f.sigma, adds / top / 300)
    fixed = rng.random() < 0.5      # page faults: the same in each run
    read = covariates(rng, irq, flt, fixed)
    accept = {'exact less interrupts/faults'}
    if fixed and not d[0]:
        accept.add('exact less a constant')
    for p, ts in f.programs.items():
        case.fill(f, p, lambda _, t: t, lambda i, run: counted(read, d))
        own = set(accept)
        if all(adds * 0.5 < f.margin(t) for t in ts):
            own |= {'exact', 'exact less a constant'}
        case.key(own, '', program=p)
    case.key({c for k in case.keys for c in k['accept'].split('|')}, '')


def covariates(rng, irq, flt, fixed):
    def read():
        return (round(irq * rng.uniform(0.6, 1.4)),
                round(flt if fixed else flt * rng.uniform(0.9, 1.1)))
    return read


def counted(read, d):
    irq, flt = read()
    return d[0] * irq + d[1] * flt, {'interrupts': irq, 'page_faults': flt}


def constant(case, rng, hard):
    """The same number more in each run, at least 2 margins of the least work.

    With one shape per program the constant is at most 2000 counts and 4 % of
    the work: no number of such programs makes it a fault.
    """
    f = Frame(rng, hard, truths=['unit', 'model'], rates=False, shapes=2,
              step=2)
    if 'single' in f.hardships:
        return lone_constant(case, f)
    f.truth_error = lambda: 0
    least = min(min(ts) for ts in f.programs.values())
    few = min(len(ts) for ts in f.programs.values()) < 4
    second = max(sorted(ts)[1] for ts in f.programs.values())
    low = max(2 * f.margin(least), 5 * f.resolution(2 * second))
    a = round(min(low * 10 ** rng.random(),
                  max(low, (0.08 if few else 0.4) * least)))
    free = f.n > 2 and rng.random() < FREE
    f.draw_sigma(min(0.1 * a / second, f.least_margin() / 2), free)
    accept = {'exact less a constant'} | ({'inconclusive'} if free else set())
    if few and a > 0.1 * least:
        accept |= {'inconclusive', 'proportional', 'biased'}
    for p, ts in f.programs.items():
        case.fill(f, p, lambda _, t: t + a)
        own = {'exact'} if a < 1.3 * f.margin(min(ts)) else set()
        case.key(accept | own, '', program=p, constant=a)
    case.key(accept, '', constant=a)


def lone_constant(case, f):
    rng = f.rng
    f.truth, f.digits, f.quantity = 'unit', 0, rng.choice(draws.UNIT)
    a = rng.randint(60, 1900)
    f.programs = {p: [round(a / rng.uniform(0.006, 0.04))]
                  for p in f.programs}
    f.draw_sigma(min((2000 - a) / max(ts[0] for ts in f.programs.values()),
                     *(f.room(p, lambda _, t: t + a) for p in f.programs)))
    for p in f.programs:
        case.fill(f, p, lambda _, t: t + a)
        case.key({'inconclusive', 'exact less a constant'}, '', program=p)
    case.key({'inconclusive', 'exact less a constant'}, '')


ROUND = [2, 3, 4, 8, 0.5, 0.25, 1.5]


def proportional(case, rng, hard):
    """A factor, the same in all shapes; a third of them round."""
    f = Frame(rng, hard, shapes=1 if hard else 2, step=2, lowest=3e3)
    size = max(draw_size(f, most=2), 40 / least_truth(f))
    b = 1 - size if size < 0.9 and rng.random() < 0.5 else 1 + size
    if rng.random() < 1 / 3:
        b = rng.choice(ROUND)

    def accept_of(program):
        ts = f.programs[program]
        if len(ts) > 1:
            return {'proportional'}
        part = b < 1 and f.quantity in draws.HIDDEN
        return ({'proportional', 'biased'} | ({'one-sided'} if part else set())
                | ({'inconclusive'} if small_excess(f, ts[0], b) else set()))
    plant(case, f, lambda _, t: b * t, accept_of, 'factor',
          factor=f'{b:.6g}')


def small_excess(f, t, b):
    """In one shape: start-up would explain it."""
    return (f.truth == 'unit' and not f.rate and 1 < b < 1.06 and
            (b - 1) * t <= 2100)


def least_truth(f):
    return 1e9 if f.rate else min(min(ts) for ts in f.programs.values())


def factor_and_constant(case, rng, hard):
    """b t + a, with a > 0: neither alone explains three shapes.

    The best constant alone leaves at least 2 margins in the largest shape.
    """
    f = Frame(rng, hard, rates=False, shapes=3, step=2, lowest=3e3,
              hardships=('spikes', 'digits'))
    apart = min(1 - ts[0] / ts[-1] for ts in f.programs.values())
    size = draw_size(f, least=4 / apart, most=2)
    b = 1 - size if size < 0.8 and rng.random() < 0.4 else 1 + size
    if rng.random() < 1 / 4:
        b = rng.choice([2, 3, 0.5])
    least = least_truth(f)
    a = round(2 * f.margin(least, max(1, b) * least) * 10 ** rng.random())
    plant(case, f, lambda _, t: b * t + a, lambda _: {'proportional'},
          'factor and constant', factor=f'{b:.6g}', constant=a)


def biased(case, rng, hard):
    """Off, but by no one factor."""
    kind = rng.choice([each_its_own, from_some_shape_on, counts_nothing,
                       less_a_constant])
    if hard and kind is not counts_nothing:
        kind = rng.choice([each_its_own, one_shape_off])
    kind(case, rng, hard)


def each_its_own(case, rng, hard):
    """Every shape has an error of its own."""
    f = Frame(rng, hard, shapes=3, hardships=('spikes', 'digits'))
    visible(f)
    k = max(len(ts) for ts in f.programs.values())

    def draw():
        sizes = [draw_size(f, 2, 0.8) for _ in range(k)]
        return [1 + (-s if s < 0.9 and rng.random() < 1 / 3 else s)
                for s in sizes]
    fs = redrawn(draw, lambda fs: no_line(f, lambda i, t: fs[i] * t))
    fails = {'biased'} | ({'proportional'} if alike(f, fs) else set())
    plant(case, f, lambda i, t: fs[i] * t, lambda _: fails, 'bias')


def alike(f, fs):
    """Some neighbours on one side of the truth could share a factor."""
    near = 3 * f.relative_margin()
    sides = [v > 1 for v in fs]
    alone = [a != b != c for a, b, c in
             zip([None] + sides, sides, sides[1:] + [None])]
    return any(alone) or any(abs(a - b) < near * max(1, a) and
                             (a > 1) == (b > 1) for a, b in zip(fs, fs[1:]))


def no_line(f, mean_of):
    return not any(draws.line_fits(f, p, mean_of, 3) for p in f.programs)


def visible(f):
    """No quantity that a prefetcher may take over."""
    if f.quantity in draws.HIDDEN:
        f.quantity = f.rng.choice(draws.SEEN)


def from_some_shape_on(case, rng, _):
    """Right below some shape, too high from there on."""
    f = Frame(rng, False, shapes=4, hardships=())
    visible(f)
    f.programs, f.truth_error = {'p0': f.programs['p0']}, lambda: 0
    ts = f.programs['p0']
    first = rng.randint(2, len(ts) - 2)

    def draw():
        return [1 if i < first else 1 + draw_size(f, 2, 1)
                for i in range(len(ts))]
    fs = redrawn(draw, lambda fs: no_line(f, lambda i, t: fs[i] * t))

    def mean_of(i, t):
        return fs[i] * t
    f.draw_sigma(f.room('p0', mean_of))
    beyond = fs[first:]
    one = max(beyond) - min(beyond) < 4 * max(beyond) * f.relative_margin()
    case.fill(f, 'p0', mean_of)
    fails = {'biased'} | ({'proportional'} if one else set())
    case.key(fails, 'bias')
    sure = chances(f, ts[0], ts[0])[0] > 1 - draws.POSSIBLE
    case.key({'exact'} | (set() if sure else {'inconclusive'}), '',
             program='p0', at=1)
    case.key(fails, 'bias', program='p0', at=2 ** (len(ts) - 1))


def counts_nothing(case, rng, hard):
    """Nothing should happen, and the event counts."""
    f = Frame(rng, hard, truths=['unit', 'model'], hardships=('spikes',))
    visible(f)
    f.places = max(f.places, 2)
    level = rng.uniform(0.1, 5) if f.rate else 10 ** rng.uniform(2.5, 6)
    f.draw_sigma(0.5)
    f.programs = {p: [0.0] * len(ts) for p, ts in f.programs.items()}
    fs = [rng.uniform(0.6, 1.7) for _ in range(8)]
    for p in f.programs:
        case.fill(f, p, lambda i, _: fs[i] * level)
        case.key({'biased'}, 'counts nothing', program=p)
    case.key({'biased'}, 'counts nothing')


def less_a_constant(case, rng, hard):
    """A constant is missing in each run; no start-up takes counts away."""
    f = Frame(rng, hard, rates=False, shapes=2, step=2, hardships=())
    visible(f)
    a = round(rng.uniform(0.25, 0.6) * least_truth(f))
    f.programs = {p: kept for p, ts in f.programs.items()
                  if (kept := [t for t in ts if a >= 2.2 * f.margin(t)])}
    plant(case, f, lambda _, t: t - a, lambda _: {'biased', 'proportional'},
          'bias')


def one_shape_off(case, rng, hard):
    """One shape, beyond the margin by more than any start-up."""
    f = Frame(rng, hard, hardships=('single',))
    visible(f)
    size = draw_size(f, max(2, 0.07 / f.relative_margin()), 0.9)
    b = 1 - size if size < 0.9 and rng.random() < 0.5 else 1 + size
    plant(case, f, lambda _, t: b * t, lambda _: {'biased', 'proportional'},
          'bias')


def one_sided(case, rng, hard):
    """Prefetchers take a part, another part in each shape."""
    f = Frame(rng, hard, truths=['model'], quantities=draws.HIDDEN,
              shapes=1 if hard else 3, lowest=3e3)
    k = max(len(ts) for ts in f.programs.values())
    first = rng.randint(1, k - 1) if k > 3 and rng.random() < 0.3 else 0
    f.places = max(f.places, 2)

    def draw():
        return [1 if i < first else rng.uniform(0.05, 0.75) for i in range(k)]

    def good(fs):
        part = fs[first:]
        return (all(fs[i] * t >= 4 * f.resolution(t)
                    for ts in f.programs.values() for i, t in enumerate(ts))
                and (len(part) == 1 or max(part) - min(part) > 0.15)
                and (k < 3 or no_line(f, lambda i, t: fs[i] * t)))
    fs = redrawn(draw, good)
    if first:
        f.programs, f.truth_error = {'p0': f.programs['p0']}, lambda: 0
        f.draw_sigma(f.room('p0', lambda i, t: fs[i] * t))
        case.fill(f, 'p0', lambda i, t: fs[i] * t)
        return case.key({'one-sided'}, 'part')
    plant(case, f, lambda i, t: fs[i] * t, lambda _: {'one-sided'}, 'part')


def dead(case, rng, hard):
    """Nothing is counted, or a ten-thousandth of what happens at most."""
    f = Frame(rng, hard, hardships=('single', 'digits'))
    some = rng.random() < 0.3 and not f.rate
    part = rng.uniform(0, 0.5e-4) if some else 0
    names = list(f.programs)
    live = names[1:] if rng.random() < 0.5 else []
    if live:
        visible(f)
    for p in names:
        if p in live:
            clean(case, f, p)
        else:
            case.fill(f, p, lambda _, t: part * t, wild=lambda _, c: c)
            case.key({'dead'}, 'dead', program=p)
    case.key({'dead'}, 'dead')


def unstable(case, rng, hard):
    """Two levels in one shape, or readings anywhere around the truth."""
    f = Frame(rng, hard, reps=4, hardships=('single', 'digits'))
    f.places = max(f.places, 2)
    high = rng.uniform(1.6, 4)
    level = set(rng.sample(range(f.readings), max(2, f.readings // 3)))
    two = rng.random() < 0.5 and f.readings > 4

    def wild(run, count):
        if two:
            return count * (high if run in level else 1)
        side = 1 if run % 2 else -1     # never all on one side by chance
        return count * (1 + side * rng.uniform(0.2, 0.6))
    for p in f.programs:
        case.fill(f, p, lambda _, t: t, wild=wild)
        case.key({'unstable'}, 'unstable', program=p)
    case.key({'unstable'}, 'unstable')


def law_violated(case, rng, hard):
    """A count below 0, a part above its total, too many per cycle."""
    kind = rng.choice(['wrap', 'part', 'ipc'])
    f = Frame(rng, hard, truths=['unit'], rates=False,
              hardships=('spikes', 'single'))
    if kind == 'wrap':
        clean(case, f, 'p0')
        f.programs = {'p0': f.programs['p0']}
        row = rng.choice(case.rows)
        row['count'] = rng.choice(['1.844674e19',
                                   str(2 ** 64 - rng.randint(1, 10 ** 6))])
        case.keys.clear()
        return case.key({'law violated'}, 'wrap')
    parts = {'part': rng.choice([('mispredicts', 'branches'),
                                 ('l1d_refills', 'l1d_accesses'),
                                 ('ll_misses', 'll_accesses')]),
             'ipc': ('instructions', 'cycles')}[kind]
    f.spikes, f.n = 0, f.readings
    times = rng.uniform(1.1, 9) if kind == 'part' else rng.uniform(14, 90)
    for name, by in zip(parts, (times, 1)):
        f.quantity = name
        for p in f.programs:
            case.fill(f, p, lambda _, t: by * t, event=name, truth=False)
    case.key({'law violated'}, kind, event='law:*')


def inconclusive(case, rng, hard):
    """Too little is known for any verdict."""
    rng.choice([no_truth, one_bound, wide_bounds, only_zeros, lone_excess,
                seldom_counted, noisy, buried])(case, rng, hard)


def without_truth(case, rng, hard, **cells):
    f = Frame(rng, hard, truths=['model'], hardships=('digits', 'single'))
    f.draw_sigma(0.1)
    for p in f.programs:
        case.fill(f, p, lambda _, t: t)
    for row in case.rows:
        t = float(row['expected'])
        row['expected'] = ''
        row.update((k, f'{v * t:.10g}') for k, v in cells.items())
    case.key({'inconclusive'}, '')


def no_truth(case, rng, hard):
    without_truth(case, rng, hard)


def one_bound(case, rng, hard):
    if rng.random() < 0.5:
        without_truth(case, rng, hard, expected_low=rng.uniform(0.01, 0.9))
    else:
        without_truth(case, rng, hard, expected_high=rng.uniform(1.1, 90))


def wide_bounds(case, rng, hard):
    without_truth(case, rng, hard, expected_low=rng.uniform(0.3, 0.9),
           expected_high=rng.uniform(1.15, 9))


def only_zeros(case, rng, hard):
    f = Frame(rng, hard, truths=['unit', 'model'], hardships=('single',))
    f.programs = {p: [0.0] * len(ts) for p, ts in f.programs.items()}
    for p in f.programs:
        case.fill(f, p, lambda _, t: t)
        case.key({'inconclusive'}, '', program=p)
    case.key({'inconclusive'}, '')


def lone_excess(case, rng, hard):
    """One shape, a little more than expected: start-up, or a share."""
    f = Frame(rng, hard, truths=['unit'], rates=False, hardships=('single',))
    f.programs = {'p0': f.programs['p0'][:1]}
    lone_constant(case, f)


def seldom_counted(case, rng, hard):
    f = Frame(rng, hard, hardships=('digits', 'single'))
    f.scaled = round(rng.uniform(0.1, 0.4), 3)
    f.draw_sigma(1e-3)
    for p in f.programs:
        case.fill(f, p, lambda _, t: t)
        case.key({'inconclusive'}, '', program=p)
    case.key({'inconclusive'}, '')


def noisy(case, rng, hard):
    """Right, but the scatter is wider than the margin."""
    f = Frame(rng, hard, truths=['unit'], rates=False, reps=3, lowest=1e5,
              hardships=('single',))
    f.sigma = rng.uniform(1e-3, 3e-3)
    every = [clean(case, f, p, set_sigma=False) for p in f.programs]
    case.key(set().union(*every), '')


def buried(case, rng, hard):
    """A bias of 2 to 3 margins below the scatter: not exact, not proven."""
    f = Frame(rng, hard, truths=['unit'], rates=False, reps=3, lowest=1e5,
              hardships=('single',))
    f.sigma = rng.uniform(1e-3, 3e-3)
    b = 1 + f.relative_margin() * rng.uniform(2, 3)
    total = set()
    for p, ts in f.programs.items():
        total |= (own := buried_classes(f, ts, b))
        case.fill(f, p, lambda _, t: b * t)
        case.key(own, 'buried bias', program=p)
    case.key(total, 'buried bias')


def buried_classes(f, ts, b):
    each = [chances(f, t, b * t) for t in ts]
    together = 2.6 * f.sigma / (f.n * len(ts)) ** 0.5
    out = (any(c[3] > draws.POSSIBLE for c in each) or
           b - 1 - together > f.relative_margin() / 2)
    return {'inconclusive'} | ({'biased', 'proportional'} if out else set())


CLASSES = {
    'exact': exact,
    'exact less interrupts/faults': less,
    'exact less a constant': constant,
    'proportional': proportional,
    'proportional with a constant': factor_and_constant,
    'biased': biased,
    'one-sided': one_sided,
    'dead': dead,
    'unstable': unstable,
    'law violated': law_violated,
    'inconclusive': inconclusive,
}
