"""Profiles of end users in the domain that their account chose: kept, told to a model, listed, counted.

A profile is computed from a person's live memories. What is stored is a copy that carries the person's revision, so
that after any write, edit, delete or settled conflict it is gathered anew by whoever reads next.
"""
