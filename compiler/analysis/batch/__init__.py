"""What is read of and reported about a batch: the files a program consists of, figures of captures, tables, what got worse.

No process is started here (`compiler.command_line.commands.batches`), nothing is executed.
"""
