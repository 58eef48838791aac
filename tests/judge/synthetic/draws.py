# SPDX-License-Identifier: MIT
"""Readings of events that do not exist, and what they can prove.

The draws, stated before any judge ran on them. One case is one machine with
one event (laws: two events).
  programs     1, or 2 in a fifth of the plain cases; 1 to 4 where each
               program has one shape
  shapes       1 to 8 per program, truths 1.5 to 8 times apart, 1e3 to 1e9
  repetitions  1 to 10
  scatter      0 in a fifth of the cases, else 1e-6 to 3e-3 of the count,
               normal
  rates        a third of the cases where a rate makes sense: 0.2 to 9.9 per
               unit of work, published with 2 to 5 digits
  truth        `unit` has no error; `model` is off by up to 1 %, `about` by up
               to 1.5 %, where nothing is planted
  faults       at least 2 margins in every shape that has the fault, half of
               them at most 4
  hard half    one or two of: spikes (n >= 5, at most a fifth of the readings),
               4 to 5 digits published, one shape per program
The margins below are the definition of agreement, from the table of the manual;
without the margins "a fault of 2 margins" says nothing. The judge and this file
share no other number.

A reading that stands alone, or beside one other, does not show its scatter. So
the scatter is then at most a fifth of the distance between what is counted and
the nearest edge of the margin. With three readings or more the scatter is free
in 15 % of the cases; else it leaves no doubt. In the class `inconclusive` some
faults are buried in their scatter on purpose.

What is provable follows from the draw, not from the readings: `chances` draws
the mean and its 99 % interval 600 times. A class whose chance is above 0.3 %
is accepted, so a case whose scatter leaves two answers open accepts both.
"""
import functools
import math
import random

MARGIN = {'unit': (0.0005, 0.002), 'model': (0.03, 0.03),
          'about': (0.05, 0.05)}
LONE_CAP = 2e6          # counts; of `unit` truth and fewer than 3 readings
TRUTH_ERROR = {'unit': 0, 'model': 0.01, 'about': 0.015}
STUDENT = {3: 9.925, 4: 5.841, 5: 4.604, 6: 4.032, 7: 3.707, 8: 3.499,
           9: 3.355, 10: 3.250}     # 99.5 %, for n readings
UNIT = ['instructions', 'loads', 'stores', 'branches', 'cond_branches']
SEEN = ['l1d_accesses', 'l2_accesses']      # no prefetcher takes these over
HIDDEN = ['l1d_refills', 'l2_refills', 'll_misses']
POSSIBLE = 0.003
EXACT = {'exact', 'exact less interrupts/faults', 'exact less a constant',
         'within bounds'}
FAILS = {'law violated', 'dead', 'unstable', 'proportional', 'biased',
         'one-sided'}


def margin(truth, t, n, resolution):
    """What is still agreement with t, for n readings."""
    share = MARGIN[truth][n < 3] * t
    if resolution < 1:
        return max(share, resolution, min(0.02, 0.05 * t)) if t else 0.02
    if truth == 'unit' and n < 3:
        share = min(share, LONE_CAP)
    return share + 3 + (resolution if resolution > 1 else 0)


@functools.lru_cache(None)
def samples(n):
    """600 times: mean of n normal readings, half-width of its interval."""
    rng = random.Random(n)
    out = []
    for _ in range(600):
        z = [rng.gauss(0, 1) for _ in range(n)]
        mean = sum(z) / n
        if n == 1:
            out.append((mean, 0))
            continue
        s = math.sqrt(sum((x - mean) ** 2 for x in z) / (n - 1))
        out.append((mean, s if n == 2 else STUDENT[n] * s / math.sqrt(n)))
    return out


def reach(n):
    """Scatters between a mean and the far end of its interval, at most."""
    if n < 3:
        return 5
    return sorted(abs(m) + h for m, h in samples(n))[-2]


