"""A process that starts a box whose program will not go, says so, and waits to be killed."""

import sys

from winnow.sandbox import Sandbox

STUBBORN = """
import os, signal, sys, time
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
import ctypes
ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True: time.sleep(99)
        os._exit(0)
print("ready", flush=True)
while True: time.sleep(99)
"""


def main() -> None:
    with (
        Sandbox(slots=1) as sandbox,
        sandbox.open(["python", "-I", "-S", "-c", STUBBORN, sys.argv[1]]) as box,
    ):
        print(box.stdout.readline().decode().strip(), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
