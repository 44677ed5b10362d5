"""The ranks of a distributed program, followed live or read from the files beside the one that is open, and how they compare."""
