"""What a program that runs by itself answers, between two calls of its graphs."""

from compiler.model.protocol.messages import (
    ExplorePartition,
    FindMatches,
    ListEditedGraphs,
    ListKnobs,
    ListOps,
    ListSignatures,
    PreviewEdits,
    Recompile,
)

AnsweredByRun = (
    PreviewEdits
    | Recompile
    | ListOps
    | ListSignatures
    | FindMatches
    | ListEditedGraphs
    | ListKnobs
    | ExplorePartition
)
"""All about the graphs that it holds. Nothing else of a running program is asked: it would run it."""
