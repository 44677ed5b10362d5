"""What must hold for a capture that is kept, and captures kept by the engine.

Reading and writing ``.loupe`` files is `compiler.analysis.session_file`.
"""
