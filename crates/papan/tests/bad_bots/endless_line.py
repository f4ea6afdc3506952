"""Writes one line without end."""
import sys

sys.stdin.readline()
while True:
    sys.stdout.write("x" * 1000)
