"""Writes down one step that runs on fakes: what is launched on which stream, and which memory lives meanwhile."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import torch
from torch.utils.flop_counter import flop_registry

from compiler.engine.torch_internals.dispatcher.dispatcher import running_backward
from compiler.engine.torch_internals.simulated_step.collectives import (
    is_functional,
    is_wait,
    sent_by,
    tensors_of,
)
from compiler.engine.torch_internals.simulated_step.storages import RESIZED, Piece, Storages, is_strided
from compiler.engine.torch_internals.simulated_step.wrappers_on_fakes import Wrappers
from compiler.model.prediction.simulated_step import (
    BACKWARD,
    COLLECTIVE,
    COMMUNICATION,
    FORWARD,
    GATHERED,
    KERNEL,
    OPERATION,
    OPTIMIZER,
    RESULTS,
    SAVED,
    TEMPORARY,
    Allocation,
    Moment,
    Sent,
)

GIVES = "a step of a program that cannot run here"
NEEDS = ("torch.utils.flop_counter:flop_registry",)
_NO_LAUNCH = ("empty", "detach", "alias", "lift_fresh", "_local_scalar_dense", "set_", "resize_", "record_stream", "is_same_size")  # fmt: skip
_COMMUNICATES_FROM = 1_000_000
"""Numbers of streams that belong to process groups."""


class StepRecorder:
    """Fills while a step runs; `moments` and `allocations` are what it was."""

    def __init__(self, device: str, wrappers: Wrappers) -> None:
        self.moments: list[Moment] = []
        self.phase = FORWARD
        self.layer = ""
        self.stream = 0
        self.paused = False
        self.on_dtensors = False
        """Whether the operation that runs was called on DTensors."""
        self._count = 0
        self._wrappers = wrappers
        self._latest: dict[int, int] = {}
        self._waits: dict[int, set[int]] = {}
        self._groups: dict[str, int] = {}
        self._flying: dict[int, int] = {}
        """Address of the storage of a collective's result → its moment."""
        self.storages = Storages(device, self._tick, self._where)

    def _phase_now(self) -> str:
        """Backward also where the program goes back itself, in what it calls a forward."""
        return BACKWARD if self.phase == FORWARD and running_backward()[0] else self.phase

    def latest(self, stream: int) -> int:
        """The last moment of a stream, or -1."""
        return self._latest.get(stream, -1)

    def wait(self, stream: int, moment: int) -> None:
        """The next moment of a stream comes after that one."""
        if moment >= 0:
            self._waits.setdefault(stream, set()).add(moment)

    def join_streams(self) -> None:
        """What comes next on the program's stream waits for all others: gradients that were sent meanwhile are there."""
        for stream, moment in self._latest.items():
            if stream:
                self.wait(0, moment)

    def saw(self, func: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """One operation on fakes, with what it gave."""
        if self.paused:
            return
        sent = sent_by(func, args, kwargs, result)
        name = str(func).removesuffix(".default")
        given = [*tensors_of(list(args)), *tensors_of(list(kwargs.values()))]
        if is_wait(func):
            self._waited(given)
            for tensor in tensors_of(result):
                self.storages.share(tensor, given[0])
            return
        made = list(tensors_of(result))
        for tensor in given:
            self.storages.note(tensor, name, before=True)
        fresh = [tensor for tensor in made if self.storages.find(tensor) is None]
        pieces = [self.storages.note(tensor, name) for tensor in made]
        if sent is not None:
            for piece in (*pieces, *map(self.storages.find, given)):
                if piece is not None:
                    piece.sent = True
            self._collective(
                name, sent, is_functional(func), [*made, *given] if func.namespace == "c10d" else made
            )
        elif self._wrappers.running is not None:
            if self._launches(func, fresh, given):
                self.launched(name, (*given, *fresh), _flops(func, args, kwargs, result))
        elif self._launches(func, fresh, given) or _waits(func, args):
            self._operation(func, name, args, kwargs, result, (*given, *fresh))

    def launched(self, name: str, given: Sequence[Any] = (), flops: int = 0) -> None:
        """A kernel of the running wrapper, with its arguments."""
        if self.paused:
            return
        path, call = self._wrappers.running or ("", 0)
        sizes = {
            tensor.untyped_storage()._cdata: int(tensor.numel()) * tensor.element_size()
            for tensor in tensors_of(list(given))
            if is_strided(tensor)
        }
        line = self._wrappers.line()
        moment = Moment(
            KERNEL, 0, name, self._phase_now(), path, line, call, self.layer, bytes=sum(sizes.values())
        )
        self._add(moment, self.stream)

    def _launches(self, func: Any, fresh: list[torch.Tensor], given: list[torch.Tensor]) -> bool:
        name = func._schema.name.partition("::")[2]
        if name.startswith(_NO_LAUNCH) or func.namespace in ("prim", "prims_view", "profiler"):
            return False
        return bool(fresh) or bool(func._schema.is_mutable and given)

    def _operation(
        self, func: Any, name: str, args: Any, kwargs: Any, result: Any, tensors: Sequence[torch.Tensor]
    ) -> None:
        on_device = [tensor for tensor in tensors if self.storages.find(tensor) is not None]
        if not on_device:
            return
        moved = sum(int(tensor.numel()) * tensor.element_size() for tensor in on_device)
        flops = _flops(func, args, kwargs, result)
        made = next(tensors_of(result), None)
        moment = Moment(
            OPERATION,
            0,
            name,
            self._phase_now(),
            layer=self.layer,
            bytes=moved,
            flops=flops,
            waits=_waits(func, args),
            dtype=str(made.dtype).removeprefix("torch.") if flops and made is not None else "",
            tensors=_at_once(*args, *kwargs.values()),
            distributed=self.on_dtensors,
        )
        self._add(moment, self.stream)

    def _collective(self, name: str, sent: Sent, functional: bool, results: Sequence[torch.Tensor]) -> None:
        path, call = self._wrappers.running or ("", 0)
        line = self._wrappers.line() if path else 0
        stream = self.stream
        if functional or stream == 0:
            stream = self._groups.setdefault(sent.group, _COMMUNICATES_FROM + len(self._groups))
            self.wait(stream, self.latest(self.stream))
        moment = Moment(COLLECTIVE, 0, name, self._phase_now(), path, line, call, self.layer, sent=sent)
        index = self._add(moment, stream)
        if functional:
            for tensor in results:
                self._flying[tensor.untyped_storage()._cdata] = index
        elif self.stream == 0:
            self.wait(0, index)

    def _waited(self, given: Sequence[torch.Tensor]) -> None:
        for tensor in given:
            index = self._flying.pop(tensor.untyped_storage()._cdata, None)
            if index is not None:
                self.wait(self.stream, index)

    def _add(self, moment: Moment, stream: int) -> int:
        index = len(self.moments)
        after = tuple(sorted(self._waits.pop(stream, ())))
        self.moments.append(msgspec.structs.replace(moment, at=self._tick(), stream=stream, after=after))
        self._latest[stream] = index
        return index

    def _tick(self) -> int:
        self._count += 1
        return self._count

    def _where(self) -> tuple[str, object]:
        return self._phase_now(), self._wrappers.running

    @contextlib.contextmanager
    def listening(self, mode: Any) -> Iterator[None]:
        """While this is entered, what runs under the fake `mode` is written down."""
        mode.observer = self.saw
        self._wrappers.launched = self.launched
        self._wrappers.calls.clear()
        try:
            with self.storages.watching_resizes(lambda storage: storage.device.type == "meta"):
                yield
        finally:
            self._wrappers.launched = lambda name, given=(): None
            mode.observer = None

    def allocations(self) -> tuple[Allocation, ...]:
        """The memory of the step; what lives on stays to its end."""
        found = []
        for piece in self.storages.pieces:
            end = self._count + 1 if piece.end is None else piece.end
            if piece.bytes:
                found.append(
                    Allocation(piece.bytes, _kind(piece), piece.begin, end, piece.name or piece.made_by)
                )
        return tuple(found)

    @property
    def length(self) -> int:
        """How many things happened."""
        return self._count + 1


def _at_once(*given: Any) -> int:
    """Of an operation on lists of tensors, how long the longest is; 1 of any other."""
    lists = (value for value in given if isinstance(value, list | tuple))
    return max((sum(isinstance(item, torch.Tensor) for item in value) for value in lists), default=0) or 1


def _waits(func: Any, args: Sequence[Any]) -> bool:
    """Whether what it gives hangs on values, which the host waits for."""
    if func is torch.ops.aten.index.Tensor:
        return any(mask is not None and mask.dtype in (torch.bool, torch.uint8) for mask in args[1])
    return torch.Tag.data_dependent_output in func.tags or torch.Tag.dynamic_output_shape in func.tags


def _flops(func: Any, args: Any, kwargs: Any, result: Any) -> int:
    """By torch's own formulas; of products of groups, which have none, as if each row met one group."""
    formula = flop_registry.get(func.overloadpacket)
    if formula is not None:
        return int(formula(*args, **kwargs, out_val=result))
    if "grouped_mm" in str(func) and isinstance(result, torch.Tensor):
        first, second = args[:2]
        return 2 * int(first.shape[-2]) * int(first.shape[-1]) * int(second.shape[-1])
    return 0


def _kind(piece: Piece) -> str:
    born, died = piece.born_in, piece.died_in
    if piece.kind:
        return piece.kind
    if piece.made_by == RESIZED:
        return GATHERED
    if piece.end is not None and born[0] == FORWARD and died[0] in (BACKWARD, OPTIMIZER):
        return SAVED
    if piece.sent:
        return COMMUNICATION
    return RESULTS if piece.end is None else TEMPORARY
