"""``python -m compiler.worker.apart ORDER ANSWER``: do what is ordered, write the answer, end."""

import msgspec

from compiler.model.protocol.isolated_jobs import IsolatedAnswer, IsolatedJob
from compiler.worker.child_main import answer_order, report_progress
from compiler.worker.hide_packages import hide_our_packages

_ORDERS: msgspec.msgpack.Decoder[IsolatedJob] = msgspec.msgpack.Decoder(IsolatedJob)


def _answer(order: IsolatedJob) -> IsolatedAnswer:
    report_progress("Loading torch")
    from compiler.worker.apart.carried_out import carried_out

    hide_our_packages()
    return carried_out(order, report_progress)


if __name__ == "__main__":
    answer_order(_ORDERS, _answer)
