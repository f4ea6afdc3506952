"""Answers for another position: always with the number of the request before."""
import sys

for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("hello papan 1 games * name Wrong", flush=True)
    elif word == "moves":
        move = rest[0]
    elif word == "go":
        print("bestmove", int(rest[0]) - 1, move, flush=True)
