"""Answers about large immutable values, kept for the few that were asked about last."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

_Asked = TypeVar("_Asked")
_Answer = TypeVar("_Answer")

_KEPT = 6


def identity_cached(function: Callable[[_Asked], _Answer]) -> Callable[[_Asked], _Answer]:
    """Ask only once for the same object. By identity: comparing or hashing a graph of 10,000 nodes takes as long as
    most questions about it. The answer must be immutable, since everyone gets the same one.
    """
    answers: OrderedDict[int, tuple[_Asked, _Answer]] = OrderedDict()
    changing = threading.Lock()

    @wraps(function)
    def ask(asked: _Asked) -> _Answer:
        key = id(asked)
        with changing:
            known = answers.get(key)
            if (
                known is not None and known[0] is asked
            ):  # the entry keeps its object, so the id is not another's
                answers.move_to_end(key)
                return known[1]
        answer = function(asked)
        forgotten = []  # let go outside of the lock: what ends with it may ask something itself
        with changing:
            answers[key] = asked, answer
            while len(answers) > _KEPT:
                forgotten.append(answers.popitem(last=False))
        return answer

    return ask
