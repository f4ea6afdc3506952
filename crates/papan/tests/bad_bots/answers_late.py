"""Answers rightly, but after the time is over; ignores stop."""
import sys, time

for line in sys.stdin:
    word, *rest = line.split()
    if word == "hello":
        print("hello papan 1 games * name Late", flush=True)
    elif word == "moves":
        move = rest[0]
    elif word == "go":
        time.sleep(5)
        print("bestmove", rest[0], move, flush=True)
