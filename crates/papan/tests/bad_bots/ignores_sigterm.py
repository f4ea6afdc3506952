"""Does not answer, and does not want to end."""
import signal, sys, time

for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
while True:
    sys.stdin.readline()
    time.sleep(0.1)
