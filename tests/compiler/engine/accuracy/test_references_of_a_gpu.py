"""What a GPU's kernels do that a CPU's do not: they have no float64, cut their inputs, add in another order each time, drop inside attention."""

import contextlib
import math
import re
from collections.abc import Iterator

import pytest
import torch
import torch.fx

from compiler.engine.accuracy.eager_reference import Reference, eager_reference, graph_reference, reference_of
from compiler.engine.fx.interpreter import interpreter_of
from compiler.engine.rng import attention_masks, rounding_noise
from compiler.engine.rng.random_tape import Run, Within
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Results, Stepper
from compiler.engine.wide_values import wide_value
from compiler.model.capture.capture import CONVOLUTIONS
from compiler.model.capture.capture_spec import RunOptions

_TAKES_ANYTHING = "_scaled_dot_product_cudnn_attention"


@pytest.fixture(scope="module", autouse=True)
def _operators() -> Iterator[None]:
    library = torch.library.Library("loupe_tests", "DEF")
    library.define("only_float32(Tensor x) -> Tensor")
    library.impl("only_float32", _only_float32, "CPU")
    library.define("only_float32_of(Tensor x, float scale) -> Tensor")
    library.impl("only_float32_of", lambda x, scale: _only_float32(x) * scale, "CPU")
    library.define(f"{_TAKES_ANYTHING}(Tensor x) -> Tensor")
    library.impl(
        _TAKES_ANYTHING, lambda x: x.sin() if x.dtype is torch.float32 else torch.zeros_like(x), "CPU"
    )
    library.define(
        f"{attention_masks.EFFICIENT}(Tensor q, Tensor k, Tensor v, Tensor? bias, bool lse, float dropout_p) "
        "-> (Tensor, Tensor, Tensor, Tensor)",
        tags=(torch.Tag.nondeterministic_seeded,),
    )
    library.impl(attention_masks.EFFICIENT, _attention, "CPU")
    yield
    library._destroy()


def _only_float32(x: torch.Tensor) -> torch.Tensor:
    if x.dtype is not torch.float32:
        raise RuntimeError("expected float32")
    return x.sin()


def asserts_float32(x: torch.Tensor) -> torch.Tensor:
    """A library's function, which says in its own way that it has no float64."""
    assert x.dtype is torch.float32
    return x.sin()


def _graph(call: str) -> torch.fx.GraphModule:
    """Twice the operator's result, with the types that a capture's graph has."""
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    x.meta["val"] = torch.empty(8)
    operator = asserts_float32 if call == "asserts_float32" else getattr(torch.ops.loupe_tests, call).default
    middle = graph.call_function(operator, (x, 2.0) if call.endswith("_of") else (x,))
    middle.meta["val"] = torch.empty(8)
    graph.output(graph.call_function(torch.ops.aten.mul.Tensor, (middle, 2)))
    return torch.fx.GraphModule({}, graph)


def _reference_of_graph(call: str) -> Reference:
    module, x = _graph(call), torch.linspace(0, 1, 8)

    def run(wide: bool) -> Run[Results]:
        def one(within: Within) -> Results:
            with within():
                result = interpreter_of(module, wide).run(wide_value(x) if wide else x)
            return Results({"output 0": result})

        return one

    return graph_reference(run(False), run(True))


@pytest.mark.parametrize("operator", ["only_float32", "asserts_float32", _TAKES_ANYTHING])
def test_an_operator_without_float64_runs_in_its_own_dtype_and_that_is_said(operator: str) -> None:
    """cuDNN's attention takes float64 without a word, and reads its bits as float16."""
    reference = _reference_of_graph(operator)
    assert reference.exact.tensors["output 0"].dtype is torch.float64
    row = reference.judge("edited", reference.eager, "float64")
    assert row.agrees is True
    assert row.note == f"Without float64, and so in their own dtypes: {operator}."
    wrong = Results({"output 0": reference.eager.tensors["output 0"] * 1.01})
    assert reference.judge("edited", wrong, "float64").agrees is False


