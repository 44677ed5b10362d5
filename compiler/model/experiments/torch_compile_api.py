"""What torch.compile can be told in this torch: its arguments, modes, backends, options and stances, with torch's own words."""

import msgspec

from compiler.model.capture.program_changes import ConfigValue


class CompileArgument(msgspec.Struct, frozen=True):
    """One parameter of ``torch.compile``."""

    name: str
    default: str
    """As Python spells it."""
    documentation: str = ""
    """Torch's own text, in one line."""


class CompileMode(msgspec.Struct, frozen=True):
    """One value of ``mode`` and the options that it stands for."""

    name: str
    options: tuple[tuple[str, str], ...] = ()


class Backend(msgspec.Struct, frozen=True):
    """One name that ``backend`` may have."""

    name: str
    tags: tuple[str, ...] = ()
    """``debug`` or ``experimental``: torch does not list it among those to use."""
    documentation: str = ""


class OptionSets(msgspec.Struct, frozen=True):
    """What a value of an option sets besides: torch forces these settings while the option has the value."""

    value: str
    """As Python spells it."""
    settings: tuple[tuple[str, str], ...]
    """(option, value)."""


class CompileOption(msgspec.Struct, frozen=True):
    """One name in ``torch.compile(options=...)``."""

    name: str
    type: str
    default: str
    """As Python spells it, shortened where it is long."""
    documentation: str = ""
    """The comment that torch has on it, in one line; empty where torch says nothing."""
    environment: tuple[str, ...] = ()
    """Environment variables that set it."""
    simple: bool = True
    """Whether its value is one that can be typed: bool, int, float, str or None."""
    values: tuple[str, ...] = ()
    """The values that it is declared for; empty where any of its type will do."""
    sets: tuple[OptionSets, ...] = ()
    """By value; most options set nothing else."""
    set_by: tuple[tuple[str, str, str], ...] = ()
    """(the option that sets this one, its value, the value that is set)."""


class Stance(msgspec.Struct, frozen=True):
    """One stance of ``torch.compiler.set_stance``."""

    name: str
    documentation: str = ""


class CompileInterface(msgspec.Struct, frozen=True, tag="compile_interface"):
    """Answer to `AskCompileInterface`."""

    torch: str
    arguments: tuple[CompileArgument, ...] = ()
    modes: tuple[CompileMode, ...] = ()
    backends: tuple[Backend, ...] = ()
    options: tuple[CompileOption, ...] = ()
    stances: tuple[Stance, ...] = ()


class AskCompileInterface(msgspec.Struct, frozen=True, tag="ask_compile_interface"):
    """What torch.compile can be told. Replies with `CompileInterface`."""


class TryBackend(msgspec.Struct, frozen=True, tag="try_backend"):
    """Compile and train a tiny module with a backend, in a process of its own. Replies with `BackendTried`."""

    backend: str


class BackendTried(msgspec.Struct, frozen=True, tag="backend_tried"):
    """Whether a backend works here."""

    backend: str
    works: bool
    """It compiled, ran forward and backward, and gave what eager gives."""
    why: str = ""
    """Where it does not: the error in torch's words."""
    seconds: float = 0.0
    """Wall time of the first step, which compiles."""
    detail: str = ""
    """The traceback."""


def format_implied(option: CompileOption) -> tuple[str, ...]:
    """What it sets, and what sets it, in sentences."""
    sets = (
        f"{row.value} sets {', '.join(f'{name}={value}' for name, value in row.settings)}."
        for row in option.sets
    )
    set_by = (
        f"{source}={value} sets it to {forced}, whatever it is given."
        for source, value, forced in option.set_by
    )
    return (*sets, *set_by)


def parse_value(text: str, option: CompileOption | None = None) -> ConfigValue:
    """A value as a person types it: ``True``, ``3``, ``0.5``, ``None``; anything else is text. `option`: whose it is; one of
    text takes numbers as text.
    """
    words: dict[str, ConfigValue] = {"true": True, "false": False, "none": None}
    plain = text.strip()
    if plain.lower() in words:
        return words[plain.lower()]
    if option is None or not (option.type.startswith("str") or option.values):
        for number in (int, float):
            try:
                return number(plain)
            except ValueError:
                continue
    return plain.strip("'\"")
