"""The verdict on more than the example input: other seeds, other values and, where the code is dynamic, other sizes."""

import contextlib
import functools
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
import torch

from compiler.engine.accuracy.eager_reference import eager_reference
from compiler.engine.held_tensors import tensors_in, with_tensors
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.ran_graphs import edited_ids, noting_runs
from compiler.engine.user_program.input_resizing import resized_everywhere
from compiler.engine.user_program.stepper import Results, Stepper
from compiler.engine.verdicts.reference_runs import drawing_step, reference_drawing_alike
from compiler.model.edits.edits import Edit, keeps_graphs
from compiler.model.timing.verdicts import Comparison, Difference

_SEEDS = (1, 2, 3)
_WIDE = 3
"""The seed whose numbers lie on both sides of zero, whatever the example's are like."""
_SECONDS = 4.0
"""No further input is tried after this time."""
_SIZE_SOURCE = re.compile(r"\.size\(\)\[\d+\]$")
_MORE, _WIDER = 3, 35
"""Another size by so much; and one of more than two vectors, since what is left of one is another piece of a kernel."""

Inputs = tuple[tuple[Any, ...], dict[str, Any]]
Trial = tuple[str, Callable[[], Inputs], int]
"""What is other, how it is made, and the seed."""


def judge_other_inputs(
    program: EditedProgram, edits: tuple[Edit, ...], doubt: str, report_progress: Callable[[str], None]
) -> list[Comparison]:
    """The compiled code beside the edited graph in float64 on other inputs; nothing where none could be tried. `doubt`: why what is far
    from it may be right all the same, as a clause.
    """
    stepper = program.base.stepper
    return judge_on(stepper, _trials(program), lambda: _judged(program, edits, doubt), report_progress)


def judge_on(
    stepper: Stepper,
    trials: Iterable[Trial],
    judged: Callable[[], Comparison | None],
    report_progress: Callable[[str], None],
) -> list[Comparison]:
    """What is judged on each of other inputs, in one row with the largest differences; nothing where none could be tried."""
    started = time.perf_counter()
    rows: list[Comparison] = []
    kinds: list[str] = []
    for kind, make, seed in trials:
        if rows and time.perf_counter() - started > _SECONDS:
            break
        report_progress(f"Judging: {kind}, seed {seed}")
        # a program may refuse other values, and an operator other sizes: then these say nothing
        with contextlib.suppress(Exception), with_inputs(stepper, make(), seed):
            row = judged()
            if row is not None and row.agrees is not None:
                rows.append(row)
                kinds.append(kind)
    if not rows:
        return []
    what = f"{len(rows)} other {'input' if len(rows) == 1 else 'inputs'}"
    what += ", other sizes too" if "other sizes" in kinds else ""
    differences = tuple(_worst(rows))
    return [
        Comparison(
            "edited",
            f"edited graph, float64, {what}",
            differences,
            all(row.agrees for row in rows),
            "Other seeds and values of the same kind as the example's; the largest difference of all is shown.",
            None if any(row.torch_agrees is None for row in rows) else all(row.torch_agrees for row in rows),
            tuple(dict.fromkeys(name for row in rows for name in row.wrong)),
            tuple(name for name in rows[0].rounding if all(name in row.rounding for row in rows)),
        )
    ]


def of_other_values(stepper: Stepper) -> Iterator[Trial]:
    """Inputs of the example's sizes with other numbers, and other seeds; none for a program without inputs."""
    if not any(value.numel() for value in tensors_in((stepper.program.args, stepper.program.kwargs))):
        return
    for seed in _SEEDS:
        yield "other values", lambda seed=seed: other_values(stepper, seed), seed  # type: ignore[misc]


def _trials(program: EditedProgram) -> Iterator[Trial]:
    stepper = program.base.stepper
    yield from of_other_values(stepper)
    hint = _dynamic_size(program)
    if hint is None:
        return
    began = time.perf_counter()
    yield (
        "other sizes",
        functools.partial(resized_everywhere, stepper.program, hint, hint + _MORE),
        _SEEDS[-1] + 1,
    )
    took = time.perf_counter() - began
    if _on_cpu(stepper) and hint + _MORE < _WIDER and took * _share(stepper, hint, _WIDER) < _SECONDS:
        yield (
            "other sizes",
            functools.partial(resized_everywhere, stepper.program, hint, _WIDER),
            _SEEDS[-1] + 2,
        )


def _on_cpu(stepper: Stepper) -> bool:
    """Where an index behind an end (a table of positions) is an error that a program gets over, and kernels have pieces for vectors."""
    return all(
        value.device.type == "cpu" for value in tensors_in((stepper.program.args, stepper.program.kwargs))
    )


