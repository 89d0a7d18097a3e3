"""What every test may ask for: the cast. The servers are started by servers.py, before this file is read."""

from tests.cast import alice, bob, charlie

__all__ = ["alice", "bob", "charlie"]
