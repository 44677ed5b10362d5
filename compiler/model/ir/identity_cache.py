"""Answers about large immutable values, kept for the few that were asked about last."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Answer = TypeVar("_Answer")

_KEPT = 6


class IdentityStore(Generic[_Answer]):
    """Answers by the objects that were asked about, the last few of them. For any thread."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], _Answer]] = OrderedDict()
        self._changing = threading.Lock()

    def get(self, *asked: object) -> _Answer | None:
        """The answer, or None."""
        key = tuple(map(id, asked))
        with self._changing:
            known = self._answers.get(key)  # the entry keeps its objects, so the ids are not others'
            if known is None:
                return None
            self._answers.move_to_end(key)
            return known[1]

    def put(self, answer: _Answer, *asked: object) -> None:
        """Keep an answer, which must be immutable: everyone gets the same one."""
        forgotten = []  # let go outside of the lock: what ends with it may ask something itself
        with self._changing:
            self._answers[tuple(map(id, asked))] = asked, answer
            while len(self._answers) > _KEPT:
                forgotten.append(self._answers.popitem(last=False))


def identity_cached(function: Callable[[_Key], _Answer]) -> Callable[[_Key], _Answer]:
    """Ask only once for the same object. By identity: comparing or hashing a graph of 10,000 nodes takes as long as
    most questions about it. The answer must be immutable, since everyone gets the
    same one; where it is None it is asked for again.
    """
    answers: IdentityStore[_Answer] = IdentityStore()

    @wraps(function)
    def ask(asked: _Key) -> _Answer:
        answer = answers.get(asked)
        if answer is None:
            answer = function(asked)
            answers.put(answer, asked)
        return answer

    return ask
