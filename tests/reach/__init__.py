"""Which lines of ours each test reaches: what `make test` leaves to `make thorough` is chosen by it, and so is what it takes back."""
