"""Language models behind the seam of memories/providers.py, each loaded only where it is configured."""
