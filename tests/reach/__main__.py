"""``python -m tests.reach record FOLDER [ARGUMENTS OF PYTEST]``, then ``python -m tests.reach show FOLDER``.

Recording all tests takes about as long as running them: ``-n 2 -m "not slow"``. Needs Python 3.12 or newer.
"""

import collections
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.reach.recorder import FOLDER, ROOT

_ROOT = Path(__file__).parents[2]
_SHOWN = 25


class Reach(NamedTuple):
    """One test of a recorded run."""

    name: str
    seconds: float
    is_thorough: bool
    lines: frozenset[str]


def record(folder: Path, arguments: list[str]) -> int:
    """Run pytest; a .pth file brings the recorder into each Python of this environment meanwhile."""
    if not hasattr(sys, "monitoring"):
        sys.exit(
            f"Lines are noted by sys.monitoring, which Python 3.12 has; this is {sys.version.split()[0]}."
        )
    folder.mkdir(parents=True)
    loaded = Path(sysconfig.get_paths()["purelib"], "loupe_reach.pth")
    # by its path: a program of a test may have a package named tests
    recorder = Path(__file__).with_name("recorder.py")
    loaded.write_text(
        f"import os; exec(\"if os.environ.get('{FOLDER}'):\\n from importlib import util\\n"
        f" spec = util.spec_from_file_location('loupe_reach', '{recorder}')\\n"
        ' module = util.module_from_spec(spec)\\n spec.loader.exec_module(module)\\n module.start()")\n'
    )
    environment = os.environ | {FOLDER: str(folder.resolve()), ROOT: str(_ROOT)}
    try:
        command = [sys.executable, "-m", "pytest", "-p", "tests.reach.plugin", *arguments]
        return subprocess.run(command, cwd=_ROOT, env=environment, check=False).returncode
    finally:
        loaded.unlink()


def read(folder: Path) -> list[Reach]:
    """What was recorded."""
    lines: dict[str, set[str]] = collections.defaultdict(set)
    for path in folder.glob("*.lines"):
        test = ""
        for row in path.read_text().splitlines():
            if row.startswith("@"):
                test = row[1:]
            elif test:
                lines[test].add(row)
    rows = [row.split(" ", 2) for path in folder.glob("*.tests") for row in path.read_text().splitlines()]
    return [Reach(name, float(spent), mark == "1", frozenset(lines[name])) for spent, mark, name in rows]


def show(tests: list[Reach]) -> None:
    """What only thorough tests reach; which tests could change sides."""
    quick = [test for test in tests if not test.is_thorough]
    thorough = [test for test in tests if test.is_thorough]
    reached = frozenset[str]().union(*(test.lines for test in quick))
    missed = frozenset[str]().union(*(test.lines for test in thorough)) - reached
    print(f"{len(quick)} tests reach {len(reached):,} lines in {_spent(quick):,.0f} s;", end=" ")
    print(f"{len(thorough)} thorough ones {len(missed):,} more in {_spent(thorough):,.0f} s.")
    files = collections.Counter(line.rpartition(":")[0] for line in missed)
    _table("Lines that thorough tests reach only", ((str(n), name) for name, n in files.most_common(_SHOWN)))
    times = collections.Counter(line for test in quick for line in test.lines)
    own = [(sum(times[line] == 1 for line in test.lines) / test.seconds, test) for test in quick]
    dear = sorted((row for row in own if row[1].seconds >= 1), key=lambda row: row[0])
    _table(
        "Quick tests of a second and more, fewest lines of their own a second first", map(_row, dear[:_SHOWN])
    )
    more = [(len(test.lines & missed) / max(test.seconds, 0.01), test) for test in thorough]
    best = sorted(more, key=lambda row: -row[0])
    _table("Thorough tests, most lines a second that no quick one reaches first", map(_row, best[:_SHOWN]))


def _spent(tests: Iterable[Reach]) -> float:
    return sum(test.seconds for test in tests)


def _row(row: tuple[float, Reach]) -> tuple[str, str]:
    a_second, test = row
    return f"{a_second:.1f}/s of {test.seconds:.1f} s", test.name


def _table(title: str, rows: Iterable[tuple[str, str]]) -> None:
    print(f"\n{title}")
    for number, name in rows:
        print(f"{number:>18}  {name}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", where, *rest]:
            sys.exit(record(Path(where), rest))
        case ["show", where]:
            show(read(Path(where)))
        case _:
            sys.exit(__doc__)
