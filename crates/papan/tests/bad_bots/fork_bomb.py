"""Starts processes without end."""
import os, sys, time

sys.stdin.readline()
while True:
    try:
        if os.fork() == 0:
            continue
    except OSError:
        time.sleep(0.01)
