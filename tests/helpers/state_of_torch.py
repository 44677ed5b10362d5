"""What torch's modules hold once a GPU is pretended: ``state_of_torch.py early|late GPU FILE``.

``early``: pretended before Dynamo is loaded, as in a process that is started; ``late``: after all that a worker loads, as in one
that is forked. Writes JSON: by ``module:name``, or ``module:Class.name``, what is there in a word.
"""

import functools
import hashlib
import importlib
import json
import os
import re
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from compiler.model.ir.gpu_target import TARGETS  # noqa: E402
from compiler.worker import fake_gpu_setup  # noqa: E402

_DEPTH = 5
_MORE = (
    "torch._inductor.codegen.simd", "torch._inductor.codegen.triton", "torch._inductor.codegen.wrapper",
    "torch._inductor.fx_passes.joint_graph", "torch._inductor.fx_passes.post_grad", "torch._inductor.fx_passes.pad_mm",
    "torch._inductor.fx_passes.fuse_attention", "torch._inductor.kernel.mm", "torch._inductor.kernel.bmm",
    "torch._inductor.kernel.conv", "torch._inductor.kernel.flex.flex_attention", "torch._inductor.kernel.mm_common",
    "torch._inductor.runtime.triton_heuristics", "torch._inductor.template_heuristics.triton",
    "torch._inductor.runtime.benchmarking", "torch._inductor.scheduler", "torch.distributed.tensor",
)  # fmt: skip
"""Modules that are loaded while something is compiled."""
_UNLIKE = (
    "torch.cuda:_queued_calls",  # stacks
    "torch.distributed._composable.contract:",  # random names
    "torch.jit._builtins:_builtin_table",  # as it stands in memory
    "torch._inductor.fx_passes.post_grad:lazy_init",  # which puts patterns back
    "torch._inductor.pattern_matcher:_known_precompiled_patterns", "torch._inductor.pattern_matcher:PatternPrettyPrinter.run",
    "torch._subclasses.fake_tensor:FakeTensorMode.cache", "torch._subclasses.meta_utils:DESCRIBER_NEXT_ID",
    "triton.language.extra:modules",  # all that is loaded, ours too
    "torch.fx.graph_module:_loader", "torch.utils._stats:simple_call_counter",  # how much was traced
    "torch.testing.", "torch._dynamo.variables.torch_function:banned_attrs",  # lists made of sets that are ordered by address
)  # fmt: skip
"""What differs between two equal processes."""


def _load() -> None:
    from compiler.worker import serving  # noqa: F401
    from compiler.worker.child import cross_compile, jobs  # noqa: F401

    for name in ("compiler.engine.cross_compile.fake_capture", *_MORE):
        importlib.import_module(name)


def _described(value: object, above: frozenset[int] = frozenset()) -> str:
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return repr(value)
    if isinstance(value, functools._lru_cache_wrapper):
        return f"{_described(value.__wrapped__, above)} with {value.cache_info().currsize} known"
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, type | types.BuiltinFunctionType | types.MethodType):
        return f"{type(value).__name__} {value.__module__}.{value.__qualname__}"
    if id(value) in above or len(above) > _DEPTH:
        return "…"
    return _inner(value, functools.partial(_described, above=above | {id(value)}))


def _inner(value: object, inside: Callable[[object], str]) -> str:
    """Of what holds others, which `inside` describes."""
    match value:
        case staticmethod() | classmethod():
            return f"{type(value).__name__} {inside(value.__func__)}"
        case property():
            return f"property {inside(value.fget)}"
        case types.FunctionType():
            closure = [cell.cell_contents for cell in value.__closure__ or () if _filled(cell)]
            bound = f"{inside(closure)}{inside(value.__defaults__)}"
            return f"function {value.__module__}.{value.__qualname__}{bound}"
        case dict():
            rows = sorted(f"{inside(key)}: {inside(held)}" for key, held in value.items())
            return "{" + ", ".join(rows) + "}"
        case set() | frozenset():
            return "{" + ", ".join(sorted(map(inside, value))) + "}"
        case list() | tuple():
            return "(" + ", ".join(map(inside, value)) + ")"
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if kind.startswith(("torch._ops.", "torch.dtype", "torch.device")):
        return str(value)
    if kind.startswith(("torch.", "triton.")) and isinstance(getattr(value, "__dict__", None), dict):
        return f"{kind} {inside(vars(value))}"
    return kind


def _filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _in_short(value: object) -> str:
    text = re.sub(r"\b\d{13,15}\b|0x[0-9a-f]+", "address", _described(value))
    if text.count("address") > 1:  # which may stand in any order
        text = " ".join(sorted(text.split()))
    return text if len(text) < 200 else f"{text[:100]}… {hashlib.sha256(text.encode()).hexdigest()}"


def _state() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] not in ("torch", "triton"):
            continue
        for key, value in list(vars(module).items()):
            if not key.startswith("__"):
                found[f"{name}:{key}"] = _in_short(value)
            if isinstance(value, type) and value.__module__ == name:
                of_class = [row for row in vars(value).items() if not row[0].startswith("__")]
                found.update({f"{name}:{key}.{attribute}": _in_short(held) for attribute, held in of_class})
    from torch._dynamo import trace_rules

    for function, rule in trace_rules.get_torch_obj_rule_map().items():
        found[f"rule:{_in_short(function)}"] = _in_short(rule)
    return {key: value for key, value in found.items() if not key.startswith(_UNLIKE)}


def _learn() -> None:
    """As where workers are forked."""
    from compiler.engine.torch_internals.inductor_kernels import asked_once

    asked_once.learn_patterns()


def _compile() -> None:
    """What Inductor does first when it compiles."""
    import torch
    from torch._inductor.fx_passes import joint_graph, post_grad

    joint_graph.lazy_init(torch.device("cuda", 0))
    post_grad.lazy_init()


def main() -> None:
    """Write them."""
    warnings.simplefilter("ignore")
    when, gpu, file = sys.argv[1:]
    if when == "late":
        _load()
        _learn()
    problem = fake_gpu_setup.pretend(TARGETS[gpu])
    assert problem is None, problem
    _load()
    _compile()
    Path(file).write_text(json.dumps(_state()))
    os._exit(0)  # C++ points at what we pretend with


if __name__ == "__main__":
    main()
