"""Python runs this at its start where ``loupe run`` put the folder of this file first on ``PYTHONPATH``.

Nothing is loaded here but what waits for torch; a ``sitecustomize`` that this one hides runs after it.
"""

import importlib.machinery
import importlib.util
import os
import sys


def _wait_for_torch(above: str) -> None:
    path = os.path.join(above, "waiting.py")
    spec = importlib.util.spec_from_file_location("_loupe_waiting", path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.wait_for_torch()


def _run_hidden(here: str) -> None:
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or os.curdir) != here]
    sys.path_importer_cache.pop(here, None)
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


_HERE = os.path.dirname(os.path.abspath(__file__))
if os.environ.get("LOUPE_RUN") or os.environ.get("LOUPE"):
    _wait_for_torch(os.path.dirname(_HERE))
_run_hidden(_HERE)
