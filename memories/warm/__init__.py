"""A warm copy of what an account's scan reads, in this process: the same scores, without asking Postgres for them.

It is only ever an answer to "which rows, in which order": the rows themselves are read from the database afterwards, in
the caller's transaction and behind its row-level security, so that what was deleted is gone whatever it says. A copy is
used while the account's marks of change (SearchChange) are as they were when it was read; otherwise the scan is
Postgres's, as it is for the first questions, for accounts that are being written to, and for those too large to copy.

Copies are made by one thread in the background, the least recently used give way beyond PAM_WARM_MB, and 0 turns them
off. Scores: see search.py for the formula; a test holds both scans together.
"""
