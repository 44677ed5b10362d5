"""Source files as stages: the user's own first, then libraries' by package, then torch's where one was compiled itself."""

from collections.abc import Iterable
from pathlib import Path

from compiler.engine.file_ownership import owner_of, package_of
from compiler.engine.stage_ids import source_id
from compiler.model.ir.programs import FileOwner, SourceFile
from compiler.model.ir.stage import SourceStage, Stage, StageKind

_ORDER = (FileOwner.MINE, FileOwner.LIBRARY, FileOwner.TORCH)


def in_order(paths: Iterable[str]) -> list[str]:
    """Files as they are listed."""
    return sorted(set(paths), key=lambda path: (_ORDER.index(owner_of(path)), package_of(path).lower(), path))


def source_stage(
    path: str,
    text: str,
    captured: Iterable[tuple[int, str]],
    traced: Iterable[int] = (),
    looked_at: Iterable[int] = (),
    eager: Iterable[int] = (),
) -> Stage:
    """A file with what became of its lines."""
    standing, package = owner_of(path), package_of(path)
    file = SourceFile(
        path,
        text,
        tuple(sorted(captured)),
        tuple(sorted(traced)),
        tuple(sorted(looked_at)),
        tuple(sorted(eager)),
        standing,
        package,
    )
    made_by = "the user" if standing is FileOwner.MINE else package or "Python"
    return Stage(source_id(path), StageKind.SOURCE, Path(path).name, SourceStage(file), made_by=made_by)
