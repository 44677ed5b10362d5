"""Other ways to capture a program than torch.compile, one package each; they do not know one another.

They meet in `registry`. torch.compile itself is `compiler.engine.capture`.
"""
