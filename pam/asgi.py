"""The ASGI application: the MCP endpoint streams, so the web process must be able to wait without a thread."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")

application = get_asgi_application()
