"""Programs that cannot be compiled, and breaks: the step that fails, and the least program that fails so or breaks so.

What runs here is tried in processes of its own, which whoever calls this starts (`Trials`). What makes results wrong is
`compiler.engine.causes`.
"""
