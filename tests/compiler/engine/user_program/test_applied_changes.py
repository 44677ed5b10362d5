"""The changes of a spec are resolved once: each of them counts in one place."""

import msgspec
import pytest

from compiler.engine.errors import EngineError
from compiler.engine.user_program.applied_changes import load_changed, resolve_changes
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.program_changes import (
    DisableFunction,
    ReplaceSource,
    SetCompileArgument,
    SetCompileOption,
    SetConfig,
)

SPEC = CaptureSpec(TargetSpec("a.py:f", "/nowhere"))
TEXTS = (ReplaceSource("/nowhere/a.py", "x = 1\n"), ReplaceSource("/nowhere/a.py", "x = 2\n"))
OPTIONS = (SetCompileArgument("dynamic", True), SetCompileOption("epilogue_fusion", False))
OF_PROGRAM = (SetConfig("torch._dynamo.config.verbose", True), DisableFunction("f"))


def test_each_change_counts_in_one_place() -> None:
    changes = (*TEXTS, *OF_PROGRAM, *OPTIONS)
    resolved = resolve_changes(msgspec.structs.replace(SPEC, changes=changes))
    assert resolved.texts == {"/nowhere/a.py": "x = 2\n"}  # the last one of a file
    assert resolved.options.dynamic is True
    assert resolved.options.options == (("epilogue_fusion", False),)
    assert resolved.of_program == OF_PROGRAM


def test_without_changes_a_spec_is_compiled_as_it_says() -> None:
    resolved = resolve_changes(SPEC)
    assert (resolved.options, resolved.texts, resolved.of_program) == (SPEC.compile, {}, ())


def test_what_is_refused_is_refused_before_anything_is_loaded() -> None:
    wrong = msgspec.structs.replace(SPEC, changes=(SetCompileArgument("dynamc", True),))
    with pytest.raises(EngineError, match="no argument 'dynamc'"):
        load_changed(wrong)

    def check(_changes: object) -> None:
        raise AssertionError("asked")

    with pytest.raises(AssertionError, match="asked"):
        load_changed(SPEC, check)  # there is no such file, which loading would say
