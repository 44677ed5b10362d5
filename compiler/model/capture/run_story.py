"""How a program went that ran by itself and was recorded: its process, its steps, and how often what was compiled was used."""

import msgspec


class GraphCalls(msgspec.Struct, frozen=True, array_like=True):
    """Calls of one compiled Dynamo graph."""

    graph: str
    """Its compile id."""
    calls: int
    nanoseconds: int
    """In all calls of its forward together; its backward is not in them."""
    first_nanoseconds: int
    """In the first one, which may load or compile what later ones find ready."""
    backward_calls: int = 0
    backward_nanoseconds: int = 0


class RunSample(msgspec.Struct, frozen=True, array_like=True):
    """How far the program was at one moment."""

    seconds: float
    """Since it began to be recorded."""
    steps: int
    """Calls of its first compiled function."""
    nanoseconds: int
    """In compiled graphs, forward and backward, of all threads."""
    resident: int = 0
    """Bytes of memory that the process holds."""
    device: int = 0
    """Bytes that torch has allocated on the current GPU."""
    others: float = 0.0
    """Cores that other processes used since the sample before, where they took them from this one."""


class RunEdit(msgspec.Struct, frozen=True, array_like=True):
    """From this moment on the program ran with other edits."""

    seconds: float
    """Since it began to be recorded."""
    edits: tuple[str, ...]
    """All that were active then, in words; none: as it was compiled by itself."""
    waited: float = 0.0
    """Seconds that the program waited for the compile; they are in none of the run's times."""


class MissedProcess(msgspec.Struct, frozen=True):
    """A process of the program that loads torch and is not recorded."""

    pid: int
    command: str


class RunStory(msgspec.Struct, frozen=True):
    """One process, as far as it is known."""

    pid: int = 0
    rank: str = ""
    """``RANK`` of a distributed program."""
    world: str = ""
    command: tuple[str, ...] = ()
    folder: str = ""
    torch: str = ""
    began: float = 0.0
    """Seconds since 1970 when the process began to be recorded."""
    seconds: float = 0.0
    """From then to what was reported last."""
    calls: tuple[GraphCalls, ...] = ()
    samples: tuple[RunSample, ...] = ()
    """In order; of a long run fewer a second."""
    edits: tuple[RunEdit, ...] = ()
    """Made while it ran, in order."""
    ended: str | None = None
    """Why it is recorded no more: empty where the process left by itself; None while it goes on."""
    missed: tuple[MissedProcess, ...] = ()
    """Of the whole program, as far as they were seen."""
