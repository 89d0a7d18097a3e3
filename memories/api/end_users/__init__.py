"""REST of end-user memory (`/v1/memories`, `/v1/tenant`, `/v1/api-keys`): one module a group of routes.

Each parses, makes one service call and renders. The envelope, and what errors look like here, stands in envelope.py.
"""
