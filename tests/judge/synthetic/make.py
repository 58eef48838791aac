# SPDX-License-Identifier: MIT
"""Cases by number, and their files."""
import csv
import os
import random

import draws
from classes import CLASSES
from microcode import two_microcodes

COLUMNS = ['machine', 'microcode', 'program', 'shape', 'event', 'run', 'count',
           'expected', 'expected_low', 'expected_high', 'quantity', 'truth',
           'resolution', 'scaled', 'measured', 'interrupts', 'page_faults']
KEY = ['table', 'machine', 'event', 'program', 'at', 'accept', 'fault',
       'factor', 'constant', 'kind']


def case(seed, number):
    """Case `number`: its class and half follow from the number alone."""
    kinds = list(CLASSES)
    kind, hard = kinds[number % 11], number // 11 % 2 == 1
    rng = random.Random(f'{seed}/{number}')
    made = draws.Case(f'm{number}', 'hard' if hard else 'plain')
    CLASSES[kind](made, rng, hard)
    for key in made.keys:
        key['kind'] = kind
    return made


def cases(seed, count):
    made = [case(seed, i) for i in range(count)]
    return made + [two_microcodes(seed, i) for i in range(count // 50)]


def write(path, columns, rows):
    with open(path, 'w', newline='', encoding='utf-8') as out:
        table = csv.DictWriter(out, columns, restval='', lineterminator='\n')
        table.writeheader()
        table.writerows(rows)


def write_tables(folder, made):
    """DIR/NAME.csv for each table; returns their paths."""
    paths = []
    for name in sorted({m.table for m in made}):
        paths.append(os.path.join(folder, name + '.csv'))
        columns = COLUMNS[:]
        random.Random(name).shuffle(columns)    # any order is allowed
        write(paths[-1], columns,
              (r for m in made if m.table == name for r in m.rows))
    return paths


def write_all(folder, made):
    """The tables, and DIR/key.csv; returns the tables' paths."""
    write(os.path.join(folder, 'key.csv'), KEY,
          (k for m in made for k in m.keys))
    return write_tables(folder, made)
