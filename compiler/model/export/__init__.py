"""Edits kept as code: FX passes that need torch only, their test, and a recipe. Text in, text out; nothing is run."""

from compiler.model.export.edited_graph import EditedGraph
from compiler.model.export.edited_inductor_graph import EditedInductorGraph
from compiler.model.export.files import exported_files
from compiler.model.export.pattern_file import pattern_files
from compiler.model.export.python_text import ExportError

__all__ = ["EditedGraph", "EditedInductorGraph", "ExportError", "exported_files", "pattern_files"]
