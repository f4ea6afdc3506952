"""Says hello, and then says `info` without end in many processes, so that there is always more to read."""
import fcntl, os, sys

CHILDREN = 8
fcntl.fcntl(1, 1031, 1 << 20)
for line in sys.stdin:
    if line.startswith("hello"):
        print("hello papan 1 games * name Flood", flush=True)
    elif line.startswith("newgame"):
        for _ in range(CHILDREN):
            if os.fork() == 0:
                while True:
                    os.write(1, b"info\n" * 800)
