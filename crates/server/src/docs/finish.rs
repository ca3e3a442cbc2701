//! What holds for all operations, so that generators of clients need no exceptions: every response
//! has a description, the user is a parameter, and archives are binary.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Required, SchemaFormat, Type};

/// The header by which a service names a user.
const USER: &str = "Recalld-User";
const USER_ABOUT: &str = "The user for whom a service or admin key acts; a user's own key needs none";

/// The header that names a project.
const PROJECT: &str = "Recalld-Project";
const PROJECT_ABOUT: &str =
    "The project in which this happens: memories of other projects are neither seen nor changed";

/// The other way to send a key.
pub(super) fn api_key() -> SecurityScheme {
    let about = "An API key, for clients that send no Authorization header";
    SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description("X-API-Key", about)))
}

/// Completes an operation.
pub(super) fn finish(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        if response.description.is_empty() {
            response.description = description(status).to_owned();
        }
        for (kind, content) in &mut response.content {
            if kind == "application/zip" {
                *content = RefOr::T(ContentBuilder::new().schema(Some(binary())).build());
            }
        }
    }
    if let Some(RefOr::T(body)) = &mut operation.request_body
        && let Some(content) = body.content.get_mut("application/zip")
    {
        *content = RefOr::T(ContentBuilder::new().schema(Some(binary())).build());
    }
    with_header(operation, USER, USER_ABOUT);
}

/// The operations that see or write memories, and so depend on the project.
pub(super) fn happens_in_project(path: &str) -> bool {
    let parts = [
        "/v1/memories",
        "/v1/search",
        "/v1/context",
        "/v1/document",
        "/v1/prompt",
        "/v1/tools/",
        "/v1/files",
        "/v1/review",
        "/v1/chat",
    ];
    let is_messages = path.starts_with("/v1/conversations/") && path.ends_with("/messages");
    is_messages || parts.iter().any(|part| path.starts_with(part))
}

/// Adds the header that names a project.
pub(super) fn with_project(operation: &mut Operation) {
    with_header(operation, PROJECT, PROJECT_ABOUT);
}

fn with_header(operation: &mut Operation, name: &str, about: &str) {
    let parameters = operation.parameters.get_or_insert_default();
    let is_known = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(known) if known.name == name);
    if !parameters.iter().any(is_known) {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(about))
            .schema(Some(text));
        parameters.push(RefOr::T(parameter.build()));
    }
}

fn binary() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
}

fn description(status: &str) -> &'static str {
    match status {
        "201" => "Created",
        "202" => "Accepted; it goes on",
        "204" => "Done",
        _ => "The answer",
    }
}
