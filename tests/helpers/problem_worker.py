"""A worker that misbehaves in one way: ``problem_worker.py <kind> --socket PATH``. Needs no torch.

Kinds: good, slow (answers late, can be cancelled), silent (never answers, cannot be cancelled), crash (ends by a
signal in the user's code), exit (``os._exit(3)``), babble (sends what is no frame), print (prints while working),
start_crash (dies before it is ready), hang_up (closes its connection and lives on).
"""

import faulthandler
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from compiler.model.ir.diagnostics import Problem  # noqa: E402
from compiler.model.protocol.frames import FrameReader, encode  # noqa: E402
from compiler.model.protocol.messages import (  # noqa: E402
    CancelRequest,
    Done,
    Event,
    Failure,
    Progress,
    Ready,
    Reply,
    Request,
    ShutDown,
)


class ProblemWorker:
    def __init__(self, kind: str, path: str) -> None:
        self.kind = kind
        self.cancelled: set[int] = set()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.queue: list[Request] = []
        self.more = threading.Semaphore(0)

    def send(self, message) -> None:
        self.socket.sendall(encode(message))

    def read(self) -> None:
        reader = FrameReader()
        while data := self.socket.recv(65536):
            for message in reader.feed(data):
                if isinstance(message.body, ShutDown):
                    os._exit(0)
                if isinstance(message.body, CancelRequest):
                    self.cancelled.add(message.body.request)
                else:
                    self.queue.append(message)
                    self.more.release()
        if self.kind != "hang_up":
            os._exit(0)

    def run(self) -> None:
        if self.kind == "start_crash":
            os._exit(7)
        self.send(Event(Progress(0, "Loading torch")))
        self.send(Event(Ready("2.0 (none)")))
        threading.Thread(target=self.read, daemon=True).start()
        while True:
            self.more.acquire()
            request = self.queue.pop(0)
            self.send(Event(Progress(request.id, f"Working on {request.id}")))
            self.work(request)

    def work(self, request: Request) -> None:  # noqa: C901
        if request.id in self.cancelled:
            self.send(Failure(request.id, Problem("Cancelled."), cancelled=True))
            return
        if self.kind == "slow":
            for _ in range(100):
                time.sleep(0.01)
                if request.id in self.cancelled:
                    self.send(Failure(request.id, Problem("Cancelled."), cancelled=True))
                    return
        elif self.kind == "silent":
            self.never_return()
        elif self.kind == "crash":
            users_function()
        elif self.kind == "exit":
            os._exit(3)
        elif self.kind == "babble":
            self.socket.sendall(b"\x00\x00\x00\x05hello")
            time.sleep(60)
        elif self.kind == "print":
            sys.stdout.write("grüße ")
            sys.stderr.write(
                'LOUPE-STACK begin\n  File "/home/me/model.py", line 3 in forward\nLOUPE-STACK end\n'
            )
        elif self.kind == "hang_up":
            self.socket.shutdown(socket.SHUT_RDWR)
            time.sleep(60)
        self.send(Reply(request.id, Done()))

    def never_return(self) -> None:
        while True:
            time.sleep(1)


def users_function() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


if __name__ == "__main__":
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    ProblemWorker(sys.argv[1], sys.argv[3]).run()
