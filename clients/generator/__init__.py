"""Makes the typed parts of the clients from the OpenAPI document of a server."""
