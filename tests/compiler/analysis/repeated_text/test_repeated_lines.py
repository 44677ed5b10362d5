"""Repetitions of lines in wrappers: what is folded is equal but for names, and what is not equal is not folded."""

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.analysis.repeated_text.repeated_lines import FEWEST, RepeatedLines, repeated_in, repeated_lines
from compiler.model.ir.loop_ir import WrapperCode
from tests.helpers.layered_wrapper import KERNELS, layer, layered_wrapper
from tests.helpers.thoroughness import examples

_NAME = re.compile(r"\b(?:buf|primals_|constant|workspace_)\d+\b|\bmask\b|(?<=, )\d+(?=, 4096, 96)")
"""Variables, and the numbers of seeds."""


def runs_in_call(text: str) -> list[RepeatedLines]:
    lines = text.split("\n")
    start = next(at for at, line in enumerate(lines) if "def call" in line)
    return [run for run in repeated_in(text) if run.first > start]


def rewritten(lines: list[str], one: int, other: int, period: int) -> bool:
    """Whether one repetition becomes the other when each name is replaced by one name: found by replacing them in the text."""
    first, second = lines[one : one + period], lines[other : other + period]
    pairs: dict[str, str] = {}
    freed: list[tuple[str, str]] = []
    for line, line_too in zip(first, second, strict=True):
        if line.lstrip().startswith("#"):
            continue
        if line.lstrip().startswith("del "):
            freed.append((line, line_too))
            continue
        for name, name_too in zip(_NAME.findall(line), _NAME.findall(line_too), strict=False):
            if pairs.setdefault(name, name_too) != name_too:
                return False
        if _NAME.sub(lambda found: pairs.get(found[0], found[0]), line) != line_too:
            return False
    replaced = {_NAME.sub(lambda found: pairs.get(found[0], "?"), line) for line, _ in freed}
    wanted = {line for _, line in freed}
    unknown = sum("?" in line for line in replaced)
    return len(pairs) == len(set(pairs.values())) and len(replaced - wanted) <= max(unknown, 1)


def test_equal_layers_are_one_run() -> None:
    text, layers = layered_wrapper(12)
    (run,) = runs_in_call(text)
    assert run.period == layers[1][1] - layers[1][0]
    assert run.repeats == 12
    lines = text.split("\n")
    for number in range(run.repeats - 1):
        assert rewritten(lines, run.first_of(number) - 1, run.first_of(number + 1) - 1, run.period)


def test_a_run_knows_its_lines() -> None:
    run = RepeatedLines(first=11, period=5, repeats=4)
    assert (run.last, run.first_of(3)) == (30, 26)
    assert [run.repetition_of(line) for line in (10, 11, 15, 16, 30, 31)] == [None, 0, 0, 1, 3, None]


def test_fewer_than_four_are_left() -> None:
    assert runs_in_call(layered_wrapper(FEWEST)[0])
    assert not runs_in_call(layered_wrapper(FEWEST - 1)[0])


def test_a_wrapper_in_another_language_is_left() -> None:
    text, _ = layered_wrapper(8)
    assert repeated_lines(WrapperCode("", text))
    assert not repeated_lines(WrapperCode("", text, language="cpp"))


def test_texts_of_kernels_are_left() -> None:
    body = "\n".join(f"    tmp{at} = tl.load(in_ptr0 + {at % 8})" for at in range(80))
    text, _ = layered_wrapper(3)
    assert not repeated_in(text.replace("KERNEL_TEXT", body))


