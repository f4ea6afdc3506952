"""Takes memory or disk past its limits in one of many ways, says how much it got, and plays on."""
import ctypes, mmap, os, socket, sys, time

way, MIB, MOST = sys.argv[1], 1 << 20, 1 << 30
libc = ctypes.CDLL(None, use_errno=True)
held = []


def check(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def memfd():
    while True:
        file = os.memfd_create("hog")
        held.append(file)
        for _ in range(32):
            yield os.write(file, b"x" * MIB)


def shared(file=-1):
    while True:
        held.append(mmap.mmap(file, 16 * MIB, mmap.MAP_SHARED))
        for page in range(0, 16 * MIB, 4096):
            held[-1][page] = 1
        yield 16 * MIB


def zero():
    yield from shared(os.open("/dev/zero", os.O_RDWR))


def sysv():
    libc.shmat.restype = ctypes.c_void_p
    while True:
        number = check(libc.shmget(0, 16 * MIB, 0o1600))
        ctypes.memset(libc.shmat(number, None, 0), 1, 16 * MIB)
        libc.shmctl(number, 0, None)
        yield 16 * MIB


def vmsplice():
    class Part(ctypes.Structure):
        _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    while True:
        held.append(os.pipe())
        for _ in range(16):
            part = mmap.mmap(-1, 4 * MIB, mmap.MAP_PRIVATE)
            part.madvise(mmap.MADV_HUGEPAGE)
            part[:] = b"x" * len(part)
            start = ctypes.addressof(ctypes.c_char.from_buffer(part)) | (2 * MIB - 1)
            check(libc.vmsplice(held[-1][1], ctypes.byref(Part(start, 1)), 1, 0))
            yield 2 * MIB


def sockets():
    while True:
        if len(held) < 120:
            ends = socket.socketpair()
            ends[0].setblocking(False)
            held.append(ends)
            count = 0
            try:
                while True:
                    count += held[-1][0].send(b"x" * 65536)
            except BlockingIOError:
                yield count
        elif os.fork() != 0:
            time.sleep(60)
        else:
            held.clear()


def unlinked():
    while True:
        file = os.open(os.environ["TMPDIR"] + "/unlinked", os.O_CREAT | os.O_WRONLY)
        held.append(file)
        os.unlink(os.environ["TMPDIR"] + "/unlinked")
        for _ in range(16):
            yield os.write(file, b"x" * MIB)


def deep():
    os.chdir(os.environ["TMPDIR"])
    for level in range(64):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
        if level >= 24:
            yield open("file", "wb").write(b"x" * 16 * MIB)


def unreadable():
    for number in range(64):
        folder = f"{os.environ['TMPDIR']}/{number}"
        os.mkdir(folder, 0o300)
        yield open(f"{folder}/file", "wb").write(b"x" * 16 * MIB)


def small_files():
    for number in range(200_000):
        open(f"{os.environ['TMPDIR']}/{number}", "w").close()
        yield 4096


def anonymous():
    if os.fork() == 0:
        os.setsid()
    while True:
        held.append(bytearray(b"x") * (8 * MIB))
        yield 8 * MIB


def unreadable_name():
    check(libc.prctl(15, b"\xff\xfe", 0, 0, 0))
    while True:
        if len(held) < 16:
            held.append(bytearray(b"x") * (8 * MIB))
            yield 8 * MIB
        elif os.fork() != 0:
            time.sleep(60)
        else:
            held.clear()


def empty_pages():
    """Pages that are only read cost nothing, but the tables that lead to them do."""
    if os.fork() == 0:
        held.append(bytearray(b"x") * (192 * MIB))
        time.sleep(60)
    yield 192 * MIB
    while True:
        part = mmap.mmap(-1, 768 * MIB, mmap.MAP_PRIVATE, mmap.PROT_READ)
        part.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(0, len(part), 2 * MIB):
            part[page]
        yield len(part) // 512
        if os.fork() != 0:
            time.sleep(60)
        part.close()


def crowd():
    """Many who share the same pages take long to count, and meanwhile others take more."""
    held.append(bytearray(b"x") * (160 * MIB))
    yield 160 * MIB
    for _ in range(60):
        if os.fork() == 0:
            time.sleep(60)
    held.clear()
    while True:
        for _ in range(8):
            held.append(bytearray(b"x") * (8 * MIB))
            yield 8 * MIB
        if os.fork() != 0:
            time.sleep(60)
        held.clear()


for line in sys.stdin:
    total = 0
    try:
        for size in globals()[way]():
            total += size
            if total % MIB < size:
                print("held", total // MIB, file=sys.stderr, flush=True)
            if total >= MOST:
                break
            # So that it is the limits that hold, and not a race with them.
            time.sleep(0.0002 * (size > MIB))
    except (OSError, ValueError, MemoryError, BufferError) as error:
        print("refused", way, error, file=sys.stderr, flush=True)
    time.sleep(0.3)
    os.chdir("/")
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
    held.clear()
    way = "nothing"
    nothing = lambda: ()
