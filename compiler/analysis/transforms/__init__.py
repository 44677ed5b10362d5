"""Ready transforms: each turns a graph into ordinary edits that one can look into before they are made."""

from compiler.analysis.transforms.catalogue import TRANSFORMS, Transform
from compiler.analysis.transforms.edit_building import EditBuilder, why_nothing
from compiler.analysis.transforms.plugins import found_transforms

__all__ = ["TRANSFORMS", "EditBuilder", "Transform", "found_transforms", "why_nothing"]
