"""What buttons have in common. They know nothing of what they do."""