def test_what_fails_in_every_dtype_has_no_reference() -> None:
    reference = _reference_of_graph("only_float32_of")
    assert reference.exact is not None  # a number beside the tensor stays what it is

    graph = torch.fx.Graph()
    graph.output(graph.call_function(torch.ops.aten.mm.default, (graph.placeholder("x"), 3)))
    module = torch.fx.GraphModule({}, graph)

    def run(within: Within) -> Results:
        return Results({"output 0": interpreter_of(module, True).run(torch.ones(2, dtype=torch.float64))})

    reference = graph_reference(lambda within: Results({}), run)
    assert reference.exact is None
    assert reference.why_not.startswith("the edited graph cannot run in float64 (RuntimeError: ")


def test_want_of_memory_is_no_want_of_float64() -> None:
    def too_large(x: torch.Tensor) -> torch.Tensor:
        if x.dtype is torch.float64:
            raise torch.OutOfMemoryError("Tried to allocate 56 GiB.")
        return x.sin()

    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    x.meta["val"] = torch.empty(8)
    graph.output(graph.call_function(too_large, (x,)))
    module = torch.fx.GraphModule({}, graph)

    def run(within: Within) -> Results:
        return Results({"output 0": interpreter_of(module, True).run(torch.ones(8, dtype=torch.float64))})

    reference = graph_reference(lambda within: Results({}), run)
    assert (
        reference.why_not
        == "the edited graph cannot run in float64 (OutOfMemoryError: Tried to allocate 56 GiB)"
    )


