"""Staff admin: the request log, to read."""

from django.contrib import admin

from accounts.staff_admin import ReadOnlyAdmin
from mcp_gateway.models import RequestLog


@admin.register(RequestLog)
class RequestLogAdmin(ReadOnlyAdmin):
    plain = ["tool_name", "error_code", "client", "session_id"]
    list_display = ["created_at", "account", "tool_name", "status", "error_code", "counted", "duration_ms", "client"]
    list_select_related = ["account"]
    list_filter = ["status", "tool_name", "counted"]
    search_fields = ["request_id", "account__name", "account__public_id"]
    date_hierarchy = None
