"""What runs in a worker puts temporary files where they go with its client, however it ends."""

import ast

from tests.architecture.test_files import ROOT, source_files

_MAKES = {"mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile"}
_IN_WORKERS = ("engine", "worker")


def test_no_temporary_file_of_a_worker_lies_just_anywhere() -> None:
    found = []
    for path in source_files():
        if path.relative_to(ROOT).parts[1] not in _IN_WORKERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in _MAKES and not any(word.arg == "dir" for word in node.keywords):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not found
