"""The exported test: every edit is made, the generated kernels are the window's, and the results are as far from the
original as they were when they were judged.
"""

import hashlib
import math
from collections.abc import Iterator

from compiler.model.capture.capture import Capture
from compiler.model.export.edited_graph import EditedGraph
from compiler.model.export.edited_inductor_graph import EditedInductorGraph
from compiler.model.ir.ids import StageId
from compiler.model.timing.verdicts import Verdict

_SLACK = 2.0
"""How much farther off than measured the results may be."""
_LEAST = 1e-6

_LOADING = '''

def load() -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """The program and its inputs, as they were captured."""
    file, _, name = TARGET.rpartition(":")
    folder = Path(FOLDER)
    if file.endswith(".py"):
        path = folder / file
        sys.path.insert(0, str(path.parent))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        namespace = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = namespace
        spec.loader.exec_module(namespace)
    else:
        sys.path.insert(0, str(folder))
        namespace = importlib.import_module(file)
    torch.manual_seed(SEED)
    model = namespace
    for part in name.split("."):
        model = getattr(model, part)
    model = model() if isinstance(model, type) else model
    args, kwargs = inputs_of(namespace)
    if isinstance(model, torch.nn.Module) and TRAINING is not None:
        model.train(TRAINING)
    return model, args, kwargs


def inputs_of(namespace: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if INPUTS is not None or KEYWORD_INPUTS is not None:
        scope = {**vars(namespace), "torch": torch}
        return eval(f"({INPUTS},)" if INPUTS else "()", scope), eval(f"dict({KEYWORD_INPUTS or ''})", scope)
    made = namespace.example_inputs()
    if isinstance(made, dict):
        return (), made
    if isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], tuple) and isinstance(made[1], dict):
        return made
    return (tuple(made) if isinstance(made, (tuple, list)) else (made,)), {}


def step(function: Any, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, torch.Tensor]:
    """One forward and, where gradients are wanted, one backward with tangents that are always the same."""
    is_module = isinstance(model, torch.nn.Module)
    owners = list(model.modules()) if is_module else []
    buffers = [(owner, name, value) for owner in owners for name, value in owner._buffers.items() if value is not None]
    saved = [value.detach().clone() for _, _, value in buffers]
    before = {name: value.detach().clone() for name, value in model.named_buffers()} if is_module else {}
    leaves = dict(model.named_parameters()) if is_module else {}
    leaves |= {f"input {i}": value for i, value in enumerate(tree_leaves((args, kwargs))) if isinstance(value, torch.Tensor)}
    leaves = {name: value for name, value in leaves.items() if value.requires_grad}
    torch.manual_seed(SEED)
    with torch.set_grad_enabled(GRADIENTS):
        outputs = [value for value in tree_leaves(function(*args, **kwargs)) if isinstance(value, torch.Tensor)]
        found = {f"output {i}": value.detach().clone() for i, value in enumerate(outputs)}
        ends = [(i, value) for i, value in enumerate(outputs) if value.requires_grad]
        if GRADIENTS and leaves and ends:
            tangents = [tangent(i, value) for i, value in ends]
            grads = torch.autograd.grad([v for _, v in ends], list(leaves.values()), tangents, allow_unused=True)
            found |= {f"grad of {name}": grad for name, grad in zip(leaves, grads) if grad is not None}
    with torch.no_grad():
        for name, value in model.named_buffers() if is_module else ():
            if name in before and how_far(value, before[name]):
                found[f"{name} afterwards"] = value.detach().clone()
        for (owner, name, value), was in zip(buffers, saved):
            value.detach().copy_(was)
            owner._buffers[name] = value
    return found


def how_far(found: torch.Tensor | None, reference: torch.Tensor | None) -> float:
    """The largest difference over the largest value; infinite where one is missing, has another shape or is not finite where the other is."""
    if found is None or reference is None:
        return 0.0 if found is reference else float("inf")
    if found.shape != reference.shape:
        return float("inf")
    wide = torch.complex128 if found.is_complex() or reference.is_complex() else torch.float64
    found, reference = found.to(wide), reference.to(wide)
    unequal = ~((found == reference) | (found.isnan() & reference.isnan()))
    if not unequal.any():
        return 0.0
    largest = float((found - reference)[unequal].abs().nan_to_num(nan=float("inf")).max())
    scale = float(reference.abs().nan_to_num(0.0, 0.0, 0.0).max())
    return largest / scale if scale else float("inf")


def tangent(index: int, value: torch.Tensor) -> torch.Tensor:
    if value.dim() == 0:
        return torch.ones_like(value)
    generator = torch.Generator().manual_seed(index + 1)
    return torch.randn(value.shape, generator=generator, dtype=torch.complex128 if value.is_complex() else torch.float64).to(value)
'''