def test_a_program_that_takes_no_float64_says_why() -> None:
    class Picky(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return _only_float32(x)

    program = Program("module", Picky(), (torch.ones(8),), {}, None, {})
    reference = eager_reference(program, Stepper(program, RunOptions()))
    assert reference.exact is None
    why = (
        "The program cannot run in float64 (RuntimeError: expected float32), so nothing is judged against it."
    )
    assert reference.nothing_exact == why


def _convolution(dtype: torch.dtype) -> Run[Results]:
    generator = torch.Generator().manual_seed(0)
    x, weight = torch.randn(1, 8, 9, 9, generator=generator), torch.randn(8, 8, 3, 3, generator=generator)

    def run(within: Within) -> Results:
        with within():
            return Results({"output 0": torch.conv2d(x.to(dtype), weight.to(dtype))})

    return run


def _cut(value: torch.Tensor) -> torch.Tensor:
    """As tensor cores read it: ten binary digits."""
    return (value.view(torch.int32) & ~0x1FFF).view(torch.float32)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_convolution_in_tf32_is_not_called_wrong_where_it_is_allowed(
    allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounding_noise, "_is_on_gpu", lambda value: True)
    monkeypatch.setattr(
        "compiler.engine.accuracy.eager_reference.allowed_tf32",
        lambda gpu: (CONVOLUTIONS,) if allowed else (),
    )
    generator = torch.Generator().manual_seed(0)
    x, weight = torch.randn(1, 8, 9, 9, generator=generator), torch.randn(8, 8, 3, 3, generator=generator)
    reference = reference_of(_convolution(torch.float32), _convolution(torch.float64))
    found = Results({"output 0": torch.conv2d(_cut(x), _cut(weight))})
    assert reference.judge("edited", found, "float64").agrees is allowed
    wrong = Results({"output 0": found.tensors["output 0"] * 1.05})
    assert reference.judge("edited", wrong, "float64").agrees is False


def test_what_the_program_by_itself_gives_too_is_not_called_wrong() -> None:
    """A GPU's library takes ten digits in the program and, run op by op, all: remarks in torchbench's phlippe_resnet were reported wrong."""
    generator = torch.Generator().manual_seed(0)
    x, weight = torch.randn(1, 8, 9, 9, generator=generator), torch.randn(8, 8, 3, 3, generator=generator)
    reference = reference_of(_convolution(torch.float32), _convolution(torch.float64))
    found = Results({"output 0": torch.conv2d(_cut(x), _cut(weight))})
    alike = Results({"output 0": found.tensors["output 0"] * (1 + 2**-20)})
    assert reference.judge("edited", found, "float64").agrees is False
    reference.alike = alike
    row = reference.judge("edited", found, "float64")
    assert row.agrees is True
    assert "is as far from float64 in output 0" in row.note
    wrong = Results({"output 0": found.tensors["output 0"] * 1.05})
    assert reference.judge("edited", wrong, "float64").agrees is False


def _unsteady(dtype: torch.dtype, name: str, size: float) -> Run[Results]:
    """A gradient, and beside it what is something else at every run, about as large as `size`."""
    other = torch.Generator().manual_seed(1 if dtype is torch.float32 else 2)
    values = torch.linspace(1, 2, 64, dtype=dtype)

    def run(within: Within) -> Results:
        with within():
            plain = (values * math.pi).sin()
        return Results({"grad of weight": plain, name: size * torch.randn(3, generator=other, dtype=dtype)})

    return run


def _judged(name: str, size: float, factor: float = 1.0) -> tuple[bool | None, str]:
    reference = reference_of(_unsteady(torch.float32, name, size), _unsteady(torch.float64, name, size))
    found = dict(reference.eager.tensors)
    found["grad of weight"] = found["grad of weight"] * factor
    found[name] = 5 * found[name]
    reference.why_not  # noqa: B018  asking does not change what is judged
    row = reference.judge("edited", Results(found), "float64")
    return row.agrees, row.note


def test_a_gradient_that_is_rounding_and_differs_each_time_is_left_out() -> None:
    """The bias of keys: a softmax takes it out, and a GPU adds what is left in another order each time."""
    agrees, note = _judged("grad of bias", 1e-9)
    assert agrees is True
    assert "Left out" in note
    assert "grad of bias" in note
    assert _judged("grad of bias", 1e-9, factor=1.01)[0] is False


def test_what_differs_each_time_and_is_large_is_not_judged() -> None:
    agrees, note = _judged("grad of bias", 1.0)
    assert agrees is None
    assert "differs from run to run by itself in grad of bias" in note
    assert _judged("output 0", 1e-9)[0] is None  # of an output nobody knows how large it should be


def test_where_rounding_hides_a_fault_nothing_is_called_right() -> None:
    """Small pictures, normalized over a few values, on tensor cores: the gradients of a deep network are anything."""

    def run(dtype: torch.dtype) -> Run[Results]:
        def one(within: Within) -> Results:
            values = torch.linspace(0, 1, 64, dtype=dtype)
            with within():
                for _ in range(60):
                    values = (values * 1.9 + 0.1).remainder(1.0)
            return Results({"grad of weight": values})

        return one

    reference = reference_of(run(torch.float32), run(torch.float64))
    assert reference.judge("edited", reference.eager, "float64").agrees is True, "eager's own, bit for bit"
    others = {name: value * 1.0001 for name, value in reference.eager.tensors.items()}
    row = reference.judge("edited", Results(others), "float64")
    assert row.agrees is None
    assert re.search(
        r"Not judged: rounding alone makes \d+% of grad of weight; a fault would not show\.", row.note
    )


def test_a_program_that_rounds_otherwise_while_it_is_watched_is_judged_all_the_same() -> None:
    """Random numbers, and a sum in another order each time, of which nothing else is left."""
    order = torch.Generator().manual_seed(3)
    values = torch.linspace(0.1, 1, 4096)

    def run(dtype: torch.dtype) -> Run[Results]:
        def one(within: Within) -> Results:
            torch.manual_seed(0)
            permuted = torch.randperm(4096, generator=order)
            with within():
                drawn = torch.nn.functional.dropout(values.to(dtype), 0.5)
                nothing = drawn[permuted].view(64, 64).sum(0).sum(0) - drawn.sum()
            return Results({"output 0": drawn, "grad of bias": nothing.reshape(1)})

        return one

    reference = reference_of(run(torch.float32), run(torch.float64))
    assert reference.why_not == ""


def _attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, bias: object, lse: bool, share: float):
    """As a GPU's fused kernel: what it drew can be made again of a seed that it gives out."""
    if q.dtype is not torch.float32:
        raise RuntimeError("expected float32")
    seed = torch.randint(1 << 30, (), dtype=torch.int64)
    kept = attention_masks._numbers(torch.empty(*q.shape[:-1], k.shape[-2]), share, int(seed), 0) > share
    weights = torch.softmax(q @ k.mT, -1) * kept / (1 - share)
    return weights @ v, torch.empty(0), seed, torch.zeros((), dtype=torch.int64)


