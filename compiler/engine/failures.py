"""Errors of the engine that carry a message for the person, and finding the user's line in a traceback."""

import importlib.util
import os
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path

from compiler.model.problems import Problem


def _either_way(path: str | Path) -> set[str]:
    """A folder as it is written and as it is without links: files of an environment that is linked to have both names."""
    return {f"{Path(path)}{os.sep}", f"{Path(path).resolve()}{os.sep}"}


def _library_folders() -> Iterator[str]:
    """Python's own, those of installed packages, and torch, which need not be one of them: it may be a checkout."""
    for name, path in sysconfig.get_paths().items():
        if name in ("stdlib", "platstdlib", "purelib", "platlib"):
            yield from _either_way(path)
    for package in ("torch", "functorch"):
        found = importlib.util.find_spec(package)
        for folder in found.submodule_search_locations or () if found is not None else ():
            yield from _either_way(folder)


_NOT_THE_USERS = tuple({*_either_way(Path(__file__).parents[1]), *_library_folders()})


class EngineError(Exception):
    """What was asked for cannot be done; `problem` says why and what to do."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


def is_users_file(path: str) -> bool:
    """Whether a file is neither ours, nor Python's, nor a library's."""
    if not os.path.isabs(path):  # "<string>", frozen modules
        return False
    return not path.startswith(_NOT_THE_USERS) and "/torchinductor_" not in path


def users_place(error: BaseException) -> tuple[str, int | None]:
    """The innermost line of the user's in a traceback, following causes; ("", None) if there is none."""
    if isinstance(error, SyntaxError) and error.filename and is_users_file(error.filename):
        return error.filename, error.lineno
    seen: BaseException | None = error
    place: tuple[str, int | None] = ("", None)
    while seen is not None:
        compile_time_stack = (
            getattr(seen, "real_stack", None) or ()
        )  # Dynamo's: where the traced program stood
        for frame in (*traceback.extract_tb(seen.__traceback__), *compile_time_stack):
            if is_users_file(frame.filename):
                place = (frame.filename, frame.lineno)
        if place[0]:
            return place
        seen = seen.__cause__ or seen.__context__
    return place


def problem_from(error: BaseException, doing: str, remedy: str) -> Problem:
    """A problem out of any exception: what we were doing, the first line of the error, the user's line."""
    if isinstance(error, EngineError):
        return error.problem
    path, line = users_place(error)
    first = str(error).strip().split("\n")[0]
    kind = type(error).__name__
    what = f"{doing}: {kind}: {first}" if first else f"{doing}: {kind}"
    detail = "".join(traceback.format_exception(error))
    return Problem(what=what.rstrip(".:") + ".", remedy=remedy, path=path, line=line, detail=detail)
