"""What a kind of product needs to know of its users: a student's weak topics, a customer's open issues.

One module a domain (edtech.py, support.py), found by registry.py; base.py says what a domain is. `sayings` reads
phrases and dates out of statements and is pure; `profiles` keeps what domains gather and tells it.
"""
