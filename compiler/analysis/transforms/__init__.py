"""Ready transforms: each turns a graph into ordinary edits that one can look into before they are made."""

from compiler.analysis.transforms.catalogue import TRANSFORMS, Transform

__all__ = ["TRANSFORMS", "Transform"]
