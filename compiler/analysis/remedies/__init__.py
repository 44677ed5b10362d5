"""What can be done about a graph break or a recompile: each remedy is a change that can be tried on a copy."""

from compiler.analysis.remedies.for_breaks import remedies_for
from compiler.analysis.remedies.plugins import RemedyRule, remedy_faults
from compiler.model.graph_breaks.remedy import Remedy, keep_text

__all__ = ["Remedy", "RemedyRule", "keep_text", "remedies_for", "remedy_faults"]
