"""The engine's tests on every torch that the package accepts, one environment after the other.

Usage: python .make/matrix.py [VERSION…]. Each environment is made under .matrix/, used and removed again (up to 6 GB with a
CUDA build); MATRIX_KEEP=1 keeps them, MATRIX_ENVS=FOLDER takes environments that are there (FOLDER/torch-2.15.0).
Writes its rows into resources/docs/torch-versions.md. Exit status 1 where a test failed.
"""

import datetime
import os
import platform
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = {"2.11.0": "3.6.0", "2.12.1": "3.7.1", "2.13.0": "3.7.1", "2.14.1": "3.8.0", "2.15.0": "3.9.0"}
"""torch → the triton that belongs to it."""
TABLE = ROOT / "resources" / "docs" / "torch-versions.md"
TESTS = ("tests/compiler",)
_FAILED = "## What failed when it was last run"


def main() -> int:
    """Run all and write the table."""
    chosen = sys.argv[1:] or list(VERSIONS)
    rows = {version: run(version) for version in chosen}
    TABLE.write_text(table(TABLE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    print(f"\nwrote {TABLE.relative_to(ROOT)}")
    for version, row in rows.items():
        print(f"torch {version}: {row['words']}")
    return int(any(row["failed"] for row in rows.values()))


def run(version: str) -> dict[str, object]:
    """Make the environment, run the tests in it, remove it."""
    print(f"\n== torch {version} ==", flush=True)
    kept = Path(os.environ.get("MATRIX_ENVS", ROOT / ".matrix")) / f"torch-{version}"
    own = not kept.exists()
    if own:
        install(kept, version)
    try:
        return test(kept / "bin" / "python", version)
    finally:
        if own and not os.environ.get("MATRIX_KEEP"):
            shutil.rmtree(kept, ignore_errors=True)


def install(folder: Path, version: str) -> None:
    """Install torch and its triton as named; everything else as `make test` has it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pins = [
        line
        for line in (ROOT / "constraints.txt").read_text().splitlines()
        if line
        and not line.startswith(("#", "torch==", "triton==", "setuptools=="))  # each torch has its own limit
    ]
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join([*pins, f"torch=={version}", f"triton=={VERSIONS[version]}"]) + "\n")
    # a machine's own pip settings may cap torch; what is named here counts
    environment = {**os.environ, "PIP_CONSTRAINT": str(constraints)}
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{ROOT}[test]"], check=True, env=environment)
    subprocess.run(
        [*pip[:3], "uninstall", "-q", "-y", "torch-loupe"], check=True
    )  # the tests run in the tree


def test(python: Path, version: str) -> dict[str, object]:
    """The tests in a process of their own, counted from pytest's report."""
    report = ROOT / ".matrix" / f"{version}.xml"
    report.parent.mkdir(exist_ok=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [str(python), "-m", "pytest", "-q", "-m", "not slow", "-n", "auto", "--dist", "loadfile"]
    subprocess.run([*command, f"--junitxml={report}", *TESTS], check=False, env=environment, cwd=ROOT)
    suite = ElementTree.parse(report).getroot()[0]
    counts = {name: int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")}
    failed = counts["failures"] + counts["errors"]
    passed = counts["tests"] - failed - counts["skipped"]
    minutes = float(suite.get("time", "0")) / 60
    names = [
        f"{case.get('classname')}::{case.get('name')}"
        for case in suite.iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    ]
    words = f"{passed} passed, {counts['skipped']} skipped, {failed} failed in {minutes:.0f} min"
    return {"failed": failed, "words": words, "names": names, **counts, "passed": passed, "minutes": minutes}


def table(page: str, rows: dict[str, dict[str, object]]) -> str:
    """The page with these rows instead of those of the same torch; what was not run stays as it was told, with its date."""
    today = datetime.datetime.now(datetime.UTC)
    where = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    reported = {
        version: f"| {version} | {VERSIONS[version]} | {row['passed']:,} | {row['skipped']} | {row['failed']} "
        f"| `make matrix`, {where}, {row['minutes']:.0f} min; {today:%Y-%m-%d} |"
        for version, row in rows.items()
    }
    lines = page.partition(_FAILED)[0].rstrip().splitlines()
    lines = [reported.get(line.removeprefix("| ").partition(" ")[0], line) for line in lines]
    failed = [
        f"* {version}: `{name}`"
        for version, row in rows.items()
        if isinstance(names := row["names"], list)
        for name in names
    ]
    return "\n".join([*lines, "", _FAILED, "", *(failed or ["None."])]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
