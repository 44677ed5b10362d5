"""The backward of a large graph, compiled in a copy of the process while its forward is compiled here.

Inductor compiles one after the other, though the backward needs nothing of the forward's compile but how the results lie in
memory. The copy begins as if they lay as the graph says; once the forward is lowered it is reported, and begins again where they do
not. What it was given in the end is compared with what the backward is given here; where that differs, it is compiled as ever.
Only for captures whose graphs nobody runs or edits: the compiled function stays in the copy, what was recorded of it comes over.

GIVES: two cores for one capture.
NEEDS: ``compile_fx.compile_fx_forward`` and ``compile_fx_backward``, ``GraphLowering.compile_to_module``,
``CompilerConfigExtra.cudagraphs``, ``ViewAndMutationMeta.tensors_saved_for_backwards_slice``, ``Layout._pad_strides``.
"""

import contextlib
import functools
import io
import json
import pickle
import time
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import torch
from torch._guards import TracingContext
from torch._inductor import config
from torch._inductor.ir import Layout

from compiler.engine.fx.graph_import import read_graph
from compiler.engine.records.recorder import DynamoGraphRecord, InductorGraphRecord, Recorder
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.aot_autograd.missing_marks import add_missing_marks
from compiler.engine.torch_internals.patch.patching import around
from compiler.model.protocol.progress import Phase, from_line, line_of
from compiler.processes.forked_work import ForkedWork, can_fork
from compiler.processes.leaving import leave_now

_FORWARD = "torch._inductor.compile_fx:compile_fx_forward"
_LOWERED = "torch._inductor.graph:GraphLowering.compile_to_module"
_BACKWARD = "torch._inductor.compile_fx:compile_fx_backward"
_NOT_COMPUTED = ("primals", "tangents")
_BOXES = ("cudagraphs", "forward_device", "forward_is_partitioned")
WORTH_IT = 300
"""Nodes of a forward graph from which on the copy costs less than it saves."""
_TO_BACKWARD_S = 120.0
"""What comes between takes a second; a copy that fails there would come back into the program."""
_Given = tuple[object, ...]
_Give = Callable[[Sequence[Any]], _Given]


class _Pickler(pickle.Pickler):
    """Classes and functions by where they are, which is the same in both processes: by name they are not found, since ours are
    hidden from the program's imports.
    """

    def persistent_id(self, value: Any) -> int | None:
        return id(value) if isinstance(value, type | types.FunctionType) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, pickled: bytes) -> None:
        super().__init__(io.BytesIO(pickled))
        self._known: dict[int, Any] = {id(joint_role): joint_role}
        found: list[type] = [object]
        while found:
            kind = found.pop()
            if id(kind) not in self._known:
                self._known[id(kind)] = kind
                found += type.__subclasses__(kind)

    def persistent_load(self, key: int) -> Any:
        if key not in self._known:
            raise pickle.UnpicklingError("the copy has a class that came after it")
        return self._known[key]


def _pickled(value: object) -> bytes:
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    return file.getvalue()