_TESTS = '''

def compiled_step() -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor], list[str]]:
    """(what eager gives, what the edited program gives, the generated modules)."""
    torch._dynamo.reset()
    model, args, kwargs = load()
    eager = step(model, model, args, kwargs)
    with torch._inductor.config.patch(fx_graph_cache=False), torch._functorch.config.patch(enable_autograd_cache=False):
        edited = edits.compile(model)
        results, modules = run_and_get_code(lambda: step(edited, model, args, kwargs))
    return eager, results, modules


def test_every_edit_is_made() -> None:
    compiled_step()
    assert sorted(edits.APPLIED) == sorted(set(STAGES) | set(edits.APPLIED))
    missing = set(STAGES) - set(edits.APPLIED)
    assert not missing, f"{sorted(missing)}: the graphs are others than when the edits were made" + (
        f" (try PYTHONHASHSEED={HASH_SEED}, if sets of strings are gone through)" if HASH_SEED else ""
    )


@pytest.mark.skipif(torch.__version__ != TORCH, reason=f"the kernels were generated by torch {TORCH}")
def test_the_generated_kernels_are_those_of_the_window() -> None:
    assert sorted(generated_kernels()) == sorted(KERNELS)


def generated_kernels() -> list[str]:
    """Digests of their sources. Inductor's text can follow the order of sets of strings, which is another one in each process:
    where it is not that of the capture's, this file is run once more in a process where it is.
    """
    if HASH_SEED and os.environ.get("PYTHONHASHSEED", "") != HASH_SEED:
        environment = {**os.environ, "PYTHONHASHSEED": HASH_SEED}
        done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])
    _, _, modules = compiled_step()
    return [digest(source) for module in modules for source in KERNEL.findall(module)]


KERNEL = re.compile(r"async_compile\\.(?!wait)\\w+\\(.*?[']{3}(.*?)[']{3}", re.S)


def digest(source: str) -> str:
    return hashlib.sha256(source.strip().encode()).hexdigest()[:16]
'''

_MAIN = """

if __name__ == "__main__":
    print(json.dumps(generated_kernels()))
"""

RESULTS = """

def test_results_are_as_far_from_the_original_as_they_were() -> None:
    eager, edited, _ = compiled_step()
    for name, farthest in FARTHEST.items():
        difference = how_far(edited.get(name), eager.get(name))
        assert difference <= farthest, f"{name}: {difference:.2e} of the largest value, measured was {farthest:.2e}"
"""


def check_text(
    name: str,
    base: Capture,
    result: Capture,
    graphs: tuple[EditedGraph, ...],
    verdict: Verdict | None,
    units: tuple[EditedInductorGraph, ...] = (),
) -> str:
    """The test's source."""
    stages = (*(row.stage for row in graphs), *(stage for unit in units for stage in unit.stages))
    return "\n".join(_lines(name, base, result, stages, verdict))


def _lines(
    name: str, base: Capture, result: Capture, stages: tuple[StageId, ...], verdict: Verdict | None
) -> Iterator[str]:
    farthest = farthest_of(verdict)
    yield f'"""Holds {name}.py to what Torch Loupe measured. Run it with: pytest test_{name}.py"""'
    yield ""
    yield from program_lines(name, base)
    yield f"STAGES = {stages!r}"
    yield "KERNELS = ["
    yield from (f"    {value!r}," for value in _kernels(result))
    yield "]"
    yield '"""Digests of the sources of all kernels that the edited program runs."""'
    yield from farthest_lines(farthest)
    yield _TESTS.rstrip("\n")
    if farthest:
        yield RESULTS.rstrip("\n")
    yield _MAIN.rstrip("\n")
    yield ""


def farthest_lines(farthest: dict[str, float]) -> Iterator[str]:
    """The table that `RESULTS` reads."""
    yield "FARTHEST: dict[str, float] = {"
    for tensor, limit in farthest.items():
        yield f"    {tensor!r}: {limit:.3g}," if math.isfinite(limit) else f'    {tensor!r}: float("inf"),'
    yield "}"
    yield f'"""Largest difference from eager over the largest value: {_SLACK:g} times what was measured."""'


def program_lines(name: str, base: Capture) -> Iterator[str]:
    """The head of a test of module `name`: imports, the program as it was captured, and how it is loaded and run."""
    target, run = base.spec.target, base.spec.run
    yield "import hashlib\nimport importlib\nimport importlib.util\nimport json\nimport os\nimport re\nimport subprocess\nimport sys\nfrom pathlib import Path\nfrom typing import Any"
    yield ""
    yield "import pytest\nimport torch\nfrom torch._inductor.utils import run_and_get_code\nfrom torch.utils._pytree import tree_leaves"
    yield ""
    yield "sys.path.insert(0, str(Path(__file__).resolve().parent))"
    yield f"import {name} as edits  # noqa: E402"
    yield ""
    yield f"TARGET, FOLDER = {target.name!r}, {target.folder!r}"
    yield f"INPUTS, KEYWORD_INPUTS = {target.inputs!r}, {target.keyword_inputs!r}"
    yield f"TRAINING, GRADIENTS, SEED = {run.training!r}, {run.gradients!r}, {run.seed!r}"
    yield f"TORCH, HASH_SEED = {base.environment.torch!r}, {base.environment.hash_seed!r}"
    if base.spec.changes:
        yield "# The capture was made with changes (settings or edits of the source); make them before running this."
    yield _LOADING.rstrip("\n")
    yield ""
    yield ""


def _kernels(result: Capture) -> list[str]:
    rows = [kernel for stage in result.stages for kernel in {row.name: row for row in stage.kernels}.values()]
    texts = [kernel.source.strip() for kernel in rows if kernel.source]
    return sorted(hashlib.sha256(text.encode()).hexdigest()[:16] for text in texts)


def farthest_of(verdict: Verdict | None) -> dict[str, float]:
    """What was measured of the edited program against eager; nothing where random numbers stand between them."""
    if verdict is None or any("andom" in note for note in verdict.notes):
        return {}
    found = [row for row in verdict.comparisons if (row.what, row.reference) == ("edited", "eager")]
    return {item.tensor: _SLACK * item.max_relative + _LEAST for row in found[:1] for item in row.valued}
