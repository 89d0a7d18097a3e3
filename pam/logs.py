"""How a log line is written: for people, or as one JSON object for a collector (PAM_LOG_FORMAT=json).

Lines carry the request's id and, once it is known, the account; never a memory's text.
"""

import json
import logging
from datetime import UTC, datetime

from accounts.log_lines import without_values


class JSONFormatter(logging.Formatter):
    """`{time, level, logger, message, request_id, account}`, and `error` with a traceback where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_values(record.getMessage()),
            "request_id": getattr(record, "request_id", "-"),
            "account": getattr(record, "account", "-"),
        }
        if record.exc_info:
            line["error"] = without_values(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)
