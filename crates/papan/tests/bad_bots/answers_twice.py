"""Answers each question twice, so that the second is taken for the next question's."""
import sys

for line in sys.stdin:
    move = line.rstrip("\n").split(" | ")[3].split()[0]
    print(move + "\n" + move, flush=True)
