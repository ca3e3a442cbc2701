//! The description of the API, made from the handlers' own types, and a page to read and try it.

mod finish;
mod page;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use recalld_agent::tools;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, ObjectBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder,
    SecurityRequirement, Type,
};
use utoipa::{PartialSchema, ToSchema};

use crate::app::App;
use crate::error::Problem;
use crate::middleware::RouteLayers;

pub(crate) fn router(api: OpenApi, layers: &RouteLayers) -> Router<App> {
    let text = Bytes::from(described(api).to_json().expect("a description is plain data"));
    let description = move || async move { ([(CONTENT_TYPE, "application/json")], text) };
    Router::new()
        .route("/openapi.json", get(description).layer(layers.open()))
        .merge(page::router().layer(layers.open().with_query()))
}

fn described(mut api: OpenApi) -> OpenApi {
    api.info = InfoBuilder::new()
        .title("recalld")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("The memory server for LLM agents."))
        .build();
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key (`rk_…`) or a JWT of the configured issuer"))
        .build();
    let components = api.components.get_or_insert_default();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    components.add_security_scheme("api_key", finish::api_key());
    let mut schemas = vec![(Problem::name().into_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    components.schemas.extend(schemas);
    let by = |scheme: &str| SecurityRequirement::new::<_, [&str; 0], &str>(scheme, []);
    api.security = Some(vec![by("bearer"), by("api_key")]);
    for (path, item) in &mut api.paths.paths {
        let all = [
            ("get", &mut item.get),
            ("put", &mut item.put),
            ("post", &mut item.post),
            ("patch", &mut item.patch),
            ("delete", &mut item.delete),
        ];
        for (method, operation) in all {
            if let Some(operation) = operation {
                operation.operation_id = Some(name_of(method, path));
                with_problems(operation);
                finish::finish(operation);
                if finish::happens_in_project(path) {
                    finish::with_project(operation);
                }
                with_header_patterns(operation);
                if path == "/v1/tools/{name}" {
                    with_tool_names(operation);
                }
            }
        }
    }
    api
}

/// Names an operation for generated clients: `get_memories_id_history`. Handlers of two resources
/// may share a name.
fn name_of(method: &str, path: &str) -> String {
    let words = path
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !["", "v1"].contains(word));
    words.fold(method.to_owned(), |name, word| format!("{name}_{word}"))
}

/// Every operation may be refused or fail in the same way.
fn with_problems(operation: &mut Operation) {
    for (status, description) in [
        ("4XX", "It was refused; nothing was changed"),
        ("5XX", "The server could not"),
    ] {
        operation
            .responses
            .responses
            .insert(status.to_owned(), RefOr::T(problem(description)));
    }
}

/// A tool is named by one of these words.
fn with_tool_names(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.name == "name"
        {
            let names = tools::all().iter().map(|tool| tool.name);
            let text = ObjectBuilder::new()
                .schema_type(Type::String)
                .enum_values(Some(names));
            parameter.schema = Some(text.into());
        }
    }
}

/// What the headers that many operations share may hold.
const HEADER_PATTERNS: [(&str, &str); 6] = [
    ("If-Match", r#"^(\*|(W/)?"[ !#-~]*")$"#),
    ("If-None-Match", r"^\*$"),
    ("Idempotency-Key", r"\S"),
    ("Recalld-Conversation", r"\S"),
    ("Recalld-Message", r"\S"),
    ("Recalld-Project", r"\S"),
];

fn with_header_patterns(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else {
            continue;
        };
        let known = HEADER_PATTERNS.iter().find(|(name, _)| *name == parameter.name);
        if let Some((_, pattern)) = known {
            let text = ObjectBuilder::new()
                .schema_type(Type::String)
                .pattern(Some(*pattern));
            parameter.schema = Some(text.into());
        }
    }
}

fn problem(description: &str) -> Response {
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Problem")))
        .build();
    ResponseBuilder::new()
        .description(description)
        .content("application/problem+json", content)
        .build()
}
