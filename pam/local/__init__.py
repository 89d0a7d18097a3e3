"""The local stack: real Postgres with pgvector and real Valkey out of Python wheels, and the processes of PAM on top.

This room knows folders, ports and processes. It knows nothing of Django, so that settings may ask it for addresses.
"""
