"""A program that runs by itself, recorded while it runs: nothing of torch is held longer than torch holds it, and a capture
is read again only where something was compiled. What makes a program run lives in `user_program`, not here.
"""
