"""``python -m compiler.worker.apart ORDER ANSWER``: do what is ordered, write the answer, end."""

import msgspec

from compiler.model.protocol.isolated_jobs import ApartAnswer, ApartOrder
from compiler.worker.child_main import answer_order, say
from compiler.worker.hide_packages import hide_our_packages

_ORDERS: msgspec.msgpack.Decoder[ApartOrder] = msgspec.msgpack.Decoder(ApartOrder)


def _answer(order: ApartOrder) -> ApartAnswer:
    say("Loading torch")
    from compiler.worker.apart.carried_out import carried_out

    hide_our_packages()
    return carried_out(order, say)


if __name__ == "__main__":
    answer_order(_ORDERS, _answer)
