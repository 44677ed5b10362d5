"""What follows from a step that ran on fakes: memory over it, its time on machines that are not here, what would make it fit.

Everything is computed from the capture; figures of machines come from ``resources/machines.json`` or a file of the user's.
"""
