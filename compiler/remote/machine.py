"""Which machine the worker runs on, as the person said it."""

import hashlib
import os
import shlex
from functools import cache
from importlib import metadata
from pathlib import Path

import msgspec

from compiler.installation import HOME

ON, THROUGH, PYTHON = "LOUPE_ON", "LOUPE_THROUGH", "LOUPE_PYTHON"
"""The environment names the machine, so that every process of ours that starts a worker starts it there."""
_SSH = ("ssh", "-T", "-o", "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3")


class Machine(msgspec.Struct, frozen=True):
    """Another machine, and how to start something on it."""

    host: str = ""
    """``user@host`` or a name of the person's ssh configuration."""
    through: str = ""
    """Instead: what stands before a command to run it there, ``docker exec -i box``."""
    python: str = "python3"
    """The Python there that has torch and Torch Loupe."""

    @property
    def name(self) -> str:
        """For messages."""
        return self.host or self.through

    def command(self) -> list[str]:
        """What starts our end there. Raises ValueError for what is no host."""
        there = [self.python, "-u", "-P", "-m", "torch_loupe.there"]
        if self.through:
            words = shlex.split(self.through)
            if not words:
                raise ValueError("the command to go through is empty")
            return [*words, *there]
        if not self.host or self.host.startswith("-") or any(letter.isspace() for letter in self.host):
            raise ValueError(f"{self.host!r} is no host; write user@host")
        return [*_SSH, "--", self.host, shlex.join(there)]

    def environment(self) -> dict[str, str]:
        """What tells our processes of it."""
        named = {ON: self.host, THROUGH: self.through, PYTHON: self.python}
        return {key: value for key, value in named.items() if value}


def chosen() -> Machine | None:
    """The machine that this process was told to work on; None for this one."""
    host, through = os.environ.get(ON, ""), os.environ.get(THROUGH, "")
    if not host and not through:
        return None
    return Machine(host, through, os.environ.get(PYTHON) or "python3")


def bridge_arguments(machine: Machine, socket: str) -> tuple[str, ...]:
    """Arguments of `compiler.remote.bridge`, which stands here for a worker there."""
    return ("--socket", socket, "--machine", msgspec.json.encode(machine).decode())


class Greeting(msgspec.Struct, frozen=True):
    """The first line that comes from there."""

    version: str
    protocol: str
    """A digest of all that is sent; both ends must have the same."""
    python: str


MARK = "torch-loupe-there "
"""Begins the line of the greeting: what a shell prints before is not ours."""


def our_version() -> str:
    """Of Torch Loupe."""
    try:
        return metadata.version("torch-loupe")
    except metadata.PackageNotFoundError:
        return "a checkout"


@cache
def protocol() -> str:
    """The digest of the files that say what is sent. The wheel spells our modules' names differently."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted((HOME / "compiler" / "model").rglob("*.py")):
        digest.update(path.read_text(encoding="utf-8").replace("torch_loupe.compiler", "compiler").encode())
        digest.update(str(path.relative_to(Path(HOME))).encode())
    return digest.hexdigest()
