# ^C finishes the point, keeps what is there, exits with 130.
seeds=$(seq -s , 1 400)
# a shell's background job ignores ^C, so python starts it
python3 - "$seeds" <<'END'
import os, signal, subprocess, sys, time
job = subprocess.Popen([os.environ['ASSAY'], 'sweep', 'chase', '--elements',
    '262144', '--seed', sys.argv[1], '--passes', '1', '-q', '-j', '-o',
    'kept.jsonl'], preexec_fn=lambda: signal.signal(signal.SIGINT,
    signal.SIG_DFL))
while not [f for f in os.listdir('.') if f.startswith('kept.jsonl.') and
           os.path.getsize(f)]:
    time.sleep(0.01)
job.send_signal(signal.SIGINT)
print('status', job.wait())
END
lines=$(grep -c '^{"t":"record",.*}$' kept.jsonl)
[ "$lines" -gt 0 ] && [ "$lines" -lt 400 ] && echo some
grep -vc '^{"t":"record",.*}$' kept.jsonl
ls
