"""Answers with a move that is not legal: the first cell again and again."""
import sys

for line in sys.stdin:
    print("a1", flush=True)
