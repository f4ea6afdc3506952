"""Takes away a rival's file and opens a private one to everyone, in every way there is."""
import os, sys

rival, private = sys.argv[1].split(":")
here = os.path.abspath(__file__)
attempts = {
    "rival": lambda: os.chmod(rival, 0),
    "private": lambda: os.chmod(private, 0o644),
    "by descriptor": lambda: os.fchmod(os.open(rival, os.O_RDONLY), 0),
    "own file": lambda: os.chmod(here, 0o777),
    "own file by descriptor": lambda: os.fchmod(os.open(here, os.O_RDONLY), 0o777),
    "owner": lambda: os.chown(rival, os.getuid(), os.getgid()),
    "attribute": lambda: os.setxattr(here, "user.note", b"x"),
    "time": lambda: os.utime(rival, (0, 0)),
    "own time": lambda: os.utime(here, (0, 0)),
    "contents": lambda: os.truncate(rival, 0),
    "name": lambda: os.rename(rival, rival + "~"),
}
for line in sys.stdin:
    for name, attempt in attempts.items():
        try:
            attempt()
            print("DONE", name, file=sys.stderr)
        except OSError as error:
            print("refused", name, error, file=sys.stderr)
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