class _Forked:
    """The copy that compiles the backward of one graph, and what was noted when it was made."""

    def __init__(self, recorder: Recorder, graph: DynamoGraphRecord, noted: Sequence[list[Any]]) -> None:
        self._recorder, self.graph = recorder, graph
        self._lists: tuple[list[Any], ...] = (recorder.faults, graph.rewrites, *noted)
        self._known = [len(rows) for rows in self._lists]
        self.work = ForkedWork()
        self.said = False
        if self.work.is_copy:
            threads = torch.get_num_threads()  # C++ kernels are generated for so many
            torch.set_num_threads(1)  # OpenMP's threads are not copied, and would be waited for
            torch.get_num_threads = lambda: threads
            self._report_to(self.work)

    def say_strides(self, outputs: Sequence[Any]) -> None:
        """How the results of the forward will lie, which is known once it is lowered."""
        self.said = True
        self.work.say(json.dumps([_strides(output) for output in outputs]).encode())

    def compile_in_copy(
        self, original: Callable[..., Any], module: torch.fx.GraphModule, inputs: Sequence[Any], given: _Give
    ) -> NoReturn:
        """In the copy: compile for inputs that lie as they are likely to, in a copy again, until it is known whether they do; if
        not, compile for those that they are.
        """
        self.work.end_within(0)
        try:
            guessed = _padded(module, inputs)
            guess = ForkedWork()
            if guess.is_copy:
                self.work = guess
                self._report_to(guess)
                original(module, guessed)
                self._hand_over(given(guessed))
            laid_out = _laid_out(inputs, self.work.hear())
            if given(laid_out) == given(guessed):
                self.work.answer(guess.wait(self.work.emit) or b"")
            guess.stop()
            original(module, laid_out)
            self._hand_over(given(laid_out))
        finally:
            self.work.answer(b"")  # what failed fails again where it is reported

    def _report_to(self, work: ForkedWork) -> None:
        self._recorder._progress = lambda text: work.emit(line_of(text))

    def _hand_over(self, given: _Given) -> NoReturn:
        record = self.graph.inductor_graphs[-1]
        if record.passes is not None:
            record.passes.let_go()
        news = [rows[known:] for rows, known in zip(self._lists, self._known, strict=True)]
        self.work.answer(_pickled((given, record, news)))

    def take(self, module: torch.fx.GraphModule, given: _Given) -> InductorGraphRecord | None:
        """What the copy recorded, if it was given just this."""
        made = self.work.wait(lambda line: self._recorder.report_progress(from_line(line)))
        try:
            copy_given, record, news = _Unpickler(made or b"").load()
        except Exception:  # noqa: BLE001  a class that came after the copy, say: then it is compiled here
            return None
        with self._recorder.reading("written-back inputs"):
            add_missing_marks(module.graph, self.graph)
        if copy_given != given or record.aot_graph != read_graph(module.graph, joint_role):
            return None
        for rows, more in zip(self._lists, news, strict=True):
            rows.extend(more)
        return record


