"""End-user memory: what a product remembers of its users (contract: end_users)."""
