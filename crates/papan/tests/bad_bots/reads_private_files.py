"""Looks into files that are not its own, then plays on; says what it saw to standard error."""
import os, sys

secret, victim = sys.argv[1].split(":")
attempts = {
    "secret": lambda: open(secret).read(),
    "list": lambda: os.listdir(os.path.dirname(secret)),
    "shadow": lambda: open("/etc/shadow").read(),
    "write": lambda: open(victim, "w").write("changed"),
    "remove": lambda: os.remove(secret),
    "link": lambda: open(os.path.join(os.environ["TMPDIR"], "own"), "w").write("x") and os.link(secret, os.path.join(os.environ["TMPDIR"], "link")),
    "own folder": lambda: open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "left-behind"), "w"),
    "parent's environment": lambda: open(f"/proc/{os.getppid()}/environ").read() or 1 / 0,
    "parent's memory": lambda: open(f"/proc/{os.getppid()}/mem", "rb"),
    "kill parent": lambda: os.kill(os.getppid(), 15),
}
for line in sys.stdin:
    for name, attempt in attempts.items():
        try:
            attempt()
            print("DONE", name, file=sys.stderr)
        except Exception as error:
            print("refused", name, error, file=sys.stderr)
    print("environment", sorted(os.environ), file=sys.stderr)
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
