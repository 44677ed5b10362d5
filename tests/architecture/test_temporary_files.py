"""What runs in a worker puts temporary files where they go with its client, however it ends."""

import ast

from tests.helpers.our_sources import ROOT, trees

_MAKES = {"mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile"}
_IN_WORKERS = ("compiler/engine", "compiler/worker")


def test_no_temporary_file_of_a_worker_lies_just_anywhere() -> None:
    found = []
    for path, tree in trees(_IN_WORKERS, *_MAKES):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in _MAKES and not any(word.arg == "dir" for word in node.keywords):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not found
