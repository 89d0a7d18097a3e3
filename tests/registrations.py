"""What the clients that cannot be had here send when they register, as it was seen in November 2026."""

VS_CODE = {
    "client_name": "Visual Studio Code",
    "client_uri": "https://code.visualstudio.com",
    "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    "response_types": ["code"],
    "redirect_uris": [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
    ],
    "token_endpoint_auth_method": "none",
    "application_type": "native",
}
CURSOR = {
    "client_name": "Cursor",
    "redirect_uris": [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
    ],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}
CHATGPT = {
    "client_name": "ChatGPT",
    "redirect_uris": ["https://chatgpt.com/connector/oauth/k7Qw2mX9"],
    "grant_types": ["authorization_code", "refresh_token"],
    "scope": "memory:read offline_access",
    "token_endpoint_auth_method": "none",
}
CLAUDE = {
    "client_name": "Claude",
    "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "scope": "memory:read",
    "token_endpoint_auth_method": "client_secret_post",
}
#: From its source, 0.61. The port is whichever was free, and the scope is empty unless somebody sets one.
GEMINI = {
    "client_name": "Gemini CLI MCP Client",
    "redirect_uris": ["http://localhost:41733/oauth/callback"],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
    "scope": "",
}
