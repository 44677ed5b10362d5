"""``python -m compiler.worker.apart ORDER ANSWER``: do what is ordered, write the answer, end."""

import msgspec

from compiler.model.apart import ApartAnswer, ApartOrder, Refused
from compiler.worker.answering import answer_order, say
from compiler.worker.private_names import hide_our_packages

_ORDERS: msgspec.msgpack.Decoder[ApartOrder] = msgspec.msgpack.Decoder(ApartOrder)


def _answer(order: ApartOrder) -> ApartAnswer:
    say("Loading torch")
    from compiler.engine.apart import carry_out
    from compiler.engine.failures import EngineError, problem_from

    hide_our_packages()
    try:
        return carry_out(order, say)
    except EngineError as error:
        return Refused(error.problem)
    except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
        return Refused(problem_from(error, "Failed in a process of its own", "The detail has the traceback."))


if __name__ == "__main__":
    answer_order(_ORDERS, _answer)
