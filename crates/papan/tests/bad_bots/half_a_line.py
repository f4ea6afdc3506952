"""Writes a move, but not the end of the line."""
import sys, time

line = sys.stdin.readline()
sys.stdout.write(line.split(" | ")[3].split()[0])
sys.stdout.flush()
time.sleep(600)