def _share(stepper: Stepper, old: int, size: int) -> float:
    """How many times as many numbers go in where a size is another one; any number of times where rows have lengths of their own."""
    shapes = [value.shape for value in tensors_in((stepper.program.args, stepper.program.kwargs))]
    if any(type(length) is not int for shape in shapes for length in shape):
        return math.inf
    wider = sum(math.prod(size if length == old else length for length in shape) for shape in shapes)
    return wider / max(sum(map(math.prod, shapes)), 1)


def _dynamic_size(program: EditedProgram) -> int | None:
    """The size of an input that some compiled code leaves open."""
    for tree in program.base.capture.guards:
        for symbol in tree.symbols:
            if symbol.hint.isdigit() and any(_SIZE_SOURCE.search(source) for source in symbol.sources):
                return int(symbol.hint)
    return None


def other_values(stepper: Stepper, seed: int) -> Inputs:
    """(args, kwargs) of the same sizes, dtypes and strides: floating numbers drawn with the mean and spread of the old ones
    or, for one seed, as large but around zero; whole numbers and truth values the old ones in another order, so that
    indices stay valid, and so those that a mask lets through.
    """
    generator = torch.Generator().manual_seed(seed)

    def change(value: torch.Tensor) -> torch.Tensor:
        if value.numel() == 0:
            return value
        old = value.detach()
        if old.is_floating_point():
            wide = old.double()
            mean, spread = float(wide.mean()), float(wide.std(correction=0)) or 1.0
            if seed == _WIDE:
                mean, spread = 0.0, abs(mean) + spread
            drawn = torch.randn(old.shape, generator=generator, dtype=torch.float64, device=generator.device)
            fresh = drawn * spread + mean
        else:
            # the same order for all of a length: what is true of a place stays true of what stands there
            of_length = torch.Generator().manual_seed(seed)
            order = torch.randperm(old.numel(), generator=of_length, device=of_length.device).to(old.device)
            fresh = old.reshape(-1)[order].reshape(old.shape)
        new = torch.empty_like(old).copy_(fresh).requires_grad_(value.requires_grad)
        vars(new).update({key: kept for key, kept in vars(value).items() if key.startswith("_dynamo")})
        return new

    args, kwargs = with_tensors((stepper.program.args, stepper.program.kwargs), change)
    return args, kwargs


@contextlib.contextmanager
def with_inputs(stepper: Stepper, inputs: Inputs, seed: int) -> Iterator[None]:
    """While this is entered, steps run with these inputs and this seed. What was not compiled for them runs eagerly."""
    program, options = stepper.program, stepper.options
    before = program.args, program.kwargs
    program.args, program.kwargs = inputs
    stepper.options = msgspec.structs.replace(options, seed=seed)
    try:
        with torch.compiler.set_stance("eager_on_recompile"):
            yield
    finally:
        program.args, program.kwargs = before
        stepper.options = options


def _judged(program: EditedProgram, edits: tuple[Edit, ...], doubt: str) -> Comparison | None:
    """None where no edited graph ran, and where the code before is not right for such inputs either: indices behind the end of what they
    point into, which nothing checks; a branch that its rounding turns over.
    """
    wanted = program.random_before_autograd(edits)
    with program.running(edits, wanted, lambda text: None):
        with noting_runs(program) as ran:
            found, noted = drawing_step(program, edits)
        if not edited_ids(edits) & ran:
            return None
        reference = reference_drawing_alike(program, edits, noted, doubt)
        row = reference.judge("edited", found, "") if reference.exact is not None else None
    if row is None or row.agrees is not False:
        return row
    before, was_right = _before(program)
    if was_right is False:
        return None
    if not was_right or not all(map(keeps_graphs, edits)) or before.random != found.random:
        return row
    reference.alike = before
    with program.running(edits, wanted, lambda text: None):
        return reference.judge("edited", found, "")


def _before(program: EditedProgram) -> tuple[Results, bool | None]:
    """What the code before the edits gives for the inputs as they are, and whether that is right: None where it draws other random
    numbers than eager, or nothing runs in float64, False also where rounding leaves nothing to judge.
    """
    base = program.base
    reference = eager_reference(base.program, base.stepper)
    with program.running((), program.random_as_eager((), lambda text: None), lambda text: None):
        unedited = base.stepper.compared_step(base.compiled)
    if reference.exact is None or reference.drew_others(unedited):
        return unedited, None
    return unedited, bool(reference.judge("unedited", unedited, "").agrees)


def _worst(rows: list[Comparison]) -> Iterator[Difference]:
    by_tensor: dict[str, Difference] = {}
    for row in rows:
        for item in row.differences:
            known = by_tensor.get(item.tensor)
            if known is None or item.max_relative > known.max_relative:
                by_tensor[item.tensor] = item
    yield from by_tensor.values()
