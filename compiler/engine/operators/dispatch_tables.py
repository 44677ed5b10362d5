"""Tables of operators and key sets of tensors, read from the dispatcher of the process that runs."""

import re
import warnings
from collections.abc import Callable

import torch

from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.dispatcher import dispatcher
from compiler.engine.torch_internals.patch.wrapped_tensors import functional, seen_inside
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.dispatching import (
    CodePlace,
    KernelRow,
    OperatorNames,
    OperatorTable,
    Registration,
    TensorKeys,
    TensorKeySets,
    names_meant,
)

_BUILT_AT = re.compile(r"^/__w/\w+/\w+/|^/pytorch/")
_LIBRARY = "/site-packages/"
_LAST = 1 << 10


def commit() -> str:
    """The git hash that this torch was built from; empty where it does not say."""
    return getattr(torch.version, "git_version", None) or ""


def code_place(path: str, line: int) -> CodePlace:
    """A path as torch's build wrote it, from the root of torch's repository."""
    stripped = _BUILT_AT.sub("", path)
    return CodePlace(stripped.rpartition(_LIBRARY)[2] if _LIBRARY in stripped else stripped, line)


def operator_names() -> OperatorNames:
    """Every operator there is in this process, aten's first."""
    names = sorted(dispatcher.names(), key=lambda name: (not name.startswith("aten::"), name))
    return OperatorNames(tuple(names), commit())


def operator_table(name: str) -> OperatorTable:
    """The table of one operator. Raises EngineError where there is none of that name."""
    wanted = find_name(name)
    found = dispatcher.table(wanted)
    order = dispatcher.priorities()
    found.sort(key=lambda row: order.get(row[0], _LAST))
    rows = tuple(
        KernelRow(key, kind, code_place(path, line), through) for key, through, path, kind, line in found
    )
    schema, made = dispatcher.registrations(wanted)
    entries = tuple(Registration(key, code_place(path, line), active) for key, active, path, line in made)
    return OperatorTable(wanted, schema, rows, entries, commit())


def find_name(name: str) -> str:
    """The dispatcher's name of an operator, however it is written; of an operator with one overload also without it.

    Raises EngineError where there is none of that name, or where it has several overloads.
    """
    others: list[str] = []
    for wanted in names_meant(name):
        if dispatcher.table(wanted):
            return wanted
        base = wanted.partition(".")[0]
        overloads = [other for other in dispatcher.names() if other.partition(".")[0] == base]
        functional = [other for other in overloads if "out" not in other.partition(".")[2]]
        if len(functional) == 1 and "." not in wanted:
            return functional[0]
        others += overloads
    raise EngineError(_unknown(name, others))


def _unknown(name: str, others: list[str]) -> Problem:
    if others:
        first = sorted(others, key=lambda other: "out" in other.partition(".")[2])
        return Problem(f"{name!r} has several overloads.", f"Name one: {', '.join(first)}.")
    return Problem(f"No operator is named {name!r}.", "Write one such as aten::add.Tensor.")


_KINDS: tuple[tuple[str, str, Callable[[], torch.Tensor] | str], ...] = (
    ("CPU tensor", "torch.ones(3)", lambda: torch.ones(3)),
    (
        "that requires grad",
        "torch.ones(3, requires_grad=True)",
        lambda: torch.ones(3, requires_grad=True),
    ),
    ("parameter", "nn.Parameter(torch.ones(3))", lambda: torch.nn.Parameter(torch.ones(3))),
    ("of inference mode", "with torch.inference_mode(): torch.ones(3)", lambda: _of_inference()),
    ("meta", 'torch.empty(3, device="meta")', lambda: torch.empty(3, device="meta")),
    ("fake", "with FakeTensorMode(): torch.ones(3)", "fake"),
    ("functional", "what AOTAutograd traces with", lambda: functional(torch.ones(3))),
    ("inside vmap", "torch.vmap", "vmap"),
    ("inside grad", "torch.func.grad", "grad"),
    ("inside vmap(grad)", "torch.vmap(torch.func.grad)", "vmap(grad)"),
    (
        "conjugate view",
        "torch.ones(2, dtype=torch.cfloat).conj()",
        lambda: torch.ones(2, dtype=torch.cfloat).conj(),
    ),
    (
        "negative view",
        "torch.ones(2, dtype=torch.cfloat).conj().imag",
        lambda: torch.ones(2, dtype=torch.cfloat).conj().imag,
    ),
    ("sparse (COO)", "torch.eye(2).to_sparse()", lambda: torch.eye(2).to_sparse()),
    (
        "quantized",
        "torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)",
        lambda: torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8),
    ),
    ("oneDNN", "torch.ones(3).to_mkldnn()", lambda: torch.ones(3).to_mkldnn()),
    ("nested", "torch.nested.nested_tensor([x])", lambda: torch.nested.nested_tensor([torch.ones(3)])),
    (
        "nested, jagged",
        "torch.nested.nested_tensor([x], layout=torch.jagged)",
        lambda: torch.nested.nested_tensor([torch.ones(3)], layout=torch.jagged),
    ),
)


def _of_inference() -> torch.Tensor:
    with torch.inference_mode():
        return torch.ones(3)


def _keys(make: Callable[[], torch.Tensor] | str) -> tuple[str, ...]:
    """Of a tensor that is made, or that is seen while something goes on."""
    if not isinstance(make, str):
        return tuple(dispatcher.keys_of(make()))
    found: list[str] = []
    seen_inside(make, lambda value: found.extend(dispatcher.keys_of(value)))
    return tuple(found)


def key_sets() -> TensorKeySets:
    """The keys of one tensor of each kind, made here; random state and modes are left as they were."""
    rows = []
    for title, made_by, make in _KINDS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some kinds are deprecated or prototypes
            try:
                rows.append(TensorKeys(title, made_by, _keys(make)))
            except (RuntimeError, AttributeError) as error:
                rows.append(TensorKeys(title, made_by, (), str(error).split("\n")[0]))
    return TensorKeySets(tuple(rows))
