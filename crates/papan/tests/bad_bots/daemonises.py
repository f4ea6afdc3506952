"""Plays one move, leaves a daemon behind that holds standard output open, and ends.

With an argument the daemon's name is no text."""
import ctypes, os, sys, time

line = sys.stdin.readline()
if os.fork() == 0:
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    if len(sys.argv) > 1:
        ctypes.CDLL(None).prctl(15, b"\xff\xfe", 0, 0, 0)
    time.sleep(600)
print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
