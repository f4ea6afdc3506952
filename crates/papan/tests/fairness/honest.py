"""An honest bot: the same amount of work for every move, then the first legal one."""
import sys

WORK = 200_000


def think():
    value = 1
    for number in range(WORK):
        value = (value * 6364136223846793005 + number) & 0xFFFFFFFF
    return value


for line in sys.stdin:
    moves = line.rstrip("\n").split(" | ")
    if len(moves) == 4:
        think()
        print(moves[3].split()[0], flush=True)
