"""The ways PyTorch has to capture a program, torch.compile among them: what each is called and what it does."""

import msgspec

DYNAMO = "dynamo"
DYNAMO_FULLGRAPH = "dynamo-fullgraph"
EAGER = "eager"
FX = "fx"
EXPORT, EXPORT_STRICT, EXPORT_DRAFT = "export", "export-strict", "export-draft"
EXPORT_DYNAMIC = "export-dynamic"
SAVED = ".pt2"
"""How the names of files end that torch.export saved."""
FX_GRAPH = "fx:graph"
FX_CODE = "fx:code"
"""The stage with the Python that torch.fx generated, which can be changed and run."""

SCRIPTED_TEXTS = ("jit.script:weights", "jit.trace:weights")
"""The stages with TorchScript's IR as a text that stands alone, which can be changed and run."""


class FrontEnd(msgspec.Struct, frozen=True):
    """One way to capture a program."""

    name: str
    """As it is given on the command line."""
    title: str
    """As torch spells it."""
    lesson: str
    """One sentence: how it looks at a program, and what it cannot see."""
    compared: bool = True
    """Whether it has a row where all are compared; variants of another, and ways to look at one run, have none."""


FRONT_ENDS = tuple(
    FrontEnd(*row)
    for row in (
        (
            DYNAMO,
            "torch.compile",
            "Reads bytecode, breaks the graph where it must, and guards what it assumed.",
        ),
        (
            DYNAMO_FULLGRAPH,
            "torch.compile(fullgraph=True)",
            "Reads bytecode, and refuses a program that does not fit in one graph.",
        ),
        (EAGER, "Eager", "Nothing is captured: operations run one by one, as Python calls them."),
        (
            "jit.trace",
            "torch.jit.trace",
            "Runs once and keeps the operations it saw; branches not taken are lost. Deprecated.",
        ),
        (
            "jit.script",
            "torch.jit.script",
            "Compiles the source of a typed subset of Python, branches and loops included. Deprecated.",
        ),
        (
            FX,
            "torch.fx.symbolic_trace",
            "Runs with proxies in place of tensors; what is no proxy is baked in, and a branch on one is an error.",
        ),
        (
            EXPORT,
            "torch.export",
            "One whole graph for the shapes of the example; refuses what it cannot prove.",
        ),
        (
            EXPORT_DYNAMIC,
            "torch.export(dynamic)",
            "One whole graph for all shapes that the program allows; refuses what it cannot prove.",
        ),
        (
            EXPORT_STRICT,
            "torch.export(strict=True)",
            "The same by Dynamo, which reads bytecode instead of running it.",
            False,
        ),
        (
            EXPORT_DRAFT,
            "torch.export.draft_export",
            "A graph whatever it takes, with a report of what was assumed on the way.",
            False,
        ),
        (
            "lazy",
            "LazyTensor",
            "Tensors that keep what is to be done with them until somebody asks for a value.",
        ),
        (
            "make_fx",
            "make_fx",
            "Runs once and keeps the aten operations below autograd; Python's decisions are baked in.",
        ),
        (
            "aot",
            "AOTAutograd",
            "Runs once with autograd and keeps forward and backward as one graph; Python's decisions are baked in.",
        ),
        (
            "precompile",
            "torch.compiler.precompile",
            "Runs once as make_fx does, and writes what Inductor makes of it as a Python file that stands alone, without weights or gradients. Needs torch 2.14 or later.",
        ),
        (
            "prims",
            "PrimTorch",
            "Runs once as make_fx does, and takes operations apart level by level: torch, aten, core aten, prims.",
            False,
        ),
        (
            "func",
            "torch.func",
            "Runs under vmap, grad and their nestings, and keeps what make_fx sees of each, and vmap's batching rules.",
            False,
        ),
    )
)
"""In the order they are shown."""
COMPARED = tuple(front_end for front_end in FRONT_ENDS if front_end.compared)
"""Those that are compared with one another."""


def front_end_named(name: str) -> FrontEnd:
    """The front end that a file names; one that is newer than we are has that name, and no lesson."""
    return next((front_end for front_end in FRONT_ENDS if front_end.name == name), FrontEnd(name, name, ""))


def find_front_end(name: str) -> FrontEnd:
    """The front end of that name. Raises ValueError with the names there are."""
    for front_end in FRONT_ENDS:
        if front_end.name == name:
            return front_end
    names = ", ".join(front_end.name for front_end in FRONT_ENDS)
    raise ValueError(f"{name!r} is no front end; there are {names}")