PLANTED: dict[str, Callable[[str], str]] = {
    "another number": lambda text: text.replace("4096, 64", "4096, 32", 1),
    "another kernel": lambda text: text.replace("triton_mul_1", "triton_other_2", 1),
    "arguments in another order": lambda text: re.sub(
        r"\.run\((\w+), (\w+),", r".run(\2, \1,", text, count=1
    ),
    "one argument twice": lambda text: re.sub(r"\.run\((\w+), (\w+),", r".run(\1, \1,", text, count=1),
    "another shape": lambda text: text.replace("(64, 64), (64, 1), torch", "(64, 64), (1, 64), torch", 1),
    "another type": lambda text: text.replace("torch.float32", "torch.bfloat16", 1),
    "another library call": lambda text: text.replace("extern_kernels.mm", "extern_kernels.bmm", 1),
    "no mask": lambda text: text.replace(", mask,", ", None,", 1),
    "a keyword": lambda text: text.replace("stream=raw", "other=raw", 1),
    "another comment": lambda text: text.replace("aten.mm", "aten.addmm", 1),
    "something else is freed": lambda text: re.sub(r"del buf\d+\n", "del mask\n", text, count=1),
    "another weight": lambda text: re.sub(r"primals_\d+(?=, 4096)", "primals_1", text, count=1),
    "a value of long ago": lambda text: re.sub(r"mm\(buf\d+", "mm(buf0", text, count=1),
}


@pytest.mark.parametrize("what", PLANTED)
@pytest.mark.parametrize("number", [2, 5, 9])
def test_a_layer_that_differs_is_not_folded(what: str, number: int) -> None:
    text, layers = layered_wrapper(12)
    lines = text.split("\n")
    start, end = layers[number]
    changed = PLANTED[what]("\n".join(lines[start:end]) + "\n").split("\n")[:-1]
    assert changed != lines[start:end], "nothing was planted"
    lines[start:end] = changed
    where = next(at for at in range(start, end) if lines[at] != text.split("\n")[at]) + 1
    for run in runs_in_call("\n".join(lines)):
        assert (
            run.repetition_of(where) is None
            or run.repetition_of(where) == 0
            or run.period > 2 * (end - start)
        )


def test_two_masks_in_turn_make_pairs_equal() -> None:
    text, layers = layered_wrapper(12, masks=("mask", "constant1"))
    (run,) = runs_in_call(text)
    assert run.period == 2 * (layers[1][1] - layers[1][0])


def test_one_mask_for_some_and_one_for_others_are_two_runs() -> None:
    text, _layers = layered_wrapper(12, masks=("mask",) * 6 + ("constant1",) * 6)
    one, other = runs_in_call(text)
    assert (one.repeats, other.repeats) == (6, 6)
    assert one.last < other.first


def test_masks_of_their_own_and_one_for_all_are_two_runs() -> None:
    own = tuple(f"primals_{number}" for number in range(50, 56))
    assert [run.repeats for run in runs_in_call(layered_wrapper(6, masks=own)[0])] == [6]
    text, _ = layered_wrapper(12, masks=own + own[-1:] * 6)
    assert [run.repeats for run in runs_in_call(text)] == [6, 6]


def test_what_is_freed_side_by_side_has_no_order() -> None:
    text, _ = layered_wrapper(12)
    mixed = re.sub(r"( +del buf\d+\n)( +del primals_\d+\n)", lambda found: found[2] + found[1], text, count=3)
    assert mixed != text
    assert runs_in_call(mixed) == runs_in_call(text)


def test_seeds_are_of_each_layer() -> None:
    text, _ = layered_wrapper(12, seeds=True)
    assert [run.repeats for run in runs_in_call(text)] == [12]
    number = re.search(r"triton_drop_3\.run\(\w+, \w+, (\d+), 4096", text)
    assert number is not None
    twice = text.replace(", 3, 4096, 96", ", 7, 4096, 96", 1)
    assert twice != text
    assert [run.repeats for run in runs_in_call(twice)] != [12]


def test_a_c_kernel_is_its_text_without_seeds() -> None:
    text, _ = layered_wrapper(12, cpp=True)
    assert [run.repeats for run in runs_in_call(text)] == [12]
    other = text.replace("tmp9 * 0.5", "tmp9 * 0.25", 1)
    assert other != text
    assert [run.repeats for run in runs_in_call(other)] != [12]
    # a number that is used for anything else than random numbers is no seed
    used = re.sub(r"(normalized_rand_cpu\(tmp0, 1\));", r"\1 + tmp0;", text)
    assert used != text
    assert not runs_in_call(used)


