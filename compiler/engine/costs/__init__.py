"""What compiling costs, what a step's memory goes to, what makes torch compile again: measured by line and module, and what
single changes save, tried on copies. Why results are wrong or a step is slow is looked for in `causes`.
"""
