"""Settings of metrics and logs, for pam/settings.py. Logs go to the error stream, for the runner to keep."""

from pam.environment import flag, text

__all__ = ["LOGGING", "PAM_METRICS", "PAM_METRICS_TOKEN"]

#: Whether /metrics answers, and the Bearer token that it then wants; none: whoever reaches it may read it.
PAM_METRICS = flag("PAM_METRICS", default=False)
PAM_METRICS_TOKEN = text("PAM_METRICS_TOKEN")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "accounts.log_lines.Formatter",
            "fmt": "%(asctime)s %(levelname)s %(request_id)s %(account)s %(name)s: %(message)s",
        },
        "json": {"()": "pam.logs.JSONFormatter"},
    },
    "filters": {"request_id": {"()": "accounts.request_id.LogFilter"}},
    "handlers": {
        "stream": {
            "class": "logging.StreamHandler",
            "formatter": "json" if text("PAM_LOG_FORMAT", "line") == "json" else "line",
            "filters": ["request_id"],
        }
    },
    "root": {"handlers": ["stream"], "level": "INFO"},
    # Django's own handlers keep errors to themselves unless DEBUG is on. What a caller did wrong is in the request log.
    "loggers": {
        "django": {"handlers": [], "level": "INFO"},
        "django.request": {"level": "ERROR"},
        # Their debug lines have codes and tokens in them.
        "oauthlib": {"level": "WARNING"},
        "oauth2_provider": {"level": "WARNING"},
        # It tells each address that it asks, and with that what stands in it.
        "httpx": {"level": "WARNING"},
    },
}
