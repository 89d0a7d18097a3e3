"""Telling an account's own server of what happens: events, their queue, and a sender that goes nowhere but out.

An event is a row, written in the transaction of what it tells of; a worker takes it from there. Data are ids and
figures, never a text that somebody remembers, and never a secret.
"""

from accounts.webhooks.events import emit, processing

__all__ = ["emit", "processing"]
