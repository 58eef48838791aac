# SPDX-License-Identifier: MIT
"""What verify says to people, read for what must never be said."""
import collections
import re

from draws import MARGIN, margin

NEVER = {
    'a signed zero': r'[+-]0(\.0+)? ?%',
    'a percentage of 0': r'%[^.;:]*\bof 0(?![\d.,]\d|\d)',
    'no number': r'(?i)(?<![\w-])[+-]?(nan|inf|infinity)(?![\w-])',
    'one of many': r'(?<![\d.,])1 (shapes|programs|repetitions|runs|counts|'
                   r'readings|events|machines)\b',
    'all of the time': r'\b100 % of the time',
    'less than nothing': r'-(?!100(\.0+)? ?%)(\d{3,}(\.\d+)?|\d\S*e\+\d+) ?%',
    'an exponent': r'\d[eE][+-]?\d',
    'a format': r'%(s|d|f|g|zu|PRI)|\(null\)',
}
AGREES = r'\b(agrees?|exact)\b'
NUMBER = r'\d[\d ]*(?:\.\d+)?(?: x 10\^-?\d+)?'
PERCENT = r'(\d+(?:\.\d+)?) ?%(?! of the time)'
CLOSE = {'exact', 'exact less interrupts/faults', 'within bounds'}


def number(text):
    return float(text.replace(' x 10^', 'e').replace(' ', ''))


def widest_margins(rows):
    """machine -> its widest margin in per cent; rows are those of tables."""
    widest = collections.defaultdict(float)
    for r in rows:
        t = float(r['expected'] or r['expected_high'] or 0)
        if t > 0 and r['truth'] in MARGIN:
            m = margin(r['truth'], t, 1, float(r['resolution'] or 1))
            widest[r['machine']] = max(widest[r['machine']], 100 * m / t)
    return widest


def never_said(text):
    return [f'{name}: {text}' for name, pattern in NEVER.items()
            if re.search(pattern, text)]


def above(text, most):
    return [f'{p} % beside an agreement within {most:.3g} %: {text}'
            for p in re.findall(PERCENT, text) if float(p) > most * 1.0001]


def other_factor(row):
    """The factor for people is not the one for programs."""
    said = re.search(f'({NUMBER}) times', row['text'])
    if row['class'] != 'proportional' or not said or not row['factor']:
        return []
    want = float(row['factor'])
    if abs(number(said[1]) - want) <= 0.01 * want:
        return []
    return [f'the factor is {row["factor"]}: {row["text"]}']


def wrong_side(text):
    """A count that is said to be outside a bound is outside that bound."""
    said = re.search(f'Counts ({NUMBER}), (above|below) the (?:most|least) '
                     f'that is possible, ({NUMBER})', text)
    if not said:
        return ['no numbers: ' + text] if 'that is possible' in text else []
    count, bound = number(said[1]), number(said[3])
    if (count > bound) == (said[2] == 'above') and count != bound:
        return []
    return ['not outside: ' + text]


def one_number_twice(text):
    said = re.search(r'anything from (\S+ \S+) to (\S+ \S+)', text)
    return ['from and to are one: ' + text] if said and \
        said[1].rstrip(',;') == said[2].rstrip(',;') else []


def read_row(row, widest):
    """What is wrong with the message of one verdict."""
    out = never_said(row['text']) + never_said(row['next'])
    out += other_factor(row) + wrong_side(row['text'])
    out += one_number_twice(row['text'])
    if not row['text'].strip():
        out.append(f'no text: {row}')
    if row['class'] == 'inconclusive' and not row['next'].strip():
        out.append(f'inconclusive, and nothing to do next: {row}')
    if row['class'] in CLOSE:
        out += above(row['text'], widest[row['machine'].partition('@')[0]])
    return out


def records(page):
    """Lines of a page, with the indented ones that go on with them."""
    return [' '.join(r.split()) for r in re.split(r'\n(?=\S)', page)]


def read_line(line, widest):
    """What is wrong with one line that people see; machines by their name."""
    out = never_said(line)
    name = re.search(r'\b[mu]\d+\b', line)
    if re.search(AGREES, line):
        most = widest.get(name[0]) if name else max(widest.values())
        out += above(line, most or 0)
    return out


def read_all(verdicts, pages, rows):
    """All that is wrong: in the verdicts, and in the pages for people."""
    widest = widest_margins(rows)
    out = [w for v in verdicts for w in read_row(v, widest)]
    for page in pages:
        if not page.strip():
            out.append('an empty page')
        out += [w for line in records(page)
                for w in read_line(line, widest)]
    return out
