"""Takes memory without end."""
import sys

sys.stdin.readline()
held = []
while True:
    held.append(bytearray(16 << 20))
