"""Looks at and reaches for processes that are not its own, and for open files and folders that it was not given."""
import os, resource, signal, sys

arena, word, neighbours = sys.argv[1].split(":")
# The word comes backwards, so that our own command line does not have it.
arena, word = int(arena), word[::-1]


def expect(condition):
    if not condition:
        raise OSError("nothing there")


def command_lines():
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            yield open(f"/proc/{name}/cmdline").read()
        except OSError:
            pass


def inherited():
    for number in range(3, 256):
        try:
            os.fstat(number)
        except OSError:
            continue
        return
    raise OSError("nothing is open")


attempts = {
    "limit": lambda: resource.prlimit(arena, resource.RLIMIT_NOFILE, (3, 3)),
    "read limit": lambda: resource.prlimit(arena, resource.RLIMIT_NOFILE),
    "signal": lambda: os.kill(arena, 0),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, arena, 19),
    "first process": lambda: open("/proc/1/mem", "rb"),
    "first process's files": lambda: os.listdir("/proc/1/fd"),
    "command lines": lambda: expect(any(word in line for line in command_lines())),
    "open file": inherited,
    "neighbours": lambda: expect(len(os.listdir(neighbours)) > 1),
    "home": lambda: expect(os.listdir("/root") + os.listdir("/home")),
    "sockets": lambda: os.listdir("/run"),
    "group": lambda: os.killpg(os.getpgid(arena), 0),
}
for line in sys.stdin:
    for name, attempt in attempts.items():
        try:
            attempt()
            print("DONE", name, file=sys.stderr)
        except OSError as error:
            print("refused", name, error, file=sys.stderr)
    try:
        os.kill(1, signal.SIGKILL)
    except OSError:
        pass
    print("processes", len(list(command_lines())), file=sys.stderr)
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