def test_kernels_of_layers_are_folded_where_only_seeds_differ() -> None:
    text, _ = layered_wrapper(12, cpp=True)
    (run,) = [run for run in repeated_in(text) if run not in runs_in_call(text)]
    assert run.repeats == 12
    lines = text.split("\n")
    for number in range(12):
        assert lines[run.first_of(number) - 1].startswith(f"cpp_drop_{number + 10} = async_compile.")
    other = text.replace("tmp9 * 0.5", "tmp9 * 0.25", 1)
    assert [run.repeats for run in repeated_in(other) if run not in runs_in_call(other)] == [11]
    twice = text.replace("_t>(5L)", "_t>(3L)")  # two layers with one seed
    assert twice != text
    assert [run.repeats for run in repeated_in(twice) if run not in runs_in_call(twice)] != [12]


def places(
    data: st.DataObject, lines: list[str], start: int, end: int
) -> Iterator[tuple[int, re.Match[str]]]:
    for at in range(start, end):
        if not lines[at].lstrip().startswith(("#", "del ")):
            yield from ((at, found) for found in re.finditer(r"\b\w+\b", lines[at]))


@given(st.data(), st.integers(6, 14), st.booleans())
@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_word_that_is_another_is_seen(data: st.DataObject, count: int, seeds: bool) -> None:
    """One word of one layer is replaced by another word of the program, or by a new one."""
    text, layers = layered_wrapper(count, seeds=seeds)
    lines = text.split("\n")
    number = data.draw(st.integers(1, count - 2))
    at, found = data.draw(st.sampled_from(list(places(data, lines, *layers[number]))))
    words = sorted(
        {word for line in lines[layers[0][0] :] for word in re.findall(r"\b\w+\b", line)} | {"quite_new"}
    )
    word = data.draw(st.sampled_from([word for word in words if word != found[0]]))
    lines[at] = f"{lines[at][: found.start()]}{word}{lines[at][found.end() :]}"
    changed = "\n".join(lines)
    for run in runs_in_call(changed):
        place = run.repetition_of(at + 1)
        if place is None:
            continue
        for one in range(run.repeats - 1):
            assert rewritten(lines, run.first_of(one) - 1, run.first_of(one + 1) - 1, run.period)


def test_a_text_that_is_no_program_is_read() -> None:
    """A file of a stranger may hold anything; here a keyword in the place of each word."""
    text, layers = layered_wrapper(6, seeds=True)
    lines = text.split("\n")
    for at in range(*layers[1]):
        for found in re.finditer(r"\b\w+\b", lines[at]):
            changed = f"{lines[at][: found.start()]}del{lines[at][found.end() :]}"
            runs = repeated_in("\n".join([*lines[:at], changed, *lines[at + 1 :]]))
            assert all(run.last <= len(lines) for run in runs)


@given(st.data())
@settings(max_examples=examples(100), deadline=None)
def test_layers_of_any_kinds(data: st.DataObject) -> None:
    """Layers of kinds in any order: every run is one of equal kinds, or of a pattern that repeats."""
    kinds = data.draw(st.lists(st.sampled_from(sorted(KERNELS)), min_size=1, max_size=20))
    text, _layers = layered_wrapper(len(kinds), kinds=kinds)
    lines = text.split("\n")
    for run in runs_in_call(text):
        for one in range(run.repeats - 1):
            assert rewritten(lines, run.first_of(one) - 1, run.first_of(one + 1) - 1, run.period)
    longest = max((len(list(group)) for group in grouped(kinds)), default=0)
    if longest > FEWEST:
        assert runs_in_call(text)
    assert layer(0, "mul", "mask", None)


def grouped(kinds: list[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for kind in kinds:
        if group and group[-1] != kind:
            yield group
            group = []
        group.append(kind)
    yield group
