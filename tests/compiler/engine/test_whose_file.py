"""Which files are the user's, also in an environment that is linked to."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.engine

SCRIPT = """
import sys, json, os
sys.path.insert(0, {root!r})
from compiler.engine.failures import is_users_file
import torch
paths = [torch.__file__, os.path.realpath(torch.__file__), json.__file__, {root!r} + "/compiler/engine/failures.py"]
print([is_users_file(path) for path in (*paths, {root!r} + "/resources/examples/mlp.py", "<string>")])
"""


def test_libraries_are_known_by_either_name(tmp_path: Path):
    (tmp_path / "env").symlink_to(sys.prefix, target_is_directory=True)
    python = tmp_path / "env" / "bin" / Path(sys.executable).name
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        [python, "-c", SCRIPT.format(root=root)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == "[False, False, False, False, True, False]", done.stderr
