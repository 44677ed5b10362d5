"""When a worker that died is started again."""

MOST_IN_A_ROW = 5
LONG_ENOUGH_S = 60.0
_FIRST_DELAY_MS = 50


class RestartPolicy:
    """Counts deaths in a row; a worker that was up for a minute, or answered something, begins a new row: it can work here,
    and what ended it (a dropped connection, a program that crashes) came after.
    """

    def __init__(self) -> None:
        self._row = 0

    def delay_after(self, seconds_up: float, requested: bool, answered: bool = False) -> int | None:
        """Milliseconds to wait before the next start, or None to give up. A death that was asked for does not count."""
        if requested:
            return 0
        self._row = 1 if answered or seconds_up >= LONG_ENOUGH_S else self._row + 1
        return None if self._row > MOST_IN_A_ROW else int(_FIRST_DELAY_MS * 2 ** (self._row - 1))

    def forgive(self) -> None:
        """The person asked for a restart: count again."""
        self._row = 0
