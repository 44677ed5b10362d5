"""Put first on `PYTHONPATH` of a recorded program; holds nothing but what Python runs at its start."""
