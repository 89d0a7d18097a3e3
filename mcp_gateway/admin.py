"""Staff admin: the request log, to read."""

from django.contrib import admin

from accounts.staff_admin import ReadOnlyAdmin
from mcp_gateway.models import RequestLog


@admin.register(RequestLog)
class RequestLogAdmin(ReadOnlyAdmin):
    plain = ["tool_name", "error_code", "client", "session_id"]
    list_display = ["created_at", "account", "tool_name", "status", "error_code", "counted", "duration_ms", "client"]
    list_select_related = ["account"]
    # Not by tool: the names to choose from would be read from every row at each look. "?tool_name=…" works.
    list_filter = ["status", "counted"]
    search_fields = ["request_id", "account__name", "account__public_id"]
    date_hierarchy = None
