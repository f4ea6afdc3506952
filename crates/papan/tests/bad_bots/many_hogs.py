"""Takes memory without end, a little in each of many processes."""
import os, sys, time

sys.stdin.readline()
for _ in range(20):
    if os.fork() == 0:
        held = bytearray(b"x") * (48 << 20)
        time.sleep(60)
time.sleep(60)
