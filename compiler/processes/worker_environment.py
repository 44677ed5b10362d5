"""The environment that every worker is started with, whoever starts it."""

from collections.abc import Mapping

from compiler.installation import python_path
from compiler.processes.started import MARK

HASH_SEED = "PYTHONHASHSEED"


def worker_environment(inherited: Mapping[str, str], socket: str) -> dict[str, str]:
    """What is added to an environment for a worker that is found by `socket`.

    Sets of strings are in another order in each Python process, and the code that Inductor writes can follow it: two captures
    of one program differed. They are in one order in all workers, unless the person chose a seed.
    """
    return {
        HASH_SEED: "0",
        **inherited,
        "PYTHONPATH": python_path(inherited.get("PYTHONPATH")),
        "PYTHONUNBUFFERED": "1",
        "PYTHONFAULTHANDLER": "1",
        MARK: socket,
    }
