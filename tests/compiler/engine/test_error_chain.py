"""What led to an exception, in the order in which a traceback tells it."""

from compiler.engine.error_chain import chain


def test_causes_come_before_what_was_being_handled():
    outer, inner = RuntimeError("torch's own words"), KeyError("inner")
    outer.inner_exception = inner
    outer.__cause__, outer.__context__ = ValueError("cause"), OSError("handled")
    inner.__cause__ = outer  # may lead back
    assert [type(found) for found in chain(outer)] == [RuntimeError, KeyError, ValueError, OSError]
