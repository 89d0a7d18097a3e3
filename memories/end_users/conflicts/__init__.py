"""A new statement contradicts an old memory of the same end user: what becomes of the two, and who is asked.

matter, kin, nations, slot_rules, contradiction   how two statements stand to each other (pure)
deciding      what becomes of a new statement and the old ones (pure)
candidates    which old ones it is held against
settling      before it is kept; reviewing: by meaning, once it has a vector; rows: what a decision leaves behind
asking        the question to the end user; resolving: its answer; listing: what the account sees of it
"""

from memories.end_users.conflicts.asking import Question, take_question
from memories.end_users.conflicts.reviewing import review

__all__ = ["Question", "review", "take_question"]
