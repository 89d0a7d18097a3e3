"""Agent memory: what sessions decided, asked and left open, with supersession (contract: knowledge)."""
