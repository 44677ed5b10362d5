"""Do what is ordered, write the answer, end."""

from collections.abc import Sequence

import msgspec

from compiler.model.protocol.isolated_jobs import IsolatedAnswer, IsolatedJob
from compiler.worker.child.answering import answer_order, report_progress
from compiler.worker.hide_packages import hide_our_packages

_ORDERS: msgspec.msgpack.Decoder[IsolatedJob] = msgspec.msgpack.Decoder(IsolatedJob)


def _answer(order: IsolatedJob) -> IsolatedAnswer:
    report_progress("Loading torch")
    from compiler.worker.child.jobs import carried_out

    hide_our_packages()
    return carried_out(order, report_progress)


def main(arguments: Sequence[str]) -> None:
    """The order is in the first file, the answer belongs in the second."""
    answer_order(arguments, _ORDERS, _answer)
