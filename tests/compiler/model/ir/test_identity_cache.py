"""An answer is asked for once an object, and objects are not mistaken for one another."""

from compiler.model.ir.identity_cache import identity_cached


def test_the_same_object_is_asked_about_once_and_equal_ones_apart():
    asked = []

    @identity_cached
    def size(items: tuple[int, ...]) -> int:
        asked.append(items)
        return len(items)

    first, second = (tuple(range(2)) for _ in range(2))
    assert first is not second
    assert [size(first), size(first), size(second), size(first)] == [2, 2, 2, 2]
    assert len(asked) == 2


def test_only_a_few_are_kept_and_none_is_answered_for_another():
    @identity_cached
    def text(value: list[int]) -> str:
        return str(value)

    for number in range(100):
        assert text([number]) == f"[{number}]"  # the lists die, and their ids are used again
