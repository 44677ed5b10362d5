"""Every ready transform, as rows: menus, dialogs and the command line are made from the same."""

from collections.abc import Callable
from dataclasses import dataclass

from compiler.analysis.transforms.activations import relus_to_gelus, remove_dropouts
from compiler.analysis.transforms.attention import attention_to_sdpa
from compiler.analysis.transforms.casting import cast_region
from compiler.analysis.transforms.cleaning import common_subexpressions, dead_code
from compiler.analysis.transforms.conv_bn import fold_conv_bn
from compiler.analysis.transforms.probing import probing, remove_probes
from compiler.model.edits.edits import EditGroup
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId, StageId

Make = Callable[[StageId, Graph, tuple[NodeId, ...]], EditGroup]


@dataclass(frozen=True)
class Transform:
    """One ready transform."""

    id: str
    title: str
    about: str
    """What it does, and what it assumes, in a sentence or two."""
    make: Make
    """The edits, for some chosen nodes or (none chosen) for the whole graph. Raises EditError where there is nothing."""
    group: str


TRANSFORMS = (
    Transform(
        "remove_dropouts", "Remove dropout",
        "Takes out every dropout; its input takes its place. Attention is given a dropout of 0.",
        remove_dropouts, "model",
    ),
    Transform(
        "relus_to_gelus", "relu → gelu", "Lets every relu call gelu. The function computed is another one.",
        relus_to_gelus, "model",
    ),
    Transform(
        "fold_conv_bn", "Fold batch norm into convolution",
        "A batch norm in evaluation mode that alone uses a convolution is folded into its weight and bias, computed by "
        "nodes from the module's own parameters and statistics.",
        fold_conv_bn, "model",
    ),
    Transform(
        "attention_to_sdpa", "Attention → scaled_dot_product_attention",
        "softmax(q @ kᵀ · scale + mask) @ v, with or without dropout, becomes one call that picks the fastest kernel.",
        attention_to_sdpa, "model",
    ),
    Transform(
        "cast_region", "Run in bfloat16",
        "Casts what goes into the selected calls (all, where none is selected) to bfloat16 and what comes out back; what is "
        "written to in place stays as it is.",
        cast_region, "model",
    ),
    Transform(
        "dead_code", "Remove dead code",
        "Takes out calls without side effects whose results nobody uses; random numbers are drawn as before. Inductor does so too; here "
        "one sees which.",
        dead_code, "clean",
    ),
    Transform(
        "common_subexpressions", "Make common subexpressions once",
        "Equal calls on equal arguments are made once; random numbers, what works in place and what is written to are left "
        "alone.",
        common_subexpressions, "clean",
    ),
    Transform(
        "probe_print", "Probe: print values",
        "Puts a probe behind the selected calls (all, where none is selected): values and statistics come to the Output "
        "pane and the inspector. A probe is no part of any kernel, so fusions around it are lost.",
        probing("print", "Probes that print"), "probe",
    ),
    Transform(
        "probe_histogram", "Probe: histograms", "Probes behind the selected calls (all, where none is selected) that show how values are distributed, in the Output "
        "pane and the inspector. A probe is no part of any kernel, so fusions around it are lost.",
        probing("histogram", "Probes with histograms"), "probe",
    ),
    Transform(
        "probe_nan", "Probe: find NaN and Inf",
        "Probes behind the selected calls (all, where none is selected) that tell the first node whose values are not finite.",
        probing("nan", "Probes for NaN and Inf"), "probe",
    ),
    Transform("remove_probes", "Remove every probe", "Takes all probes out again.", remove_probes, "probe"),
)  # fmt: skip
