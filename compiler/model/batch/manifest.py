"""MODELS.toml: which programs a batch captures, and for what."""

import tomllib

import msgspec

from compiler.model.ir.diagnostics import UNREADABLE

DEFAULT_MODE = "default"
"""`torch.compile` without a mode."""
OptionValue = bool | int | float | str


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One ``[[program]]``: a target, and the options of ``loupe capture`` under their names there."""

    target: str
    """``file.py:Name`` from the manifest's folder, ``package.module:Name`` or ``config.json``."""
    name: str = ""
    """What the table calls it; at first the target."""
    inputs: str = ""
    keyword_inputs: str = ""
    train: bool | None = None
    gradients: bool = True
    seed: int = 0
    fullgraph: bool = False
    dynamic: bool | None = None
    backend: str = ""
    options: dict[str, OptionValue] = {}
    fake: bool = False
    task: str = ""
    batch: int = 1
    length: int = 128
    mesh: str = ""
    """Of many processes, with `fake` or for a GPU: ``dp=8,tp=8``."""
    rank: int = 0
    """Which of them is captured."""
    mine: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """Patterns of files beside those it imports, from the manifest's folder: where their content changes, it is another job."""
    modes: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    torch: tuple[str, ...] = ()
    """Each in place of what holds for all."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.name or self.target


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    program: tuple[Program, ...]
    targets: tuple[str, ...] = ("cpu",)
    torch: tuple[str, ...] = ()
    """Versions; none: that of the Python that runs the command."""
    modes: tuple[str, ...] = (DEFAULT_MODE,)
    python: dict[str, str] = {}
    """Version of torch → the Python that has it."""


def read_manifest(text: str) -> Manifest:
    """The manifest that a text is. Raises ValueError with what is wrong and where."""
    try:
        manifest = msgspec.convert(tomllib.loads(text), Manifest)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is no TOML: {error}") from None
    except UNREADABLE as error:
        raise ValueError(f"{error}. A program begins with [[program]] and needs a target.") from None
    if not manifest.program:
        raise ValueError("it names no program. Write [[program]] and target = 'file.py:Name'.")
    seen: set[str] = set()
    for program in manifest.program:
        if program.title in seen:
            raise ValueError(f"two programs are called {program.title!r}. Give each a name of its own.")
        seen.add(program.title)
    return manifest
