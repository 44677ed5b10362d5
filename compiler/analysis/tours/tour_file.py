"""Reads tours. A tour is data: it names a program and what to point at, and nothing of it runs by being read."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from compiler.analysis.text_format.visible_text import visible_line
from compiler.analysis.tours.tour import ACTIONS_OF_TOURS, GOALS, LANGUAGES, Goal, LocalText, Tour, TourStep
from compiler.installation import RESOURCES
from compiler.model.ir.stage import StageKind

SHIPPED = RESOURCES / "tours"
EXAMPLES = RESOURCES / "examples"
ORDER = ("compile", "break", "edit", "fusion", "backward", "triton", "ways")
"""Shipped tours, in the order to take them."""
_LARGEST = 1_000_000
_KINDS = frozenset(kind.value for kind in StageKind)
_PARTS = ("forward", "backward", "inference")
_TOUR_KEYS = {"title", "about", "program", "training", "gpu", "step"}
_STEP_KEYS = {"title", "text", "then", "point", "pane", "workspace", "stage", "line", "until", "action"}


class TourError(Exception):
    """A file that is no tour: what, where, and what to do."""


def find_tours() -> tuple[Tour, ...]:
    """Those that came with us."""
    return tuple(read_tour(SHIPPED / f"{name}.toml") for name in ORDER)


def find_tour(name: str) -> Tour:
    """A shipped one by its name, or the one in a file. Raises TourError."""
    if name in ORDER:
        return read_tour(SHIPPED / f"{name}.toml")
    if not name.endswith(".toml"):
        raise TourError(
            f"There is no tour {visible_line(name)!r}. There are: {', '.join(ORDER)}; or name a file that ends in .toml."
        )
    return read_tour(Path(name))


def read_tour(path: Path) -> Tour:
    """Raises TourError."""
    try:
        if path.stat().st_size > _LARGEST:
            raise TourError(f"{visible_line(str(path))} is too large to be a tour.")
        words = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TourError(
            f"{visible_line(str(path))} cannot be read: {error.strerror}. Check the path."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TourError(f"{visible_line(str(path))} is not TOML: {visible_line(str(error))}.") from error
    try:
        return _tour(words, path)
    except _WrongError as error:
        raise TourError(
            f'{visible_line(str(path))}: {error} See resources/docs/tours.md, "Write a tour".'
        ) from error


def as_text(tour: Tour, language: str) -> str:
    """To be read without the window."""
    lines = [tour.title.text(language), tour.about.text(language)]
    lines.append(f"Program: {tour.target}{f' for {tour.gpu}' if tour.gpu else ''}")
    for number, step in enumerate(tour.steps, 1):
        lines += ["", f"{number}. {step.title.text(language)}".rstrip(), step.text.text(language)]
        if step.then:
            lines.append(f"→ {step.then.text(language)}")
    return "\n".join(visible_line(line) for line in lines)


class _WrongError(Exception):
    """What is wrong in the file."""


def _tour(words: Mapping[str, object], path: Path) -> Tour:
    _known_only(words, _TOUR_KEYS, "the tour")
    steps = words.get("step")
    if not isinstance(steps, list) or not steps:
        raise _WrongError("it has no [[step]].")
    shipped = path.resolve().parent == SHIPPED.resolve()
    target = _string(words, "program", "the tour")
    if not target:
        raise _WrongError('it names no program (program = "model.py:Model").')
    return Tour(
        path.stem,
        _local(words, "title", "the tour", needed=True),
        _local(words, "about", "the tour"),
        target,
        str(EXAMPLES if shipped else path.resolve().parent),
        _flag(words, "training", "the tour"),
        _string(words, "gpu", "the tour"),
        tuple(_step(step, f"step {number}") for number, step in enumerate(steps, 1)),
        path,
        shipped,
    )


def _step(words: object, where: str) -> TourStep:
    if not isinstance(words, dict):
        raise _WrongError(f"{where} is not a table.")
    _known_only(words, _STEP_KEYS, where)
    stage = _string(words, "stage", where)
    if stage:
        _check_stage(stage, where)
    action = _string(words, "action", where)
    if action and not action.startswith(ACTIONS_OF_TOURS):
        raise _WrongError(
            f"{where} does {action!r}; a tour may only do what begins with {', '.join(ACTIONS_OF_TOURS)}"
        )
    line = words.get("line", 0)
    if not isinstance(line, int) or isinstance(line, bool) or line < 0:
        raise _WrongError(f"line of {where} is not a number of a line.")
    return TourStep(
        _local(words, "title", where),
        _local(words, "text", where, needed=True),
        _local(words, "then", where),
        _string(words, "point", where),
        _string(words, "pane", where),
        _string(words, "workspace", where),
        stage,
        line,
        _goal(words.get("until"), where),
        action,
    )


def _goal(words: object, where: str) -> Goal | None:
    if words is None:
        return None
    if not isinstance(words, dict) or len(words) != 1:
        raise _WrongError(f'until of {where} is not one thing (until = {{stage = "joint_graph"}}).')
    ((kind, value),) = words.items()
    wanted = GOALS.get(kind)
    if wanted is None:
        raise _WrongError(f"{where} waits for {kind!r}; a step can wait for {', '.join(GOALS)}.")
    if type(value) is not wanted:
        raise _WrongError(f"{where} waits for {kind} = {value!r}, which is no {wanted.__name__}.")
    if kind == "stage":
        _check_stage(str(value), where)
    assert isinstance(value, str | int)
    return Goal(kind, value)


def _check_stage(text: str, where: str) -> None:
    part, _, kind = text.rpartition(" ")
    if kind not in _KINDS or part not in ("", *_PARTS):
        raise _WrongError(f"{where} names a stage {text!r}; there are {', '.join(sorted(_KINDS))}.")


def _known_only(words: Mapping[str, object], known: set[str], where: str) -> None:
    others = sorted(set(words) - known)
    if others:
        raise _WrongError(
            f"{where} has {', '.join(map(repr, others))}; known are {', '.join(sorted(known))}."
        )


def _local(words: Mapping[str, object], key: str, where: str, needed: bool = False) -> LocalText:
    found = words.get(key)
    if found is None and not needed:
        return LocalText()
    if isinstance(found, str) and found:
        return LocalText((("en", found.strip()),))
    if isinstance(found, dict) and found and all(isinstance(text, str) for text in found.values()):
        if unknown := sorted(set(found) - set(LANGUAGES)):
            raise _WrongError(
                f"{key} of {where} is in {', '.join(unknown)}; languages are {', '.join(LANGUAGES)}."
            )
        return LocalText(tuple((code, str(found[code]).strip()) for code in LANGUAGES if code in found))
    raise _WrongError(f'{key} of {where} is no text (a string, or {{en = "…", zh = "…"}}).')


def _string(words: Mapping[str, object], key: str, where: str) -> str:
    found = words.get(key, "")
    if not isinstance(found, str):
        raise _WrongError(f"{key} of {where} is not a text.")
    return found


def _flag(words: Mapping[str, object], key: str, where: str) -> bool:
    found = words.get(key, False)
    if not isinstance(found, bool):
        raise _WrongError(f"{key} of {where} is neither true nor false.")
    return found
