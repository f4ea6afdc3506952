"""Fills its temporary folder, a small file at a time, and then answers."""
import os, sys, time

sys.stdin.readline()
folder = os.environ["TMPDIR"]
for number in range(200):
    with open(f"{folder}/{number}", "wb") as file:
        file.write(b"x" * (1 << 20))
    time.sleep(0.02)
print("a1", flush=True)
time.sleep(60)
