"""Many programs captured for many machines, as values: the manifest, a job and what makes it the same job, its row of the table.

Nothing is read or run here: sources, sessions and comparison are `compiler.analysis.batch`, processes the command line's.
"""
