"""Tensor parallelism: by a plan of patterns, or by the one that a model of transformers brings."""

import importlib
from collections.abc import Iterator
from typing import Any

import torch

from compiler.engine.cross_compile.parallel.module_patterns import require_matching
from compiler.engine.errors import EngineError
from compiler.model.prediction.parallel_plan import ParallelPlan, TensorRule, placed

_GATHERED = "gather_output"
"""In the name of a style of transformers: all ranks have the whole result."""


def spread_tensors(model: torch.nn.Module, plan: ParallelPlan, mesh: Any) -> None:
    """Cut weights along ``tp``. Raises EngineError."""
    if plan.tensor:
        _by_rules(model, plan.tensor, mesh)
        return
    bringing = list(_with_own_plan(model))
    if not bringing:
        raise EngineError(
            "The mesh has tp, and the model brings no plan for it.",
            'Write one and name it with --tp-plan: a table [tp] with rows such as "layers.*.wq" = "colwise".',
        )
    for part in bringing:
        _by_own_plan(part, dict(part.tp_plan), mesh)


def _with_own_plan(model: torch.nn.Module) -> Iterator[Any]:
    """The outermost modules that bring a plan: the model itself, or models that the program's own module holds."""
    if getattr(model, "tp_plan", None):
        yield model
        return
    for part in model.children():
        yield from _with_own_plan(part)


def _by_own_plan(model: Any, own: dict[str, str], mesh: Any) -> None:
    """As transformers itself does when it loads the model over ranks."""
    try:
        styles = importlib.import_module("transformers.distributed.tensor_parallel")
        expanded = model._expand_parallel_plan(own)  # noqa: SLF001  transformers has no other name for it
        parameters = {name for name, _ in model.named_parameters()}
        expanded = {
            name: style
            for name, style in expanded.items()
            if name in parameters or any(True for _ in model.get_submodule(name).parameters())
        }  # without what another stage of the pipeline has
        local = {
            name: style for name, style in expanded.items() if "wise" in style and _GATHERED not in style
        }
        _require_divisible(model, local, mesh)
        styles.apply_tensor_parallelism(model, mesh, expanded)
    except (ImportError, AttributeError) as error:
        raise EngineError(
            f"The model's own tp_plan cannot be applied by this transformers ({error}).",
            "Use transformers 5.23, or write a plan and name it with --tp-plan.",
        ) from error


def _by_rules(model: torch.nn.Module, rules: tuple[TensorRule, ...], mesh: Any) -> None:
    parallel: Any = importlib.import_module("torch.distributed.tensor.parallel")
    cut: dict[str, str] = {}
    found: dict[str, Any] = {}
    for rule in rules:
        for name in require_matching(model, rule.pattern, "plan of tensor parallelism"):
            found[name] = _style(parallel, rule)
            gathered = rule.style == "colwise" and rule.output and placed(rule.output) is None
            if rule.style.endswith("wise") and not gathered:
                cut[name] = rule.style
    _require_divisible(model, cut, mesh)
    parallel.parallelize_module(model, mesh, found)


def _style(parallel: Any, rule: TensorRule) -> Any:
    given, made = (_layout(text) for text in (rule.input, rule.output))
    layouts: dict[str, Any] = {}
    if rule.style in ("colwise", "rowwise"):
        if given is not None:
            layouts["input_layouts"] = given
        if made is not None:
            layouts["output_layouts"] = made
        kind = parallel.ColwiseParallel if rule.style == "colwise" else parallel.RowwiseParallel
        return kind(use_local_output=rule.local, **layouts)
    if rule.style == "sequence":
        dimension = placed(rule.input)
        return parallel.SequenceParallel(
            sequence_dim=1 if dimension is None else dimension, use_local_output=rule.local
        )
    tensors: Any = importlib.import_module("torch.distributed.tensor")
    whole = tensors.Replicate()
    if rule.style == "input":
        return parallel.PrepareModuleInput(
            input_layouts=given if given is not None else whole,
            desired_input_layouts=made if made is not None else whole,
            use_local_output=rule.local,
        )
    return parallel.PrepareModuleOutput(
        output_layouts=given if given is not None else whole,
        desired_output_layouts=made if made is not None else whole,
        use_local_output=rule.local,
    )


def _layout(text: str) -> Any:
    tensors: Any = importlib.import_module("torch.distributed.tensor")
    if not text:
        return None
    dimension = placed(text)
    return tensors.Replicate() if dimension is None else tensors.Shard(dimension)


def _require_divisible(model: torch.nn.Module, cut: dict[str, str], mesh: Any) -> None:
    """Torch cuts unevenly without a word, and the program fails later in a view. Rows of an embedding may be uneven, and what is
    gathered again at once.
    """
    ranks = int(mesh.size())
    modules = dict(model.named_modules())
    parameters = dict(model.named_parameters())
    for name, style in cut.items():
        weight = parameters.get(name)
        if weight is None:
            weight = getattr(modules.get(name), "weight", None)
        if not isinstance(weight, torch.Tensor) or weight.dim() < 2:
            continue
        embedding = isinstance(modules.get(name), torch.nn.Embedding)
        columns = "col" in style
        if embedding and not columns:
            continue
        dimension = (-1 if columns else 0) if embedding else (-2 if columns else -1)
        size = int(weight.shape[dimension])
        if size % ranks:
            raise EngineError(
                f"{name} is to be cut {style} over tp={ranks}, and its {size} "
                f"{'columns' if dimension == -1 else 'rows'} are not divisible by {ranks}.",
                "Choose another tp, or leave the module out of the plan.",
            )
