"""Bodies of higher-order operators in training: linked, edited, lowered."""
