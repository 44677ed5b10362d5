"""What torch prints for people, read back: graphs, types, generated code. Nothing is evaluated."""
