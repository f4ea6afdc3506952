"""Opens the other end of its own input, so that nobody can close it, and plays on."""
import os, signal, sys

signal.signal(signal.SIGPIPE, signal.SIG_IGN)
try:
    kept = os.open("/proc/self/fd/0", os.O_RDWR)
    print("kept its input open", file=sys.stderr, flush=True)
except OSError as error:
    print("refused", error, file=sys.stderr, flush=True)
while True:
    line = sys.stdin.readline()
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
