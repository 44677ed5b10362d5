"""What a test needs that is not everywhere."""

import pytest

from compiler.engine.user_program.environment import find_environment

TRITON = pytest.mark.skipif(not find_environment().triton, reason="triton is not installed here")
"""To compile for a GPU, though none need be here."""
WORKER_WITH_TRITON = [pytest.mark.engine, pytest.mark.worker, TRITON]
"""As ``pytestmark`` of a file whose worker does so."""
