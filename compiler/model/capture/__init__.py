"""What is captured and how, and the capture that comes of it: frames, breaks, guards.

Single stages and graphs are `ir`.
"""
