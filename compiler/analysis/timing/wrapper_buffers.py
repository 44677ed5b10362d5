"""The memory that one generated wrapper handles, read from its text: what is allocated, reused, freed and returned."""

import ast
import re
from collections.abc import Iterator

from compiler.model.capture.capture import Capture
from compiler.model.ir.arguments import NodeArgument, SequenceArgument
from compiler.model.ir.ids import Place, StageId, place
from compiler.model.ir.stage import LoopStage, Stage, StageKind, WrapperStage

_ITEM_BYTES = {
    **dict.fromkeys(("float64", "int64", "uint64", "complex64"), 8),
    **dict.fromkeys(("float32", "int32", "uint32"), 4),
    **dict.fromkeys(("float16", "bfloat16", "int16", "uint16"), 2),
    **dict.fromkeys(("int8", "uint8", "bool"), 1),
    "complex128": 16,
}
_LAYOUT = re.compile(r"torch\.(\w+), size=\[([\d, ]*)\], stride=\[([\d, ]*)\]")


class Storage:
    """A piece of memory while a wrapper is read."""

    def __init__(
        self, wrapper: StageId, name: str, size: int | None, begin: int, given: bool = False
    ) -> None:
        self.wrapper = wrapper
        self.names = [name]
        self.bytes = size
        self.begin = begin
        """Index of the first kernel of the wrapper that runs while it lives."""
        self.end: int | None = None
        """Index after the last; None: it outlives the wrapper."""
        self.given = given
        """It came as an argument."""
        self.reused = 0
        """How often another buffer took it over."""


class WrapperReading:
    """One wrapper, read statement by statement."""

    def __init__(self, capture: Capture, wrapper: Stage) -> None:
        assert isinstance(wrapper.content, WrapperStage)
        self.wrapper = wrapper
        self.kernels: list[Place] = []
        self.storages: list[Storage] = []
        self.given: dict[str, Storage] = {}
        """Arguments by their names, which are those of the graph's inputs."""
        self.returned: list[tuple[str, Storage]] = []
        """(name of the FX node, its memory) of what it returns."""
        self._layouts = _layouts(capture, wrapper)
        self._outputs = _output_names(capture, wrapper)
        self._calls = _calls(capture, wrapper)
        self._names: dict[str, Storage] = {}
        self._shared_at: tuple[int, Storage] | None = None
        """Line of the last statement that gave memory another name."""
        for statement in _body(wrapper.content.code.text):
            self._read(statement)

    def _read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.With():
                for inner in statement.body:
                    self._read(inner)
                return
            case ast.Assign(targets=[ast.Tuple(elts=elements)], value=ast.Name(id="args")):
                self._give([element.id for element in elements if isinstance(element, ast.Name)])
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, value, statement.lineno)
            case ast.Delete(targets=targets):
                self._free(
                    [target.id for target in targets if isinstance(target, ast.Name)], statement.lineno
                )
            case ast.Return(value=ast.Tuple(elts=elements)):
                self._return(elements)
        self._note_call(statement.lineno)

    def _note_call(self, line: int) -> None:
        self.kernels += self._calls.pop(line, ())

    def _give(self, names: list[str]) -> None:
        for name in names:
            storage = Storage(self.wrapper.id, name, None, 0, given=True)
            self.storages.append(storage)
            self.given[name] = self._names[name] = storage

    def _assign(self, name: str, value: ast.expr, line: int) -> None:
        shared = self._shared(value)
        if shared is not None:
            shared.names.append(name)
            self._names[name] = shared
            self._shared_at = line, shared
            return
        self._note_call(line)
        if _is_allocation(value):
            self._own(name, _allocated(value), len(self.kernels))
        elif (
            name in self._layouts
        ):  # made by the call itself; a tuple of results has no layout, each of them has
            self._own(name, self._layouts[name], max(len(self.kernels) - 1, 0))

    def _own(self, name: str, size: int | None, begin: int) -> None:
        self._names[name] = Storage(self.wrapper.id, name, size, begin)
        self.storages.append(self._names[name])

    def _shared(self, value: ast.expr) -> Storage | None:
        """The memory that an expression is a name or a view of."""
        match value:
            case ast.Name(id=name):
                return self._names.get(name)
            case ast.Call(
                func=ast.Name(id="reinterpret_tensor" | "alloc_from_pool"), args=[ast.Name(id=name), *_]
            ):
                return self._names.get(name)
        return None

    def _free(self, names: list[str], line: int) -> None:
        for name in names:
            storage = self._names.pop(name, None)
            if storage is None:
                continue
            if self._shared_at == (line, storage):  # one line that takes over and deletes: a reuse
                storage.reused += 1
            if storage not in self._names.values():
                storage.end = len(self.kernels)

    def _return(self, elements: list[ast.expr]) -> None:
        names = self._outputs if len(self._outputs) == len(elements) else [""] * len(elements)
        for name, element in zip(names, elements, strict=True):
            storage = self._shared(element)
            if storage is not None:
                self.returned.append((name, storage))
        kept = {id(storage) for _, storage in self.returned}
        for storage in self._names.values():
            if id(storage) not in kept:
                storage.end = len(self.kernels)


