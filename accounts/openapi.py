"""How the API description (`/api/schema`) tells the ways in. Loaded when apps are ready; nobody imports this room."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class AgentKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.authentication.AgentKeyAuthentication"
    name = "agentKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        told = "An agent key (`pam_mkey_…`), minted on the Setup page."
        return {"type": "http", "scheme": "bearer", "description": told}


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        told = "`ApiKey mem_…`: an API key of a product, for end-user memory."
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": told}


class ConsoleScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.authentication.ConsoleAuthentication"
    name = "consoleSession"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        told = "The cookie of a signed-in person. Whatever changes something needs `X-CSRFToken` besides."
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME, "description": told}


class ManagerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "accounts.authentication.ManagerTokenAuthentication"
    name = "managerToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        told = "An OAuth access token for `/v1/dev` with the scope `account:manage`."
        return {"type": "http", "scheme": "bearer", "description": told}
