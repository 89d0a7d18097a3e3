"""The ASGI application: the MCP endpoint streams, so the web process must be able to wait without a thread."""

import os
import threading

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")

application = get_asgi_application()

# Its models can be imported only now that the application is set up.
from memories import embedding  # noqa: E402

# Loading the model takes seconds: this process serves meanwhile, and the first question does not wait for it.
threading.Thread(target=embedding.warm_up, name="warm-up", daemon=True).start()
