"""Commands about programs that run by themselves, beside us or elsewhere."""
