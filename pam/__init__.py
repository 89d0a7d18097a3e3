"""The frame of PAM."""

import os

# numpy would give a second thread every product of a matrix of a few megabytes, which takes a millisecond or two; that
# thread then spins, waiting for more, for longer than the work took: half of a busy web process's time. Said before
# numpy is imported, whoever imports it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
