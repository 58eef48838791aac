# SPDX-License-Identifier: MIT
"""Watches what runs below a process: what it is at, and whether it only sleeps.

A machine may be as slow as it likes; but what has slept for ten minutes, each
time that it was looked at, waits for something that does not come.
"""
import os
import shutil
import signal
import subprocess
import time
from collections import namedtuple

LOOK = 5            # seconds
TELL = 600          # what is still at work is told so often
SLEPT = 600         # that long asleep: it hangs
BUSY = 0.02         # of a processor; less is asking again and again
ASLEEP = 'StTZX'    # states of proc(5) that are no work, nor waiting for a disk

Process = namedtuple('Process', 'parent state ticks')
TICK = 1 / os.sysconf('SC_CLK_TCK')
MARK = 'TOLD_BY_WATCH'      # in the environment: whose parent has ended, too


def _processes():
    found = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{name}/stat', encoding='utf-8',
                      errors='replace') as stat:
                rest = stat.read().rpartition(')')[2].split()
        except OSError:     # it has ended
            continue
        found[int(name)] = Process(int(rest[1]), rest[0],
                                   sum(int(t) for t in rest[11:15]))
    return found


def _tree(root, processes):
    """root and all below it that is there; parents stand before children."""
    tree = [root] if root in processes else []
    for pid in tree:
        tree += [p for p, of in processes.items() if of.parent == pid]
    return tree


def _text(pid, name):
    try:
        with open(f'/proc/{pid}/{name}', encoding='utf-8',
                  errors='replace') as file:
            return file.read().replace('\0', ' ').strip()
    except OSError:
        return ''


def _command(pid):
    return _text(pid, 'cmdline')[:300] or _text(pid, 'comm')


def _calls(pid):
    """Where a process is, if there is a debugger."""
    if not shutil.which('gdb'):
        return ''
    try:
        return subprocess.run(
            ['gdb', '-nx', '-batch', '-p', str(pid), '-ex',
             'thread apply all backtrace 12'], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60,
            text=True, errors='replace').stdout.strip()
    except subprocess.TimeoutExpired:
        return ''


class Watch:
    def __init__(self, root, mark, say, slept):
        self.root, self.mark, self.say, self.slept = root, mark, say, slept
        self.told = self.begun = time.monotonic()
        self.asleep = {}    # child: (since when, ticks until then)

    def children(self, processes):
        """Those of root, and what they have left behind: it may keep a pipe
        open, which root reads to its end."""
        own = _tree(self.root, processes)
        return [p for p, of in processes.items() if of.parent == self.root or
                (p not in own and of.parent not in own and
                 of.state != 'Z' and f' {self.mark} ' in
                 f' {_text(p, "environ")} ')]

    def report(self, child, processes):
        tree = _tree(child, processes)
        for pid in tree:
            self.say(f'  {pid} {processes[pid].state} '
                     f'{_text(pid, "wchan")}: {_command(pid)}')
        for pid in tree:
            calls = _calls(pid)
            if calls:
                self.say(f'  {pid}:\n{calls}')

    def report_all(self):
        processes = _processes()
        for child in self.children(processes):
            self.report(child, processes)

    def hangs(self, child, processes, now):
        tree = [processes[p] for p in _tree(child, processes)]
        ticks = sum(p.ticks for p in tree)
        since, then = self.asleep.get(child, (now, ticks))
        if (any(p.state not in ASLEEP for p in tree) or
                (ticks - then) * TICK > BUSY * (now - since) + 1):
            since, then = now, ticks
        self.asleep[child] = since, then
        return now - since >= self.slept

    def end(self, child, processes):
        self.say(f'---- has slept for {self.slept} s, and is killed:')
        self.report(child, processes)
        for pid in reversed(_tree(child, processes)):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass

    def look(self):
        now, processes = time.monotonic(), _processes()
        children = self.children(processes)
        for child in children:
            if self.hangs(child, processes, now):
                self.end(child, processes)
        self.asleep = {c: s for c, s in self.asleep.items() if c in children}
        if now - self.told >= TELL:
            self.told = now
            self.say(f'after {(now - self.begun) / 60:.0f} minutes at work: ' +
                     '; '.join(_command(c) for c in children))


def run(command, say, slept=SLEPT):
    """The status of a command, all of whose children are watched."""
    mark = f'{MARK}={os.getpid()}'
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL,
                           env=os.environ | dict([mark.split('=')]))
    watch = Watch(job.pid, mark, say, slept)

    def told_to_end(number, _):
        say('---- told to end; at work:')
        watch.report_all()
        job.terminate()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = signal.signal(signal.SIGTERM, told_to_end)
    while True:
        try:
            status = job.wait(min(LOOK, slept / 4))
            break
        except subprocess.TimeoutExpired:
            watch.look()
    signal.signal(signal.SIGTERM, before)
    return status
