"""What must hold for a capture that is kept, captures kept by the engine, and decoding them with equal parts shared.

Reading and writing ``.loupe`` files is `compiler.analysis.session_file`.
"""
