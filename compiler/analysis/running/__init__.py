"""Programs that run by themselves and report what torch compiles in them: who listens, and what it comes to. Nothing is run and
nothing printed here; recording is `compiler.recorder`.
"""
