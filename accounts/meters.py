"""What is counted for the operator, wherever it happens, in this process. `/metrics` tells it (pam/metrics.py)."""

from prometheus_client import Counter

UNCHECKED = Counter(
    "pam_limits_unchecked", "Requests let through because Valkey did not answer for a limit.", ["limit"]
)
EMBEDDER_FAILED = Counter("pam_embedder_failures", "Texts or questions for which the embedding model did not answer.")
