"""What gets into a process that the user started, and reports to its client what torch compiles there. It runs beside the user's
code and must never be in its way; what is reported is made in `compiler.engine.run_recording`, and who listens is elsewhere.
"""
