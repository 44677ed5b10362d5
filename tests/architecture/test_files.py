"""One file, one job, a name that says it."""

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 500
MOST_IN_A_FOLDER = 20
BANNED = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "base", "misc", "stuff"}


def source_files() -> Iterator[Path]:
    for folder in ("app", "compiler"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def line_count(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def test_no_file_is_longer_than_500_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): line_count(path) for path in source_files() if line_count(path) > LONGEST
    }
    assert not long, f"split these: {long}"


def test_most_files_are_short() -> None:
    counts = sorted(line_count(path) for path in source_files() if path.name != "__init__.py")
    print("longest:", counts[-10:])
    assert statistics.median(counts) <= 150
    assert counts[int(len(counts) * 0.9)] <= 300


def test_no_name_says_nothing() -> None:
    names = [path for path in source_files() if BANNED & {path.stem, *path.relative_to(ROOT).parts[:-1]}]
    assert not names


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in source_files()
        if path.stat().st_size and not path.read_text(encoding="utf-8").lstrip().startswith(('"""', 'r"""'))
    ]
    assert not silent


def folders() -> Iterator[Path]:
    yield from sorted({path.parent for path in source_files()})


def test_no_folder_holds_more_than_twenty_files() -> None:
    """A newcomer reads a folder's names at one glance."""
    full = {
        str(folder.relative_to(ROOT)): count
        for folder in folders()
        if (count := len(list(folder.glob("*.py")))) > MOST_IN_A_FOLDER
    }
    assert not full, f"make rooms of these: {full}"


def test_every_package_says_what_lives_there_and_what_does_not() -> None:
    silent = [
        str(folder.relative_to(ROOT))
        for folder in folders()
        if not (
            ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
        ).strip()
    ]
    assert not silent


def test_the_tests_stand_where_what_they_test_stands() -> None:
    """Every folder of tests below tests/app and tests/compiler has the name of a package."""
    tests = ROOT / "tests"
    programs = {
        "breaking_programs",
        "bytecode_programs",
        "edited_programs",
        "observed_programs",
        "registry_cases",
    }
    strays = [
        str(path.relative_to(ROOT))
        for layer in ("app", "compiler")
        for path in sorted((tests / layer).rglob("test_*.py"))
        if not (ROOT / path.parent.relative_to(tests)).is_dir() and path.parent.name not in programs
    ]
    assert not strays


def test_what_is_painted_goes_through_the_place_that_shows_hidden_characters() -> None:
    drawing = re.compile(
        r"\.(drawText|drawStaticText|elidedText)\(|QGraphics(Simple)?TextItem|QStaticText|addSimpleText"
    )
    found = {
        str(path.relative_to(ROOT)) for path in source_files() if drawing.search(path.read_text("utf-8"))
    }
    assert found == {"app/theme/drawn_text.py"}


def test_labels_are_made_plain_in_one_place() -> None:
    """The style makes every label plain and writes out what its text hides; markup is asked for by name, and escaped."""
    found = {
        (str(path.relative_to(ROOT)), kind)
        for path in source_files()
        for kind in re.findall(
            r"TextFormat\.(AutoText|PlainText|RichText|MarkdownText)", path.read_text("utf-8")
        )
    }
    assert found == {
        ("app/theme/plain_text.py", "AutoText"),
        ("app/theme/plain_text.py", "PlainText"),
        ("app/panes/graph/pass_bar.py", "RichText"),
        ("app/window/start/welcome_page.py", "RichText"),
    }


def test_what_is_loaded_is_looked_through_in_a_copy() -> None:
    """While rows are made of it one by one, a collection or another thread may import: the dictionary changes size then."""
    walks = re.compile(r"sys\.modules\.(items|values|keys)\(\)|\bfor \w+ in sys\.modules\b(?!\.copy)")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in source_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if walks.search(line)
    ]
    assert not found
