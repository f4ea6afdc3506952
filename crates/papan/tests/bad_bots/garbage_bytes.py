"""Answers with bytes that are no text."""
import sys

for line in sys.stdin:
    sys.stdout.buffer.write(b"\xff\xfe\x00\x9c\n")
    sys.stdout.flush()
