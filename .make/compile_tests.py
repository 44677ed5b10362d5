"""``python .make/compile_tests.py``: rewrite the assertions of all tests once, as pytest does, where each of the processes that
run them would do so for itself.

What is written is pytest's own cache, which it holds against the source; where its insides are otherwise nothing is written.
"""

import sys
from pathlib import Path

from _pytest.assertion import rewrite
from _pytest.assertion.rewrite import get_cache_dir
from hypothesis.internal import charmap

_TESTS = Path(__file__).parents[1] / "tests"


def main() -> None:
    """Write the bytecode of each module of tests that has none."""
    rewritten, write = vars(rewrite)["_rewrite_test"], vars(rewrite)["_write_pyc"]
    for path in (*_TESTS.rglob("test_*.py"), *_TESTS.rglob("conftest.py")):
        folder = get_cache_dir(path)
        folder.mkdir(exist_ok=True)
        kept = folder / f"{path.stem}{rewrite.PYC_TAIL}"
        if not kept.exists():
            source_hash, code = rewritten(path, None)
            write(None, code, source_hash, kept)
    charmap.charmap()  # Hypothesis's table of letters, which it keeps below .hypothesis


if __name__ == "__main__":
    try:
        main()
    except (AttributeError, ImportError, KeyError, OSError, TypeError) as error:
        sys.exit(f"The tests are not compiled ahead: {error}")
