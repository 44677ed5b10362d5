"""Operations a node could call instead, or that could stand behind it, as the engine found them in this torch."""

import msgspec

from compiler.model.ir.arguments import MappingArgument, SequenceArgument


class OpChoice(msgspec.Struct, frozen=True):
    """One operation that accepts the node's arguments, or its result, ready to be put into an edit."""

    op: str
    target: str
    label: str
    """What a person searches for: ``gelu``."""
    signature: str
    args: SequenceArgument
    kwargs: MappingArgument = MappingArgument(())
    common: bool = False
    """Offered first: the likely swaps for this node."""


class OpChoices(msgspec.Struct, frozen=True, tag="op_choices"):
    """Every valid operation for one node."""

    node: str
    choices: tuple[OpChoice, ...]
