"""Django's Postgres backend, with the pool made to get over a restart of the server. See base.py."""
