"""What other installed packages bring, by entry points: loading them, and telling those that fail.

What is brought is known where it is used: `transforms`, `remedies`, `gpu`; panes, which the window makes, stand here.
"""

from compiler.analysis.plugins.entry_points import Plugins, find_plugins, guarded, somebody_elses
from compiler.analysis.plugins.panes import Pane, found_panes

__all__ = ["Pane", "Plugins", "find_plugins", "found_panes", "guarded", "somebody_elses"]
