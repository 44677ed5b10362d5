"""Taking single applications of Inductor's and AOTAutograd's machinery out: decompositions, passes, pattern rewrites,
lowerings. Torch's own bisector asks at the same places, but keeps what it knows in files that outlive it; here nothing does.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch._inductor.config

from compiler.engine.fx.graph_import import MARK, marks_of
from compiler.engine.fx.interpreter import interpreter_of
from compiler.engine.torch_internals.patch.cloning import clone_module
from compiler.engine.torch_internals.patch.patching import around, around_each

GIVES = "finding which step makes results wrong"
_SWITCH = "torch._inductor.compiler_bisector:CompilerBisector.disable_subsystem"
_COMPILE = ("torch._inductor.compile_fx:compile_fx_forward", "torch._inductor.compile_fx:compile_fx_backward")
_APPLY = tuple(
    f"torch._inductor.pattern_matcher:{entry}.apply"
    for entry in ("LoweringPatternEntry", "GraphPatternEntry", "ReplacementPatternEntry")
)
_OBSERVER = "torch.fx.passes.graph_transform_observer:GraphTransformObserver"
_OBSERVED = (f"{_OBSERVER}.apply_graph_pass", f"{_OBSERVER}.apply_gm_pass")
NEEDS = ("torch._inductor.config:_config", _SWITCH, *_COMPILE, *_APPLY, *_OBSERVED)

DECOMPOSITION, LOWERINGS = "decomposition", "lowerings"
_JOINT = "torch._inductor.compile_fx:_recursive_joint_graph_passes"


class Applied:
    """One application that torch asked about."""

    def __init__(self, number: int, name: str, marks: list[str], stack: str) -> None:
        self.number = number
        self.name = name
        """Of the pass, the operator or the node."""
        self.marks = marks
        """Our marks of the node of Dynamo's graph that was traced just then."""
        self.stack = stack


@contextlib.contextmanager
def switched(subsystem: str, allowed: Callable[[int, str], bool]) -> Iterator[list[Applied]]:
    """While this is entered, an application of a subsystem (`DECOMPOSITION`, …) is done only if `allowed` says so, given its
    number from 0 and its name. Gives all that were asked about, in order.
    """
    asked: list[Applied] = []

    def is_off(
        backend: str, which: str, debug_info: Callable[[], str] | None = None, *, original: Any
    ) -> bool:
        if which != subsystem:
            return bool(original(backend, which, debug_info))
        name = debug_info() if debug_info is not None else ""
        meta = torch.fx.traceback.get_current_meta() if subsystem == DECOMPOSITION else {}
        custom = meta.get("custom")
        marks = list(custom.get(MARK, ())) if isinstance(custom, dict) else []
        asked.append(Applied(len(asked), name, marks, meta.get("stack_trace") or ""))
        return not allowed(asked[-1].number, name)

    with around(_SWITCH, is_off):
        yield asked


@contextlib.contextmanager
def joint_rewrites(allowed: Callable[[int], bool]) -> Iterator[list[Applied]]:
    """The same for single pattern rewrites of the joint graph."""
    asked: list[Applied] = []

    def apply(entry: Any, match: Any, graph: Any, node: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        if not joint():
            return original(entry, match, graph, node, *args, **kwargs)
        handler = getattr(entry, "handler", None)
        name = getattr(entry, "pattern_name", None) or getattr(handler, "__name__", None)
        marks = sorted({mark for item in match.nodes for mark in marks_of(item)})
        stack = next((text for item in match.nodes if (text := item.meta.get("stack_trace"))), "")
        asked.append(Applied(len(asked), str(name or type(entry).__name__), marks, stack))
        if not allowed(asked[-1].number):
            return None
        return original(entry, match, graph, node, *args, **kwargs)

    with _joint_phase() as joint, around_each(_APPLY, apply):
        yield asked


@contextlib.contextmanager
def joint_passes(allowed: Callable[[int], bool]) -> Iterator[list[Applied]]:
    """The same for passes over the joint graph, a person's own among them, which torch's bisector does not count."""
    asked: list[Applied] = []

    def apply(observer: Any, run: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        if not joint():
            return original(observer, run, *args, **kwargs)
        asked.append(Applied(len(asked), str(observer.passname), [], ""))
        return original(observer, run, *args, **kwargs) if allowed(asked[-1].number) else None

    with _joint_phase() as joint, around_each(_OBSERVED, apply):
        yield asked


@contextlib.contextmanager
def _joint_phase() -> Iterator[Callable[[], bool]]:
    """Tells whether the passes over the joint graph run just now."""
    depth: list[bool] = []

    def counted(*args: Any, original: Any, **kwargs: Any) -> Any:
        depth.append(True)
        try:
            return original(*args, **kwargs)
        finally:
            depth.pop()

    with around(_JOINT, counted):
        yield lambda: bool(depth)


class _Interpreted:
    """Stands for torch's CompiledFxGraph: the graph as AOTAutograd made it, run op by op."""

    def __init__(self, module: Any) -> None:
        self._boxed_call = True
        self._module = clone_module(module)

    def __call__(self, args: list[Any]) -> Any:
        given = list(args)
        args.clear()
        with torch.no_grad():
            return interpreter_of(self._module, wide=False).run(*given)


@contextlib.contextmanager
def inductor_interprets() -> Iterator[None]:
    """While this is entered, Inductor compiles nothing: what AOTAutograd hands to it is run op by op."""

    def compile_part(module: Any, *args: Any, original: Any, **kwargs: Any) -> Any:
        kwargs["inner_compile"] = lambda inner, *rest, **options: _Interpreted(inner)
        return original(module, *args, **kwargs)

    with around_each(_COMPILE, compile_part):
        yield


def setting(name: str) -> object:
    """What one of Inductor's settings is now; None where this torch has no such setting."""
    owner: Any = torch._inductor.config
    for part in name.split("."):
        owner = getattr(owner, part, None)
    return owner


def changed_settings(given: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """(name, value, torch's own) of Inductor's settings that are not as torch has them at first and that generated code may
    depend on; `given` are those that torch.compile was called with.
    """
    owner: Any = torch._inductor.config
    ignored = tuple(getattr(owner, "_cache_config_ignore_prefix", ()))
    for name, entry in owner._config.items():
        default = getattr(entry, "default", None)
        if getattr(entry, "deprecated", False):
            continue  # reading it warns
        if not name.startswith(("_", *_NO_CODE, *ignored)):
            value = given.get(name, setting(name))
            if value != default and all(
                isinstance(row, bool | int | float | str | None) for row in (value, default)
            ):
                yield name, value, default


_NO_CODE = (
    "force_disable_caches",
    "use_static",
    "strict_static",
    "compile_threads",
    "is_",
    "benchmark_",
    "debug",
)
"""Settings of building and of caches."""


def is_setting(name: str) -> bool:
    """Whether this torch has a setting of that name."""
    owner: Any = torch._inductor.config
    for part in name.split("."):
        if not hasattr(owner, part):
            return False
        owner = getattr(owner, part)
    return True
