"""Do what is ordered, again and again, until nobody orders any more.

Both are numbers of pipes. An order is a line with the file that it is in and the file for the answer; replies are lines: what
is being done, and an empty one when the answer is there. What the program prints goes its own way.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from compiler.model.protocol.isolated_jobs import IsolatedJob
from compiler.model.protocol.progress import line_of
from compiler.processes.leaving import end_forks, leave_now, sever_in_forks
from compiler.worker.hide_packages import hide_our_packages

# Made before the program can hide our modules, since msgspec looks up annotations by module name.
_ORDERS: msgspec.msgpack.Decoder[IsolatedJob] = msgspec.msgpack.Decoder(IsolatedJob)
_ENCODER = msgspec.msgpack.Encoder()


def main(arguments: Sequence[str]) -> None:
    """Serve until the other end is closed."""
    orders_pipe, replies_pipe = map(int, arguments)
    for pipe in (orders_pipe, replies_pipe):
        os.set_inheritable(pipe, False)  # or what the program starts would keep them open
    sever_in_forks(orders_pipe, replies_pipe)
    orders = os.fdopen(orders_pipe, encoding="utf-8")
    replies = os.fdopen(replies_pipe, "w", encoding="utf-8")

    def report_progress(text: str) -> None:
        replies.write(line_of(text) + "\n")
        replies.flush()

    report_progress("Loading torch")
    from compiler.worker.child.jobs import carried_out

    hide_our_packages()
    for line in orders:
        order, answer = line.rstrip("\n").split("\t")
        answered = carried_out(_ORDERS.decode(Path(order).read_bytes()), report_progress)
        end_forks()
        Path(answer).write_bytes(_ENCODER.encode(answered))
        sys.stdout.flush()
        sys.stderr.flush()
        report_progress("")
    leave_now(0)  # taking the interpreter down may crash