def _body(text: str) -> Iterator[ast.stmt]:
    """The statements of the wrapper's ``call``."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for statement in ast.walk(tree):
        if isinstance(statement, ast.FunctionDef) and statement.name == "call":
            yield from statement.body
            return


def _is_allocation(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id.startswith("empty_strided")
    )


def _allocated(value: ast.expr) -> int | None:
    """Bytes of ``empty_strided_cpu(size, stride, dtype)``; None for symbolic sizes."""
    if not isinstance(value, ast.Call) or len(value.args) < 3 or not isinstance(value.args[2], ast.Attribute):
        return None
    try:
        size, stride = (ast.literal_eval(item) for item in value.args[:2])
    except (ValueError, TypeError):
        return None
    return storage_bytes(size, stride, value.args[2].attr)


def storage_bytes(size: tuple[int, ...], stride: tuple[int, ...], dtype: str) -> int | None:
    """Bytes from the first element to the last; None for a dtype of unknown size."""
    item = _ITEM_BYTES.get(dtype, 1 if dtype.startswith("float8") else None)
    if item is None:
        return None
    if 0 in size:
        return 0
    return item * (1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True)))


def _of_unit(capture: Capture, kind: StageKind, wrapper: Stage) -> Iterator[Stage]:
    for stage in capture.of_kind(kind):
        if (stage.compile_id, stage.part) == (wrapper.compile_id, wrapper.part):
            yield stage


def _layouts(capture: Capture, wrapper: Stage) -> dict[str, int]:
    """Bytes of the buffers of a graph, by Inductor's layouts."""
    found: dict[str, int] = {}
    for stage in _of_unit(capture, StageKind.LOOP_IR, wrapper):
        if not isinstance(stage.content, LoopStage):
            continue
        for node in stage.content.program.nodes:
            match = _LAYOUT.search(node.layout)
            if match is not None and len(node.buffers) == 1:
                size, stride = (tuple(map(int, re.findall(r"\d+", text))) for text in match.groups()[1:])
                counted = storage_bytes(size, stride, match[1])
                if counted is not None:
                    found[node.buffers[0]] = counted
    return found


def _output_names(capture: Capture, wrapper: Stage) -> list[str]:
    """What the graph returns, by FX node; empty for what is no node."""
    for stage in _of_unit(capture, StageKind.POST_GRAD_GRAPH, wrapper):
        last = stage.graph.nodes[-1] if stage.graph is not None and stage.graph.nodes else None
        if last is not None and last.op == "output" and last.args.items:
            results = last.args.items[0]
            if isinstance(results, SequenceArgument):
                return [item.node if isinstance(item, NodeArgument) else "" for item in results.items]
    return []


def _calls(capture: Capture, wrapper: Stage) -> dict[int, tuple[Place, ...]]:
    """Line of the wrapper → the kernels it calls."""
    found: dict[int, tuple[Place, ...]] = {}
    for stage in _of_unit(capture, StageKind.KERNELS, wrapper):
        for kernel in stage.kernels:
            if kernel.call_line is not None:
                found[kernel.call_line] = (
                    *found.get(kernel.call_line, ()),
                    place(stage.id, kernel.id),
                )
    return found
