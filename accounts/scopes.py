"""The scopes a credential can carry, in plain words."""

MEMORY_READ = "memory:read"
MEMORY_WRITE = "memory:write"
MCP_READ = "mcp:read"
MCP_WRITE = "mcp:write"
DECISIONS_READ = "decisions:read"
DECISIONS_WRITE = "decisions:write"

#: What an agent key may carry, with what it lets its holder do. A new key has all of them unless told otherwise.
AGENT: dict[str, str] = {
    MEMORY_READ: "Ask questions of company memory",
    MEMORY_WRITE: "Add and delete documents and chats",
    MCP_READ: "Call the reading tools of agent memory",
    MCP_WRITE: "Call the writing tools of agent memory",
    DECISIONS_READ: "Read decisions and session summaries",
    DECISIONS_WRITE: "Record decisions and session summaries",
}

ACCOUNT_MANAGE = "account:manage"

#: What a person can grant to a client by OAuth, in the words of the consent page.
GRANTABLE: dict[str, str] = {
    MEMORY_READ: "Ask questions of company memory",
    MCP_READ: "Look through what agents remember",
    MCP_WRITE: "Add to what agents remember",
    DECISIONS_READ: "Read decisions and summaries of sessions",
    DECISIONS_WRITE: "Record decisions and summaries of sessions",
    ACCOUNT_MANAGE: "Mint and revoke agent keys, and read the request log",
}
#: What changes something: never open to people who may only look.
CHANGING = frozenset({MEMORY_WRITE, MCP_WRITE, DECISIONS_WRITE})

READ, WRITE, DELETE, ADMIN = "read", "write", "delete", "admin"

#: What an API key of a product may do with end-user memory. A new key has all of them unless told otherwise.
API_KEY: dict[str, str] = {
    READ: "Retrieve and list memories of end users",
    WRITE: "Add and change memories",
    DELETE: "Delete memories and end users",
    ADMIN: "Change settings, mint and revoke API keys",
}
