"""The providers of vectors, each named by its dotted path in a setting and loaded at first use. See base.py."""
