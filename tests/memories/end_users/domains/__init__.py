"""Domains: profiles out of statements, and what is told of them."""
