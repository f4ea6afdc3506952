"""A bot in the simplest form: one line in, one line out. Plays every game.

Try it:  papan match othello "exec:python3 examples/bots/starter.py" random
The protocol is described in docs/protocol.md.
"""
import random
import sys


def choose(game, side, position, moves):
    """Your idea goes here: give back one of `moves`."""
    return random.choice(moves)


for line in sys.stdin:
    game, side, position, moves = line.rstrip("\n").split(" | ")
    print("thinking about", position, file=sys.stderr)
    print(choose(game, side, position, moves.split()), flush=True)
