"""Session files opened and saved, source files watched, and a person's own editor.

The format stands in `compiler.analysis.session_file`.
"""
