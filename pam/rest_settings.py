"""Settings of the REST surfaces and of their description, for pam/settings.py."""

VERSION = "0.1.0"
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["pam.rest.JSONBody"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "pam.rest.handle",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "PAM",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    # Fields of one name with other choices get names of their own in the description.
    "ENUM_NAME_OVERRIDES": {
        "CallStatus": "mcp_gateway.models.RequestLog.Status",
        "RecordKind": "memories.models.Record.Kind",
        "RecordStatus": "memories.models.Record.Status",
        "OkOrError": [("ok", "ok"), ("error", "error")],
        "CredentialState": [("active", "active"), ("expired", "expired"), ("revoked", "revoked")],
        "DocumentState": "memories.models.Document.State",
        "ConflictOutcome": "memories.models.Conflict.Outcome",
        "ConflictStatus": [("pending", "pending"), ("resolved", "resolved")],
        "Keep": "memories.models.Conflict.Keep",
        "SupportType": "memories.end_users.domains.sayings.support_types.ALL",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
