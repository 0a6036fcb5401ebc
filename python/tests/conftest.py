"""What several files of tests use."""

import pytest
import tenrex
from four_documents import EXPRESSION, TYPES


@pytest.fixture(scope="session")
def query():
    """A query for the columns of four_documents."""
    return tenrex.compile(EXPRESSION, **TYPES).bind(q=[1, 10, 100])
