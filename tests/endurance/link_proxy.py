"""A slow link between a worker and its window: ``link_proxy.py LISTEN CONNECT [lose]``. 50 ms, 1 MB/s, and stalls; with `lose` (a planted
fault) the end of every third large piece is lost.
"""

import queue
import socket
import sys
import threading
import time
from pathlib import Path
from random import Random

_DELAY_S, _BYTES_A_SECOND, _CHUNK, _LARGE = 0.05, 1_000_000, 8192, 1000
_STALL_CHANCE, _STALL_S = 0.004, 1.2


def main() -> None:
    listen, connect = sys.argv[1:3]
    lose = len(sys.argv) > 3
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"{listen}.new")
    server.listen(1)
    Path(f"{listen}.new").rename(listen)
    worker, _ = server.accept()
    window = socket.socket(socket.AF_UNIX)
    window.connect(connect)
    ways = (
        threading.Thread(target=_pass_on, args=(worker, window, lose)),
        threading.Thread(target=_pass_on, args=(window, worker, False)),
    )
    for way in ways:
        way.start()


def _pass_on(source: socket.socket, target: socket.socket, lose: bool) -> None:
    """What comes in goes out later, in order."""
    waiting: queue.Queue[tuple[float, bytes]] = queue.Queue(maxsize=64)
    threading.Thread(target=_send, args=(waiting, target), daemon=False).start()
    chance, free, large = Random(0), 0.0, 0
    while True:
        try:
            data = source.recv(_CHUNK)
        except OSError:
            data = b""
        stall = _STALL_S if chance.random() < _STALL_CHANCE else 0.0
        free = max(time.monotonic(), free) + len(data) / _BYTES_A_SECOND + stall
        large += len(data) > _LARGE
        if lose and len(data) > _LARGE and large % 3 == 0:
            data = data[:-7]
        waiting.put((free + _DELAY_S, data))
        if not data:
            return


def _send(waiting: "queue.Queue[tuple[float, bytes]]", target: socket.socket) -> None:
    while True:
        due, data = waiting.get()
        time.sleep(max(0.0, due - time.monotonic()))
        try:
            if data:
                target.sendall(data)
                continue
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        return


if __name__ == "__main__":
    main()