class Frame:
    """How a case is measured; what is counted comes from its class."""

    def __init__(self, rng, hard, truths=('unit', 'model', 'about'),
                 quantities=None, rates=True, shapes=1, step=1.5, reps=1,
                 lowest=1e3, hardships=('spikes', 'digits', 'single')):
        self.rng = rng
        self.hardships = set(rng.sample(hardships, rng.choice(
            [1, min(2, len(hardships))]))) if hard else set()
        self.truth = rng.choice(truths)
        self.quantity = rng.choice(quantities or {
            'unit': UNIT, 'model': SEEN + HIDDEN, 'about': ['traffic']
        }[self.truth])
        self.rate = rates and rng.random() < 1 / 3
        self.readings = rng.randint(max(reps, 5 if 'spikes' in self.hardships
                                        else 1), 10)
        self.spikes = ((self.readings // 5) if 'spikes' in self.hardships
                       else 0)
        self.n = self.readings - self.spikes    # what a judge can use
        self.digits = rng.choice([4, 5]) if 'digits' in self.hardships else 0
        self.scaled = 1.0
        self.sigma = 0.0
        self.measured = rng.choice(['region', 'process'])
        self.programs = self.draw_programs(shapes, step, lowest)
        least = min(min(ts) for ts in self.programs.values())
        self.places = (self.digits or rng.randint(2, 5)) - (least >= 1)

    def draw_programs(self, shapes, step, lowest):
        rng = self.rng
        if 'single' in self.hardships:
            first = self.draw_truths(rng.randint(1, 4), step, lowest)
            return {f'p{i}': [t] for i, t in enumerate(first)}
        count = 2 if not self.hardships and rng.random() < 0.2 else 1
        most = rng.randint(shapes, 8)
        return {f'p{i}': self.draw_truths(most, step, lowest)
                for i in range(count)}

    def draw_truths(self, count, step, lowest):
        """`count` truths, rising by `step` to 8 times."""
        rng = self.rng
        low, high = (0.2, 9.9) if self.rate else (lowest, 1e9)
        widest = (high / low) ** (1 / count)
        ratio = math.exp(rng.uniform(math.log(min(step, widest)),
                                     math.log(min(8, widest))))
        top = high / ratio ** (count - 1)
        first = math.exp(rng.uniform(math.log(low), math.log(top)))
        ts = [first * ratio ** i for i in range(count)]
        return [round(t, 5) if self.rate else float(round(t)) for t in ts]

    def resolution(self, value):
        """Rounding unit of a published `value`."""
        if self.rate:
            return 10.0 ** -self.places
        if not self.digits or value < 1:
            return 1.0
        return 10.0 ** max(0, math.floor(math.log10(value)) + 1 - self.digits)

    def margin(self, t, mean=None):
        step = self.resolution(t if mean is None else mean)
        return margin(self.truth, t, self.n, step)

    def relative_margin(self):
        """The widest margin as a part of its truth, whatever is counted."""
        return max((self.margin(t) + self.resolution(t)) / t
                   for ts in self.programs.values() for t in ts)

    def least_margin(self):
        """The narrowest margin as a part of its truth."""
        return min(self.margin(t) / t
                   for ts in self.programs.values() for t in ts)

    def truth_error(self):
        most = TRUTH_ERROR[self.truth]
        return self.rng.uniform(-most, most)

    def draw_sigma(self, room, free=False):
        """Scatter; unless free, no doubt remains within `room` (relative)."""
        rng = self.rng
        if rng.random() > 0.2:
            self.sigma = math.exp(rng.uniform(math.log(1e-6), math.log(3e-3)))
        if self.n < 3 or not free:
            self.sigma = max(0, min(self.sigma, room / reach(self.n)))

    def room(self, program, mean_of):
        """Least distance to an edge of the margin, as a part of the count."""
        least = 1.0
        for i, t in enumerate(self.programs[program]):
            mean = mean_of(i, t)
            step = self.resolution(mean)
            edge = abs(abs(mean - t) - self.margin(t, mean)) - step
            edge -= self.blur() * mean
            least = min(least, edge / max(mean, t, 1e-9))
        return least

    def blur(self):
        """Half-width, as a part of the count, where a count is scaled."""
        return 2.6 * 0.05 * (1 - self.scaled) / self.scaled


def chances(f, t, mean):
    """(in at least, in at most, out at least, out at most), 0 to 1 each."""
    step = f.resolution(mean)
    m, half = f.margin(t, mean), step / 2
    wide = half if step != 1 else 0
    got = [0, 0, 0, 0]
    scatter = f.sigma * mean
    most = math.hypot(scatter, 0.58 * step) if f.sigma else 0
    for z, h in samples(f.n):
        d, blur = abs(mean - t + scatter * z), f.blur() * mean
        sure, maybe = h * most + blur + wide, h * scatter + blur
        got[0] += d + half + sure <= m
        got[1] += d - half + maybe <= m * (1 + 1e-9)
        got[2] += d - half - sure > m
        got[3] += d + half - maybe > m
    return [g / 600 for g in got]


def clean_classes(f, program, mean_of):
    """What may be said of a program in which nothing is planted."""
    ts = f.programs[program]
    each = [chances(f, t, mean_of(i, t)) for i, t in enumerate(ts)]
    accept = set()
    every = math.prod(c[0] for c in each)
    some = 1 - math.prod(1 - c[1] for c in each)
    if some > POSSIBLE or pooled(f, ts, mean_of):
        accept.add('exact')
    if every < 1 - POSSIBLE:
        accept.add('inconclusive')
    if 'exact' in accept and len(ts) == 1:   # what is more, within the margin
        accept.add('exact less a constant')
    return accept


def pooled(f, ts, mean_of):
    """All readings together could prove what no single shape does."""
    half = 2.6 * f.sigma / math.sqrt(f.n * len(ts)) + f.blur()
    return all(abs(mean_of(i, t) - t) + half * t + f.resolution(t) / 2 <=
               f.margin(t) for i, t in enumerate(ts))


def redrawn(draw, good):
    """What `draw` gives, drawn anew until it is good."""
    for _ in range(10000):
        got = draw()
        if good(got):
            return got
    raise RuntimeError('nothing that is drawn is good')


def line_fits(f, program, mean_of, slack=2):
    """Whether one line, weighted by the margins, passes within their slack."""
    ts = f.programs[program]
    cs = [mean_of(i, t) for i, t in enumerate(ts)]
    ws = [f.margin(t) ** -2 for t in ts]
    total = sum(ws)
    tm = sum(w * t for w, t in zip(ws, ts)) / total
    cm = sum(w * c for w, c in zip(ws, cs)) / total
    spread = sum(w * (t - tm) ** 2 for w, t in zip(ws, ts))
    b = sum(w * (t - tm) * (c - cm) for w, t, c in zip(ws, ts, cs))
    b = b / spread if spread else 1
    return all(abs(c - cm - b * (t - tm)) <= slack * max(1, b) * f.margin(t)
               for t, c in zip(ts, cs))


class Case:
    """Rows of one machine, and the key to their verdicts."""

    def __init__(self, machine, table):
        self.machine, self.table = machine, table
        self.rows, self.keys = [], []

    def add(self, **cells):
        self.rows.append(dict(machine=self.machine, **cells))

    def key(self, accept, fault, event='e', program='', at='', **numbers):
        """`at`: the shape's parameter whose region is asked for."""
        self.keys.append(dict(
            table=self.table, machine=self.machine, event=event,
            program=program, at=at, accept='|'.join(sorted(accept)),
            fault=fault, **numbers))

    def fill(self, f, program, mean_of, extra=None, event='e', truth=True,
             wild=None):
        """All readings of a program. `wild(count)` replaces the scatter."""
        for i, t in enumerate(f.programs[program]):
            spiked = f.rng.sample(range(f.readings), f.spikes)
            for run in range(f.readings):
                count = mean_of(i, t)
                step = f.resolution(count)
                count = (wild(run, count) if wild else
                         count * (1 + f.sigma * f.rng.gauss(0, 1)))
                added, beside = extra(i, run) if extra else (0, {})
                if run in spiked:
                    count *= 1 + f.rng.uniform(0.3, 20)
                self.add(event=event, program=program, shape=f'n={2 ** i}',
                         run=run + 1, quantity=f.quantity, truth=f.truth,
                         count=shown(f, count + added, step),
                         resolution=f'{step:g}', scaled=f'{f.scaled:g}',
                         expected=f'{t:.10g}' if truth else '',
                         measured=f.measured, **beside)


def shown(f, count, step):
    """A count as it is published."""
    if f.rate:
        return f'{max(0, count):.{f.places}f}'
    return str(int(max(0, round(count / step)) * step))