def test_float64_drops_the_weights_that_fused_attention_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers(empty: torch.Tensor, share: float, seed: int, offset: int) -> torch.Tensor:
        return torch.rand(empty.shape, generator=torch.Generator().manual_seed(seed))

    monkeypatch.setattr(attention_masks, "_numbers", numbers)
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(2, 3, 5, 4, generator=generator) for _ in range(3))

    def narrow(within: Within) -> Results:
        torch.manual_seed(0)
        with within():
            fused = getattr(torch.ops.loupe_tests, attention_masks.EFFICIENT)
            return Results({"output 0": fused(q, k, v, None, False, 0.25)[0]})

    def wide(within: Within) -> Results:
        torch.manual_seed(0)
        with within():
            weights = torch.softmax(q.double() @ k.double().mT, -1)
            return Results({"output 0": torch.native_dropout(weights, 0.25, True)[0] @ v.double()})

    reference = reference_of(narrow, wide)
    assert reference.why_not == ""
    assert reference.judge("edited", reference.eager, "float64").agrees is True


def test_flash_attention_is_asked_for_what_it_drops() -> None:
    q = torch.empty(1, 1, 2, 4)
    args, kwargs = attention_masks.with_mask(attention_masks.FLASH, (q, q, q, 0.5, True), {"scale": 2.0})
    assert (args[3:], kwargs) == ((0.5, True, True), {"scale": 2.0})
    args, kwargs = attention_masks.with_mask(
        attention_masks.FLASH, (q, q, q), {"dropout_p": 0.5, "is_causal": True}
    )
    assert (args[3:], kwargs) == ((0.5, True, True), {})
    assert attention_masks.with_mask(attention_masks.FLASH, (q, q, q), {}) == ((q, q, q), {})
    signs = torch.ones(1, 1, 128, 128)
    signs[..., 0, 1] = -0.1
    found = attention_masks.dropped(
        attention_masks.FLASH, (q, q, q, 0.5, False, True), {}, [None] * 8 + [signs]
    )
    assert found.kept.tolist() == [[[[True, False], [True, True]]]]


def test_what_leaves_the_generators_elsewhere_than_eager_is_not_called_wrong() -> None:
    """Eager runs attention with dropout fused on a GPU, compiled code in parts: they draw other numbers from the same seed."""

    def step(draws: int) -> Results:
        def function(x: torch.Tensor) -> torch.Tensor:
            for _ in range(draws):
                x = x * torch.rand(8)
            return x

        program = Program("p", function, (torch.ones(8),), {}, None, {})
        return Stepper(program, RunOptions(gradients=False)).compared_step(function)

    eager, alike, other = step(1), step(1), step(2)
    reference = Reference(eager, Results({"output 0": eager.tensors["output 0"].double()}))
    wrong = Results({"output 0": eager.tensors["output 0"] * 1.5}, alike.random)
    assert reference.judge("unedited", wrong, "float64").agrees is False
    row = reference.judge("unedited", other, "float64")
    assert row.agrees is None
    assert "draws other random numbers than eager" in row.note
    right = Results(alike.tensors, other.random)
    assert reference.judge("unedited", right, "float64").agrees is True


def test_nothing_else_is_noted_as_run_in_its_own_dtype() -> None:
    with contextlib.suppress(RuntimeError):
        interpreter_of(_graph("only_float32"), False).run(torch.ones(8, dtype=torch.float64))
    assert _reference_of_graph("only_float32").remark.count("only_float32") == 1


@pytest.mark.parametrize(
    ("eager", "said"),
    [
        ([1.0, 2.0], ""),
        ([1.0, 9.0], ""),
        ([1.0, 9e19], "4.5e+19"),
        ([1.0, math.nan], "NaN where the reference is not"),
    ],
)
def test_results_with_nothing_of_float64_left_are_no_measure(eager: list[float], said: str) -> None:
    """Flux (diffusers) in bfloat16: eager's gradients were 1e19 or not a number, other ones each time. Another branch is not that far."""

    def wide(within: Within) -> Results:
        with within():
            return Results({"output": torch.tensor([1.0, 2.0], dtype=torch.float64)})

    results = Results({"output": torch.tensor(eager)})
    reference = Reference(results, wide(contextlib.nullcontext), noisy=wide)
    assert (said in reference.scattered) is True
    assert bool(reference.scattered) is bool(said)
    assert bool(reference.why_not) is (eager[1] != 2.0)
    other = Reference(wide(contextlib.nullcontext), wide(contextlib.nullcontext))
    other.doubt = reference.scattered
    verdict = other.judge("edited", Results({"output": torch.tensor([1.0, 3.0])}), "float64")
    assert verdict.agrees is (None if said else False)
