"""A module that is no part of a package, loaded from its file."""

import importlib.util
import sys
from pathlib import Path
from typing import Any


def module_from(path: Path, name: str = "") -> Any:
    """Under that name, or the file's; it stays loaded."""
    spec = importlib.util.spec_from_file_location(name or path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
