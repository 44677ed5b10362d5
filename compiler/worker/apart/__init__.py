"""The process that does one piece of work which changes torch for good, or may end the interpreter."""
