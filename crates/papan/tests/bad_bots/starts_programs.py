"""An honest one that starts a program and a thread for each move."""
import subprocess, sys, threading

for line in sys.stdin:
    subprocess.run(["true"], check=True)
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    print(line.rstrip("\n").split(" | ")[3].split()[-1], flush=True)
