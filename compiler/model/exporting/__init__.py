"""Edits kept as code: FX passes that need torch only, their test, and a recipe. Text in, text out; nothing is run."""

from compiler.model.exporting.edited_graph import EditedGraph
from compiler.model.exporting.edited_unit import EditedUnit
from compiler.model.exporting.files import exported_files
from compiler.model.exporting.pattern_file import pattern_files
from compiler.model.exporting.python_text import ExportError

__all__ = ["EditedGraph", "EditedUnit", "ExportError", "exported_files", "pattern_files"]
