"""What led to an exception."""

from collections.abc import Iterator


def chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and all that led to it, each once: what torch keeps in one (`inner_exception`), then what it was raised from, then what
    it was raised over. `raise … from` may lead back to where the chain began.
    """
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        found = waiting.pop()
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        waiting += (found.__context__, found.__cause__, getattr(found, "inner_exception", None))
