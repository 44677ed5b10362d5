"""Commands that read a session file and start no worker: nothing of the program is run."""
