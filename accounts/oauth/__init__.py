"""OAuth 2.1 for browser clients: django-oauth-toolkit ("DOT") at our paths, and the little that it lacks.

    resources      the endpoints a token can be for, and what of them a client may ask
    redirect_uris  where an answer may be sent
    registration   clients that introduce themselves (RFC 7591)
    clients        what DOT asks of a client, and how codes and tokens hang together
    connections    what people see: who is connected, until when; ending it
    exchange       one token request at a time for each connection
    replay         the same refresh twice within a moment, for those who want it
    authorize      the consent page
    endpoints, discovery, urls   the wire

Each room says which client needed it. Nothing here knows MCP.
"""
