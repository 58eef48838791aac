# ^C finishes a native point, keeps what is there, exits with 130.
seeds=$(seq -s , 1 400)
# a shell's background job ignores ^C, so python starts it
python3 - "$seeds" <<'END'
import os, signal, subprocess, sys, time
job = subprocess.Popen([os.environ['ASSAY'], 'sweep', 'chase', '--elements',
    '262144', '--seed', sys.argv[1], '--passes', '1', '-q', '-j', '-o',
    'kept.jsonl'], preexec_fn=lambda: signal.signal(signal.SIGINT,
    signal.SIG_DFL))
def has_written():
    """Into a file of this folder, which may have no name yet?"""
    fds = f'/proc/{job.pid}/fd/'
    for fd in os.listdir(fds):
        try:
            if os.readlink(fds + fd).startswith(os.getcwd() + '/') and \
                    os.stat(fds + fd).st_size:
                return True
        except OSError:
            pass        # closed in the meantime
    return False

while not has_written():
    assert job.poll() is None, 'it ended by itself'
    time.sleep(0.01)
job.send_signal(signal.SIGINT)
print('status', job.wait())
END
lines=$(grep -c '^{"t":"record",.*}$' kept.jsonl)
[ "$lines" -gt 0 ] && [ "$lines" -lt 400 ] && echo some
grep -vc '^{"t":"record",.*}$' kept.jsonl
ls
echo '# a trace: no result, and the file of an earlier one stays'
echo earlier >trace.jsonl
python3 - <<'EOF'
import os, signal, subprocess
job = subprocess.Popen([os.environ['ASSAY'], 'sim', '--cpu', 'cortex-a72',
    '--trace', '-', '--trace-format', 'din', '-j', '-o', 'trace.jsonl'],
    stdin=subprocess.PIPE, bufsize=0,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
lines = b'0 10\n' * 100000
asked = False
try:
    while True:
        job.stdin.write(lines)
        if asked:
            continue
        with open(f'/proc/{job.pid}/status', encoding='ascii') as status:
            caught = [l for l in status if l.startswith('SigCgt:')]
        asked = int(caught[0].split()[1], 16) >> signal.SIGINT - 1 & 1
        if asked:
            job.send_signal(signal.SIGINT)
except BrokenPipeError:
    pass
print('status', job.wait())
EOF
cat trace.jsonl
ls
echo '# a trace that does not come: it is not waited for, nor begun to be'
python3 - <<'EOF'
import os, signal, subprocess, time

def status_of(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as status:
        return dict(line.split(':', 1) for line in status)

for asleep in True, False:
    job = subprocess.Popen([os.environ['ASSAY'], 'sim', '--cpu', 'cortex-a72',
        '--trace', '-', '--trace-format', 'din'], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL)
    while True:
        said = status_of(job.pid)
        if int(said['SigCgt'], 16) >> signal.SIGTERM - 1 & 1 and (
                not asleep or said['State'].split()[0] == 'S'):
            break
    if asleep:
        time.sleep(0.1)
    job.send_signal(signal.SIGTERM)
    print('status', job.wait())
EOF
echo '# and on the software PMU at once, with what repetitions it has'
python3 - <<'EOF'
import json, os, signal, subprocess, time
ASKED = 100000
job = subprocess.Popen([os.environ['ASSAY'], 'run', 'chase', '--accesses',
    '1000000', '--on', 'sim:cortex-a72', '--no-fast-forward', '-e',
    'L1D_CACHE', '-r', str(ASKED), '-j'], stdout=subprocess.PIPE,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

def on_its_own():
    """Does the job do something of its own on ^C yet, or is it dead?"""
    with open(f'/proc/{job.pid}/status', encoding='ascii') as status:
        caught = [line for line in status if line.startswith('SigCgt:')]
    return (job.poll() is not None or
            int(caught[0].split()[1], 16) >> signal.SIGINT - 1 & 1)

while not on_its_own():
    time.sleep(0.01)
job.send_signal(signal.SIGINT)
records = [json.loads(line) for line in job.communicate()[0].splitlines()]
print('status', job.returncode)
print('too many', [r for r in records if r['t'] == 'record' and
                   not 0 < len(r['ns']) < ASKED])
EOF