@contextlib.contextmanager
def forked_backward(recorder: Recorder, noted: Sequence[list[Any]] = ()) -> Iterator[None]:
    """While this is entered, which is after all hooks, large graphs have their backward compiled in a copy. `noted`: lists that a
    compile adds to beside the recorder's.
    """
    forked: _Forked | None = None

    def forward(module: Any, inputs: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        nonlocal forked
        graph = recorder.dynamo_graph
        if graph is None or not _is_worth_it(module, inputs, kwargs):
            return original(module, inputs, *args, **kwargs)
        if forked is not None:  # of a graph whose backward did not come
            forked.work.stop()
            forked = None
        with contextlib.suppress(OSError):  # no process can be made
            forked = _Forked(recorder, graph, noted)
        if forked is not None and forked.work.is_copy:
            forked.work.end_within(_TO_BACKWARD_S)
            return _nothing
        return original(module, inputs, *args, **kwargs)

    def lowered(graph: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        if forked is not None and not forked.work.is_copy and not forked.said:
            with recorder.reading("how results of the forward lie"):
                forked.say_strides(graph.graph_outputs)
        return original(graph, *args, **kwargs)

    def backward(module: Any, inputs: Any, *, original: Any, **kwargs: Any) -> Any:
        nonlocal forked
        copy, forked = forked, None
        if copy is None:
            return original(module, inputs, **kwargs)
        given = functools.partial(_given, keywords=kwargs)
        if copy.work.is_copy:
            copy.compile_in_copy(functools.partial(original, **kwargs), module, inputs, given)
        recorder.report_progress(
            "Inductor compiles the backward graph in a process of its own", Phase.INDUCTOR
        )
        started = time.perf_counter()
        record = copy.take(module, given(inputs))
        if record is None:
            return original(module, inputs, **kwargs)
        waited = time.perf_counter() - started
        copy.graph.seconds["at_once"] = max(record.seconds["whole"] - waited, 0.0)
        copy.graph.inductor_graphs.append(record)
        return _nothing

    with around(_FORWARD, forward), around(_LOWERED, lowered), around(_BACKWARD, backward):
        try:
            yield
        finally:
            if forked is not None and forked.work.is_copy:
                leave_now(0)
            if forked is not None:
                forked.work.stop()


def _strides(output: Any) -> list[int] | None:
    """Of one result of a lowered graph; None where it has none, or they are symbols."""
    if not hasattr(output, "maybe_get_layout") or (layout := output.maybe_get_layout()) is None:
        return None
    steps = getattr(layout, "stride", None)
    fixed = steps is not None and all(str(step).isdecimal() for step in steps)
    return [int(step) for step in steps] if fixed else None


def _laid_out(inputs: Sequence[Any], said: bytes) -> list[Any]:
    """A backward's inputs as AOTAutograd hands them on where the forward's results lie so."""
    laid_out = list(inputs)
    strides = json.loads(said)[_saved()] if said else ()
    for number, (value, steps) in enumerate(zip(inputs, strides, strict=False)):
        if steps is not None and isinstance(value, torch.Tensor) and value.stride() != tuple(steps):
            laid_out[number] = value.as_strided(value.size(), steps)
    return laid_out


def _padded(module: torch.fx.GraphModule, inputs: Sequence[Any]) -> list[Any]:
    """A guess: what the forward computes and saves lies as the graph says but for Inductor's padding of long rows."""
    guessed = list(inputs)
    names = [node.name for node in module.graph.find_nodes(op="placeholder")]
    for number, (name, value) in enumerate(zip(names, inputs, strict=True)):
        if not config.comprehensive_padding or name.startswith(_NOT_COMPUTED) or not _is_fixed(value):
            continue
        if value.dim() > 1 and value.is_contiguous():
            steps = Layout._pad_strides(value.stride(), value.size(), value.dtype)
            guessed[number] = value.as_strided(value.size(), steps)
    return guessed


def _saved() -> slice:
    """Which of the forward's results are the backward's first inputs."""
    context = TracingContext.try_get()
    found = getattr(context and context.fw_metadata, "tensors_saved_for_backwards_slice", None)
    return found if isinstance(found, slice) else slice(0)


def _nothing(*_: object) -> None:
    """Stands for what was compiled."""
    raise RuntimeError("a graph that was compiled in a copy of the process cannot run")


def _is_worth_it(module: torch.fx.GraphModule, inputs: Sequence[Any], keywords: dict[str, Any]) -> bool:
    """Whether the graph is large, and its backward needs nothing that its forward's compile finds."""
    cuda_graphs = getattr(keywords.get("compiler_config_extra"), "cudagraphs", None)
    return (
        not keywords.get("is_inference")
        and cuda_graphs is not None
        and not cuda_graphs.value
        and len(module.graph.nodes) >= WORTH_IT
        and all(_is_fixed(value) for value in inputs)
        and can_fork()
    )


def _is_fixed(value: Any) -> bool:
    """Whether no size is a symbol, of which the forward's compile may find out something."""
    return isinstance(value, torch.Tensor) and all(
        type(size) is int for size in (*value.shape, *value.stride())
    )


def _given(inputs: Sequence[Any], keywords: dict[str, Any]) -> _Given:
    """What Inductor is given beside the graph; the forward's compile may change all of it."""
    extra = keywords.get("compiler_config_extra")
    boxes = [getattr(getattr(extra, name, None), "value", None) for name in _BOXES]
    return *boxes, *(_of_tensor(value) for value in inputs)


def _of_tensor(value: Any) -> object:
    if not _is_fixed(value):
        return str(value)
    return (
        tuple(value.shape),
        value.stride(),
        value.storage_offset(),
        str(value.dtype),
        str(value.device),
        value.requires_grad,
    )
