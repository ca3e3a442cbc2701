"""The description of the API is a valid OpenAPI document from which clients can be generated."""

import httpx
from _served import served
from openapi_spec_validator import OpenAPIV31SpecValidator


def main(server):
    document = httpx.get(f"{server.url}/openapi.json").json()
    faults = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
    assert not faults, "\n".join(faults)
    schemas = document["components"]["schemas"]
    assert schemas["MessageRole"]["enum"] == ["system", "user", "assistant"], schemas["MessageRole"]
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    for operation in operations:
        for response in operation["responses"].values():
            assert response["description"], operation["operationId"]
    print(f"      {len(operations)} operations, {len(schemas)} schemas")


with served() as server:
    main(server)
