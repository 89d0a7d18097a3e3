"""Everything that a client needs to connect, for the Developer API (`mcp-config`). Source: contract console."""

from dataclasses import asdict
from typing import Any

from django.conf import settings

from accounts import keys, quotas
from accounts.caller import Caller
from mcp_gateway import request_history, snippets, surfaces
from memories.api.company_schema import ReadinessShown
from memories.company import readiness

# By the names of RFC 8414 and RFC 9728.
_OAUTH = {
    "issuer": "",
    "authorization_endpoint": "/v1/oauth/authorize",
    "token_endpoint": "/v1/oauth/token",
    "registration_endpoint": "/v1/oauth/register",
    "revocation_endpoint": "/v1/oauth/revoke",
    "authorization_server_metadata": "/.well-known/oauth-authorization-server",
    "protected_resource_metadata": f"/.well-known/oauth-protected-resource{surfaces.MEMORY.path}",
    "knowledge_resource_metadata": f"/.well-known/oauth-protected-resource{surfaces.KNOWLEDGE.path}",
}


def config(caller: Caller) -> dict[str, Any]:
    """Addresses, snippets with a placeholder for the key, readiness and quota of the caller's account."""
    url = settings.PUBLIC_URL + surfaces.MEMORY.path
    living = [key for key in keys.listed(caller) if key.state == "active"]
    return {
        "mcp_url": url,
        "knowledge_url": settings.PUBLIC_URL + surfaces.KNOWLEDGE.path,
        "server_name": surfaces.MEMORY.server_name,
        "key_prefix": living[0].prefix if living else None,
        "mcp_verified": request_history.latest_answered(caller) is not None,
        "snippets": [asdict(snippet) for snippet in snippets.for_clients(url)],
        "hello_world_prompt": snippets.FIRST_PROMPT,
        "readiness": ReadinessShown(readiness.of(caller.account)).data,
        "quota": quotas.quota(caller.account).structured(),
        "oauth": {name: settings.PUBLIC_URL + path for name, path in _OAUTH.items()},
    }
