"""``python -m compiler.worker.apart ORDER ANSWER``: do what is ordered, write the answer, end."""

import os
import sys
from pathlib import Path

import msgspec

from compiler.model.apart import ApartAnswer, ApartOrder, Refused
from compiler.model.emulation import PROGRESS
from compiler.worker.private_names import hide_our_packages

# Made before the program can hide our modules, since msgspec looks up annotations by module name.
_ORDERS: msgspec.msgpack.Decoder[ApartOrder] = msgspec.msgpack.Decoder(ApartOrder)
_ENCODER = msgspec.msgpack.Encoder()


def main() -> None:
    """Read the order, and write the answer whatever happens."""
    order_path, answer_path = map(Path, sys.argv[1:3])
    answer = _answer(_ORDERS.decode(order_path.read_bytes()))
    partial = answer_path.with_suffix(".part")
    partial.write_bytes(_ENCODER.encode(answer))
    partial.rename(answer_path)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(
        0
    )  # some of what is done here crashes when the interpreter is taken down, after the work is done


def _say(text: str) -> None:
    print(f"{PROGRESS}{text}", flush=True)  # noqa: T201  its output is how it speaks


def _answer(order: ApartOrder) -> ApartAnswer:
    _say("Loading torch")
    from compiler.engine.apart import carry_out
    from compiler.engine.failures import EngineError, problem_from

    hide_our_packages()
    try:
        return carry_out(order, _say)
    except EngineError as error:
        return Refused(error.problem)
    except BaseException as error:  # noqa: BLE001  the process boundary: user code may raise anything at all
        return Refused(problem_from(error, "Failed in a process of its own", "The detail has the traceback."))


if __name__ == "__main__":
    main()
