"""Client of PAM's end-user memory (`/v1/memories`, `/v1/tenant`)."""

from pam_memory.asynchronous import AsyncMemory
from pam_memory.client import Memory
from pam_memory.errors import ApiError, ConnectionFailed, JobFailed, JobTimeout, PamError
from pam_memory.types import Added, Context, Detail, Found, Item, Job, Message, Page, User, Version

__all__ = [
    "Added",
    "ApiError",
    "AsyncMemory",
    "ConnectionFailed",
    "Context",
    "Detail",
    "Found",
    "Item",
    "Job",
    "JobFailed",
    "JobTimeout",
    "Memory",
    "Message",
    "Page",
    "PamError",
    "User",
    "Version",
]
